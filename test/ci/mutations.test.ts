/** The planted bugs of test/mutations/ can be planted: `.ci/run` tries three of them in each run. */
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { MUTATIONS, mutate } from "../history/mutations.ts";
import { readBare, readCode } from "../mutations/code.ts";
import { edited, type Edit } from "../mutations/edits.ts";
import { followed, renamesOf } from "../mutations/moved.ts";
import { codeOf, drawBugs, listBugs, mutatedFiles, plantBug, readBug, ROOT } from "../mutations/planted.ts";
import { describeShare, shareOf } from "../mutations/share.ts";
import { describeRow, readTable, writeTable, type Row } from "../mutations/table.ts";
import { seeded } from "../support/seeded.ts";

const bugs = listBugs();
const read = codeOf(ROOT);
const folder = mkdtempSync(join(tmpdir(), "tessera-bugs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("there are at least 335 planted bugs, each with a number of its own", () => {
  expect(bugs.length).toBeGreaterThanOrEqual(335);
  const numbers = bugs.map(({ name }) => /^\d{3}(?=-[a-z0-9-]+$)/.exec(name)?.[0]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(bugs.length);
});

describe.each(bugs)("planted bug $name", (bug) => {
  test("applies to the program as it is, in one place, and changes it", () => {
    const files = mutatedFiles(bug, read);
    for (const [file, text] of files) {
      expect(file).toMatch(/^(?:(?:(?:packages\/client|console)\/)?src|packages\/model)\/(?!.*\.test\.ts$)/);
      expect(bare(file, text)).not.toBe(bare(file, read(file).text));
    }
  });

  test("names a test file that there is", () => {
    expect(bug.test).toMatch(/\.test\.ts$/);
    expect(existsSync(join(ROOT, bug.test))).toBe(true);
  });
});

test.each(Object.entries(MUTATIONS))(
  "the fault %s of the histories applies to the program as it is",
  (_name, fault) => {
    expect(mutate(readFileSync(join(ROOT, fault.file), "utf8"), fault)).toContain(fault.edits[0][1]);
  },
);

/** Code of a text without its comments: a changed comment is not a mistake. @throws Error when it is not TypeScript */
function bare(file: string, text: string): string {
  return readBare(file, text).replaceAll(/\s+/g, " ");
}

const SOURCE = `import { one } from "./one.ts";

/** Makes it. one() */
export const LIMITS = { most: 3, least: 1 };

export function createStore(db: Db) {
  const limit = LIMITS.most;
  return {
    // Not one(db).
    insert(row: Row) {
      return db.write(one(row), limit /* rows */);
    },
    remove: async (
      row: Row,
      isForced: boolean,
    ) => db.write(one(row), limit),
  };
}

class Cache {
  #kept = new Map();
  get size() { return this.#kept.size; }
  set size(value: number) { this.drop(value); }
  drop(most: number) { if (this.#kept.size > most) this.#kept.clear(); }
}

function twice(a: string): void;
function twice(a: number): void;
function twice(a: unknown) { one(a); }

if (LIMITS.most > 9) one(LIMITS);
`;

describe("an edit", () => {
  const code = readCode("a.ts", SOURCE);
  const edit = (within: string | undefined, from: string, to: string): Edit => ({ file: "a.ts", within, from, to });
  const at = (within: string | undefined, from: string) => edited(code, [edit(within, from, "HERE")]);

  test.each([
    ["a constant", "LIMITS", "most: 3"],
    ["a constant, its keywords included", "LIMITS", "export const LIMITS"],
    ["a function", "createStore", "limit = LIMITS.most"],
    ["a method that a function returns", "createStore.insert", "one(row)"],
    ["a function that is a member", "createStore.remove", "one(row)"],
    ["a method of a class", "Cache.drop", "this.#kept.clear()"],
    ["a private member", "Cache.#kept", "new Map()"],
    ["a function with several signatures", "twice", "one(a)"],
    ["what lies outside of all declarations", undefined, "one(LIMITS)"],
    ["an import", undefined, 'from "./one.ts"'],
  ])("is made in %s", (_, within, from) => {
    const text = at(within, from);
    expect(text).toContain("HERE");
    const [before = "", after = ""] = text.split("HERE");
    expect(before + from + after).toBe(SOURCE);
  });

  test.each([
    [
      "the lines are broken otherwise",
      "createStore.remove",
      "(row: Row, isForced: boolean) => db.write(one(row),\n limit)",
    ],
    ["a comment stands in between", "createStore.insert", "db.write(one(row), limit)"],
    ["it has a comma at its end, and the text has none", "LIMITS", "{ most: 3, least: 1, }"],
  ])("is made where %s", (_, within, from) => {
    expect(at(within, from)).toContain("HERE");
  });

  test("is made in a component and in functions within it", () => {
    const text = 'export const List = () => { const pick = () => go(1); return <p title="go(1)">// go(1)</p>; };';
    const tsx = readCode("a.tsx", text);
    expect(edited(tsx, [edit("List.pick", "go(1)", "go(2)")])).toBe(text.replace("go(1)", "go(2)"));
    expect(edited(tsx, [edit("List", "<p", "<b")])).toBe(text.replace("<p", "<b"));
    expect(edited(tsx, [edit("List", ">// go(1)", ">")])).toBe(text.replace("// go(1)", ""));
  });

  test.each([
    ["comments", "LIMITS", "one()", /a\.ts: this does not stand there: one\(\)/],
    ["parts of words", "createStore", "imit", /does not stand there/],
    [
      "other declarations, which it names",
      "LIMITS",
      "one(row)",
      /but in createStore\.remove, createStore\.insert, createStore\)/,
    ],
    [
      "what stands there twice",
      "createStore",
      "one(row)",
      /createStore of a\.ts: this stands there 2 times: one\(row\)/,
    ],
    ["what is declared twice", "Cache.size", "this", /declares Cache\.size 2 times; name what is around it/],
    ["what is not declared", "createStore.put", "one(a)", /declares no createStore\.put \(but in twice\): one\(a\)/],
    ["declarations when it names none", undefined, "limit", /outside of all declarations: this does not stand there/],
  ])("is not made in %s", (_, within, from, message) => {
    expect(() => at(within, from)).toThrow(message);
  });

  test("is made beside others of the same file, each of which sees it as it was", () => {
    const edits = [edit("LIMITS", "most: 3", "most: 1, least: 3"), edit("LIMITS", "least: 1", "")];
    expect(edited(code, edits)).toBe(SOURCE.replace("most: 3, least: 1", "most: 1, least: 3, "));
    expect(() => edited(code, [...edits, edit("LIMITS", "3, least", "")])).toThrow(/two edits are of the same text/);
  });
});

