import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const glossary = readFileSync(join(repository, "docs/glossary.md"), "utf8");
const terms = readFileSync(join(repository, "docs/source-terms.md"), "utf8");
const files = globSync("src/**/*.ts", { cwd: repository }).filter((path) => !path.endsWith(".test.ts"));

/** The words of the first column of the table behind a heading, without what stands in brackets. */
function wordsBehind(heading: string): { word: string; isOfFiles: boolean }[] {
  const table = terms
    .slice(terms.indexOf(heading))
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return table.slice(2).flatMap((line) => {
    const cell = line.split("|")[1] ?? "";
    const words = cell.replace(/\(.*\)/, "").split(",");
    return words.map((word) => ({ word: word.trim(), isOfFiles: cell.includes("a file's name") }));
  });
}

/** Names that a file defines, its own among them, each as words in lower case with hyphens between. */
function namesOf(path: string): { file: string; defined: string[] } {
  const text = readFileSync(join(repository, path), "utf8");
  const defined = Array.from(
    text.matchAll(/^\s*(?:export )?(?:async )?(?:function\*?|const|let|interface|type|class) ([A-Za-z_$][\w$]*)/gm),
    ([, name = ""]) => hyphened(name),
  );
  return { file: basename(path, ".ts"), defined };
}

function hyphened(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

const banned = wordsBehind("## Words that are not used");
const named = files.map((path) => ({ path, ...namesOf(path) }));

test("there are words that are not used, and names to look at", () => {
  expect(banned.map(({ word }) => word)).toContain("reaper");
  expect(named.flatMap(({ defined }) => defined).length).toBeGreaterThan(2000);
});

test.each(banned)("nothing is called $word", ({ word, isOfFiles }) => {
  const pattern = new RegExp(isOfFiles ? `^${word}$` : `(^|-)${hyphened(word)}s?(-|$)`);
  const found = named.flatMap(({ path, file, defined }) =>
    [file, ...(isOfFiles ? [] : defined)].filter((name) => pattern.test(name)).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

test.each([
  { of: "the glossary", page: glossary },
  {
    of: "the terms in the source",
    page: terms.slice(terms.indexOf("## Terms\n"), terms.indexOf("## Words that are not used")),
  },
])("each word of $of has one row", ({ page }) => {
  const words = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[1]?.trim());
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});
