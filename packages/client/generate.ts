/**
 * Writes `src/operations.ts`, the table of all operations, from the document of this checkout's server: `npm run
 * generate:client`. With a file as argument, from that document.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchDocument } from "./fetch-document.ts";
import { operationsText } from "./operations-text.ts";

const [file] = process.argv.slice(2);
const document = JSON.parse(file === undefined ? await fetchDocument() : readFileSync(file, "utf8")) as object;
writeFileSync(join(import.meta.dirname, "src/operations.ts"), operationsText(document));