describe("a planted bug", () => {
  const TEXT = `breaks: a
promise: b
caught-by: src/one.test.ts
edits:
  - file: src/one.ts
    in: one
    from: |
      two(1);
    to: |
      two(2);
`;

  function treeWith(text: string): string {
    const tree = mkdtempSync(join(folder, "tree-"));
    mkdirSync(join(tree, "src"));
    writeFileSync(join(tree, "src/one.ts"), text);
    return tree;
  }

  test("is planted in a tree and taken out again", () => {
    const text = "// Moved.\nfunction one() { two(1); }\n";
    const tree = treeWith(text);
    const bug = readBug("001-two", TEXT);
    expect(bug).toMatchObject({ breaks: "a", promise: "b", test: "src/one.test.ts" });
    const takeOut = plantBug(tree, bug);
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe("// Moved.\nfunction one() { two(2); }\n");
    takeOut();
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe(text);
  });

  test("that does not apply any more is said to be renewed, by its name, and changes nothing", () => {
    const text = "function one() { two(3); }\n";
    const tree = treeWith(text);
    const more = `${TEXT}  - file: src/one.ts\n    in: one\n    from: two(3);\n    to: ""\n`;
    expect(() => plantBug(tree, readBug("007-gone", more))).toThrow(
      "007-gone does not apply any more: renew it, see CONTRIBUTING.md (one of src/one.ts: this does not stand there: two(1);)",
    );
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe(text);
  });

  test.each(["breaks", "promise", "caught-by", "edits", "file", "from", "to"])("has to say %s", (member) => {
    const without = TEXT.replace(new RegExp(`\\b${member}:`), "like:");
    expect(() => readBug("001-two", without)).toThrow(/^001-two\.yaml/);
  });

  test("may put nothing in place of a text", () => {
    expect(readBug("001-two", TEXT.replace("to: |\n      two(2);", 'to: ""')).edits[0]?.to).toBe("");
  });
});

