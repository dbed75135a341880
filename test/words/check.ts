/**
 * Holds the texts of the product against docs/style.md: `npm run check:words`. A finding of any rule fails the check; a comment
 * `words-ok: <reason>` excuses a line. `-- FILE...` prints the findings of these files only.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findingsIn, isError, type Finding } from "./patterns.ts";
import { textsOfDocument, textsOfProgram } from "./texts.ts";

const root = resolve(import.meta.dirname, "../..");
const IN = [
  "*.md",
  "docs/**/*.md",
  "packages/*/README.md",
  "console/README.md",
  "src/**/*.ts",
  "console/src/**/*.{ts,tsx}",
  "packages/client/src/*.ts",
  "packages/model/*.ts",
];
const WITHOUT = ["**/*.test.ts", "**/node_modules/**", "**/*.gen.ts", "docs/site/**"];

const named = process.argv.slice(2);
const files = globSync(IN, { cwd: root, exclude: WITHOUT }).toSorted();
const shown = named.length === 0 ? files : files.filter((each) => named.some((start) => each.startsWith(start)));
const found = shown.flatMap((file) => findingsOf(file).map((finding) => ({ file, ...finding })));
for (const { file, rule, line, words } of found) console.error(`${file}:${line} ${kindOf(rule)} ${rule}: ${words}`);
const errors = found.filter(({ rule }) => isError(rule)).length;
console.log(`${shown.length} files, ${errors} errors and ${found.length - errors} warnings`);
process.exitCode = found.length === 0 ? 0 : 1;

function findingsOf(file: string): Finding[] {
  const source = readFileSync(join(root, file), "utf8");
  const texts = file.endsWith(".md") ? textsOfDocument(source) : textsOfProgram(file, source);
  return texts.flatMap(findingsIn);
}

function kindOf(rule: string): "error" | "warning" {
  return isError(rule) ? "error" : "warning";
}
