/**
 * Holds the texts of the product against docs/style.md: `npm run check:words`. Each file may have as many findings of a rule
 * as ceilings.json allows, which may only fall; a file that is not there may have none.
 *
 *   -- FILE...     prints all findings of these files
 *   -- --update    lowers the ceilings to what is there
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findingsIn, isError, type Finding } from "./patterns.ts";
import { textsOfDocument, textsOfProgram } from "./texts.ts";

type Ceilings = Record<string, Record<string, number>>;

const root = resolve(import.meta.dirname, "../..");
const CEILINGS = join(root, "test/words/ceilings.json");
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: "boolean", default: false } },
});
const files = globSync(IN, { cwd: root, exclude: WITHOUT }).toSorted();
process.exitCode = positionals.length > 0 ? show() : compare();

function findingsOf(file: string): Finding[] {
  const source = readFileSync(join(root, file), "utf8");
  const texts = file.endsWith(".md") ? textsOfDocument(source) : textsOfProgram(file, source);
  return texts.flatMap(findingsIn);
}

function show(): number {
  for (const file of files.filter((each) => positionals.some((given) => each.startsWith(given)))) {
    for (const { rule, line, words } of findingsOf(file)) {
      console.log(`${file}:${line} ${isError(rule) ? "error" : "warning"} ${rule}: ${words}`);
    }
  }
  return 0;
}

function compare(): number {
  // Without the file, as at the first time, all that is there is allowed.
  const allowed = existsSync(CEILINGS) ? (JSON.parse(readFileSync(CEILINGS, "utf8")) as Ceilings) : undefined;
  const lowered: Ceilings = {};
  let refused = 0;
  for (const file of files) {
    const byRule = Map.groupBy(findingsOf(file), ({ rule }) => rule);
    for (const [rule, findings] of [...byRule].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const most = allowed === undefined ? Infinity : (allowed[file]?.[rule] ?? 0);
      (lowered[file] ??= {})[rule] = Math.min(most, findings.length);
      if (findings.length <= most) continue;
      refused += 1;
      console.error(`${file}: ${findings.length} of ${rule}, and ${most} at most`);
      for (const { line, words } of findings) console.error(`  ${file}:${line} ${words}`);
    }
  }
  if (values.update) writeFileSync(CEILINGS, `${JSON.stringify(lowered, undefined, 2)}\n`);
  const left = Object.values(lowered).flatMap((rules) => Object.entries(rules));
  const sum = (some: [string, number][]) => some.reduce((total, [, count]) => total + count, 0);
  console.log(
    `${sum(left.filter(([rule]) => isError(rule)))} errors and ${sum(left.filter(([rule]) => !isError(rule)))} warnings are left`,
  );
  return refused === 0 ? 0 : 1;
}
