#!/usr/bin/env node
/** The executable `tessera`. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compiled code is kept from start to start: measured, 0.4 s and 40 MB less with TypeScript as it is. The folder is the
// package's own and not the system's temporary one, where others could put code. The threads read the variable.
const cache = fileURLToPath(new URL("../node_modules/.cache/tessera", import.meta.url));
enableCompileCache(cache);
process.env["NODE_COMPILE_CACHE"] ??= cache;

const { run } = await import("./cli/run.ts");
await run(process.argv.slice(2));
