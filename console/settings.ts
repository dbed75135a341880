/** How Vite makes the console, for the build and for whoever works on it. */
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";

const root = import.meta.dirname;

/** Directory of the built files in a checkout. */
export const OUTPUT = resolve(root, "../dist/console");

/** The editor of policy rules is large, and only forms of policies show it. */
const EDITOR = /node_modules\/(@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)\//;

/** Modules that screens share: libraries, and the console's own without screens. */
const COMMON = /node_modules\/|console\/src\/(kit|base|live|texts)\//;

/**
 * Chunks of modules that many parts use. Without them each module that two parts share is a file of its own, and the first screen
 * takes 50 requests. `index` has what is there before any screen, `list` what every list needs, `records` what Home and the
 * audit log show, and `common` the modules that 46 of the later parts need. A lower number gives the first list modules that
 * only other screens show.
 */
const GROUPS = [
  { name: "index", tags: ["$initial" as const], priority: 3 },
  { name: "list", test: /console\/src\/kit\/(list-screen|list-source|typed|cells)\./, priority: 2 },
  {
    name: "records",
    test: /console\/src\/(?:kit\/(?:activity|actor|bars|gone|object-screen|records)|texts\/kit-graphs)\./,
    priority: 2,
  },
  { name: "common", test: (id: string) => COMMON.test(id) && !EDITOR.test(id), minShareCount: 46, priority: 1 },
];

/** Every address in the built files is relative, so that they work wherever a proxy has the server. */
export function settingsOf(command: "build" | "serve"): InlineConfig {
  return {
    configFile: false,
    root,
    base: "./",
    logLevel: "warn",
    plugins: [react()],
    build: {
      outDir: OUTPUT,
      emptyOutDir: true,
      target: "es2023",
      // Inlined as data: they would need a wider policy, and be sent again with each release.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1200,
      rolldownOptions: {
        // Texts of the catalogue are constants: a chunk contains those that it shows.
        optimization: { inlineConst: { mode: "all", pass: 2 } },
        output: { codeSplitting: { groups: GROUPS } },
      },
    },
    worker: { format: "es" },
    ...(command === "serve" ? { server: { host: "127.0.0.1" } } : {}),
  };
}
