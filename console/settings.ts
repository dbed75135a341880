/** How Vite makes the console, for the build and for whoever works on it. */
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";

const root = import.meta.dirname;

/** Directory of the built files in a checkout. */
export const OUTPUT = resolve(root, "../dist/console");

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
    },
    worker: { format: "es" },
    ...(command === "serve" ? { server: { host: "127.0.0.1" } } : {}),
  };
}
