#!/usr/bin/env node
/** The executable `tessera`. */
import module from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findBundledNode, runOn } from "./cli/bundled-node.ts";

// Before anything else is loaded, and by names that old versions have too: those would end in an error that helps nobody.
const isOld = Number.parseInt(process.versions.node, 10) < 26 || !module.isBuiltin("node:sqlite");
const bundled = isOld ? findBundledNode() : undefined;
if (bundled !== undefined) {
  runOn(bundled);
} else if (isOld) {
  process.stderr.write(
    `tessera: Node 26 or newer with node:sqlite is needed, and this is Node ${process.versions.node}; ` +
      "install it from https://nodejs.org, or run npm start in a checkout, which brings its own\n",
  );
  process.exitCode = 2;
} else {
  // Compiled code is kept from start to start: that is most of a start (docs/performance.md). The folder is the package's own
  // and not the system's temporary one, where others could put code. The threads read the variable.
  const cache = fileURLToPath(new URL("../node_modules/.cache/tessera", import.meta.url));
  module.enableCompileCache(cache);
  process.env["NODE_COMPILE_CACHE"] ??= cache;

  const { run } = await import("./cli/run.ts");
  await run(process.argv.slice(2));
}
