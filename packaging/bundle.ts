/**
 * Makes one bundle of the program and of the libraries that it uses: most of a start from 700 files is the search for them. It
 * is what is published, what most tests start, and what the benchmarks measure. See decision 24.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { installedScript } from "../src/http/docs/script.ts";

const root = resolve(import.meta.dirname, "..");

/** Entry points other than the main file that the program starts by path: threads, and child processes of SQLite. */
const ENTRIES = {
  "read-worker": "src/read-worker.ts",
  "checkpoint-worker": "src/storage/sqlite/checkpoint-worker.ts",
  "wal-sync-worker": "src/storage/sqlite/wal-sync-worker.ts",
  "quick-check-process": "src/storage/sqlite/quick-check-process.ts",
};

/**
 * Writes the bundle below a folder: `main.js`, `program/` with all else of the program, and `docs/` for browsers. Names are kept and nothing is shortened, so that
 * a stack names functions as the source does.
 *
 * @returns names of the libraries that are in it
 */
export async function bundle(folder: string): Promise<Set<string>> {
  const made = await rolldown({
    cwd: root,
    platform: "node",
    input: { main: "src/main.ts", ...ENTRIES },
    // An optional native addon of `pg`, which is not used.
    external: [/^node:/, "pg-native"],
    plugins: [{ name: "http without all of it", resolveId: asHttp, load: (id) => (id === HTTP ? HTTP_TEXT : null) }],
    logLevel: "silent",
  });
  const { output } = await made.write({
    dir: folder,
    format: "esm",
    // Threads are found beside the file that starts them, and the manifest two folders above the one that reads it.
    entryFileNames: ({ name }) => (name === "main" ? "main.js" : "program/[name].js"),
    chunkFileNames: "program/[name]-[hash].js",
  });
  await made.close();
  // Read by its path and run by browsers: no part of the program.
  mkdirSync(join(folder, "docs"), { recursive: true });
  writeFileSync(join(folder, "docs/redoc.js"), installedScript());
  const licences = "redoc.standalone.js.LICENSE.txt";
  copyFileSync(join(root, "node_modules/redoc/bundles", licences), join(folder, "docs", licences));
  const files = output.flatMap((each) => (each.type === "chunk" ? each.moduleIds : []));
  return new Set(files.flatMap((file) => libraryOf(file.slice(join(root, "/").length)) ?? []));
}

const HTTP = "\0node:http";

/**
 * Replaces the module `node:http` by its required members. An import of the module makes Node read all members, and
 * some load an unused client: 3 MB, and a tenth of the startup time. A member that is missing here fails the build.
 */
const HTTP_TEXT = `const http = process.getBuiltinModule("node:http"); export const { Server, request } = http;`;

function asHttp(id: string, _importer: string | undefined, { kind }: { kind: string }): string | null {
  return id === "node:http" && kind === "import-statement" ? HTTP : null;
}

/** The folder of the library that a file is of, such as `node_modules/pg`. */
function libraryOf(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}
