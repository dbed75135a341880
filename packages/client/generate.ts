/**
 * Writes what of the client follows from the document of this checkout's server: the table of operations and their types (`npm
 * run generate:client`). With a file as argument, from that document.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchDocument } from "./fetch-document.ts";
import { operationsText } from "./operations-text.ts";
import { typesText } from "./types-text.ts";

const [file] = process.argv.slice(2);
const document = JSON.parse(file === undefined ? await fetchDocument() : readFileSync(file, "utf8")) as object;
const source = join(import.meta.dirname, "src");
writeFileSync(join(source, "operations.ts"), operationsText(document));
writeFileSync(join(source, "types.gen.ts"), typesText(document));
