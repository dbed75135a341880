/**
 * Builds the console into `dist/console`: `node console/build.ts`. With a file as argument it is told there, as JSON, in which
 * folders the libraries lie that the console is made of.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build, type Plugin } from "vite";
import { OUTPUT, settingsOf } from "./settings.ts";

const checkout = resolve(import.meta.dirname, "..");
const started = performance.now();
const folders = new Set<string>();
const [told] = process.argv.slice(2);
const settings = settingsOf("build");
await build({ ...settings, plugins: [...(settings.plugins ?? []), noting(folders)] });
compressFirst();
if (told !== undefined) writeFileSync(told, JSON.stringify([...folders].toSorted()));
console.log(`built the console into ${OUTPUT} in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/**
 * Compresses the scripts and styles of the first load by Brotli: it saves an eighth, but takes seconds, which a server has not
 * at its start.
 */
function compressFirst(): void {
  const folder = join(OUTPUT, "assets");
  for (const name of readdirSync(folder)) {
    if (!/^(index|list|messages)-.*\.(js|css)$/.test(name)) continue;
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(readFileSync(join(folder, name))));
  }
}

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