describe("a file that moves", () => {
  const [first] = bugs;
  const text = `caught-by: src/a/b.test.ts\nedits:\n  - file: src/a/b.ts\n    from: |\n      src/a/b.ts\n`;

  test("is followed by the bugs that name it, alone or with its folder", () => {
    expect(followed(text, [["src/a/b.ts", "src/c.ts"]])).toBe(text.replace("file: src/a/b.ts", "file: src/c.ts"));
    expect(followed(text, [["src/a", "src/z"]])).toBe(
      text.replace("src/a/b.test.ts", "src/z/b.test.ts").replace("file: src/a", "file: src/z"),
    );
    expect(followed(text, [["src/a/b", "src/c"]])).toBe(text);
    const real = readFileSync(join(ROOT, "test/mutations/bugs", `${first?.name}.yaml`), "utf8");
    const moved = followed(real, [["src", "lib"]]);
    expect(readBug("001-moved", moved).edits[0]?.file).toBe(`lib${first?.edits[0]?.file.slice("src".length)}`);
    expect(readBug("001-moved", moved).test).toBe(`lib${first?.test.slice("src".length)}`);
  });

  test("is read of what git says", () => {
    const status = ["R100", "src/a.ts", "src/b.ts", "M", "src/c.ts", "R087", "d.ts", "e.ts", ""].join("\0");
    expect(renamesOf(status)).toEqual([
      ["src/a.ts", "src/b.ts"],
      ["d.ts", "e.ts"],
    ]);
  });
});

describe("the table of planted bugs", () => {
  const cell = (verdict: "yes" | "no" | "-", seconds: number) => ({ verdict, seconds });
  const row = (name: string, finder?: string): Row => ({
    name,
    file: "src/one.test.ts",
    cells: { sqlite: cell("no", 12.5), postgres: cell(finder === undefined ? "no" : "yes", 20), whole: cell("-", 0) },
    test: finder,
  });

  test("is read again as it was written, in order of the names", () => {
    const path = join(folder, "table.tsv");
    expect(readTable(path)).toEqual([]);
    const rows = [row("002-two", "postgres > one > says two"), row("001-one")];
    writeTable(path, rows);
    expect(readTable(path)).toEqual(rows.toReversed());
    expect(describeRow(row("002-two", "x"))).toBe(
      "caught 002-two: sqlite no in 12.5 s, postgres yes in 20.0 s: src/one.test.ts",
    );
  });

  test("is not taken for another file's", () => {
    const path = join(folder, "other.tsv");
    writeFileSync(path, "bug\n");
    expect(() => readTable(path)).toThrow("is no table of planted bugs");
  });
});

test("at least 95 % of the planted bugs are found by test files that npm test runs", () => {
  const { all, quick, others } = shareOf(bugs, readTable(join(ROOT, "test/mutations/table.tsv")));
  expect(quick / all, JSON.stringify([...others])).toBeGreaterThanOrEqual(0.95);
});

test("a bug that only another group finds, or only PostgreSQL in the matrix, is named with the group", () => {
  const bug = (name: string, file: string) => ({ name, test: file, breaks: "", promise: "", edits: [] });
  const cell = (verdict: "yes" | "no" | "-") => ({ verdict, seconds: 1 });
  const cells = { sqlite: cell("no"), postgres: cell("yes"), whole: cell("-") };
  const some = [bug("001-a", "src/a.test.ts"), bug("002-b", "test/faults/b.test.ts"), bug("003-c", "src/c.test.ts")];
  const share = shareOf(some, [{ name: "003-c", file: "src/c.test.ts", cells, test: "c" }]);
  expect(describeShare(share)).toBe(
    "npm test runs the test files of 1 of 3 planted bugs (33.3 %)\nfaults: 002-b\nmatrix: 003-c\n" +
      "without a row in the table: 001-a, 002-b",
  );
});

describe("what is drawn", () => {
  const names = (count: number, seed: number) => drawBugs(bugs, count, seeded(seed)).map(({ name }) => name);

  test("is the same for a seed, and as many different ones as asked for", () => {
    expect(names(3, 7)).toEqual(names(3, 7));
    expect(new Set(names(3, 7)).size).toBe(3);
    expect(names(bugs.length + 1, 7)).toEqual(bugs.map(({ name }) => name));
  });

  test("comes to all of them, by one seed or another", () => {
    const drawn = new Set(Array.from({ length: 3000 }, (_, seed) => names(3, seed)).flat());
    expect(drawn.size).toBe(bugs.length);
  });
});
