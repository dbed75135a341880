/**
 * Builds the console into `dist/console`: `node console/build.ts`. With a file as argument it is told there, as JSON, in which
 * folders the libraries lie that the console is made of.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Plugin } from "vite";
import { OUTPUT, settingsOf } from "./settings.ts";

const checkout = resolve(import.meta.dirname, "..");
const started = performance.now();
const folders = new Set<string>();
const [told] = process.argv.slice(2);
const settings = settingsOf("build");
await build({ ...settings, plugins: [...(settings.plugins ?? []), noting(folders)] });
if (told !== undefined) writeFileSync(told, JSON.stringify([...folders].toSorted()));
console.log(`built the console into ${OUTPUT} in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/** Notes the libraries of all modules, style sheets and what is shaken out of them included. */
function noting(found: Set<string>): Plugin {
  return {
    name: "libraries",
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const path = id.replace(/^\0/, "").replace(`${checkout}/`, "");
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        if (folder !== undefined) found.add(folder);
      }
    },
  };
}
