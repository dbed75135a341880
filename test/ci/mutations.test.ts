/** The planted bugs of test/mutations/ can be planted: `.ci/run` tries three of them in each run. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { seeded } from "../support/seeded.ts";
import { applyBug, drawBugs, listBugs, readBug, ROOT, type PlantedBug } from "../mutations/planted.ts";

const bugs = listBugs();

/** The files of a patch, from the root of the repository, each with the lines that its hunks are put in place of. */
function hunksOf({ patch }: PlantedBug): { file: string; before: string }[] {
  return patch.split(/^(?=--- )/m).flatMap((part) => {
    const file = /^--- a\/(.+)$/m.exec(part)?.[1];
    if (file === undefined) return [];
    const hunks = part.split(/^@@.*\n/m).slice(1);
    return hunks.map((hunk) => ({ file, before: hunk.replaceAll(/^\+.*\n/gm, "").replaceAll(/^[ -]/gm, "") }));
  });
}

test("there are at least fifty planted bugs, each with a number of its own", () => {
  expect(bugs.length).toBeGreaterThanOrEqual(50);
  const numbers = bugs.map(({ name }) => /^\d{3}(?=-[a-z0-9-]+$)/.exec(name)?.[0]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(bugs.length);
});

describe.each(bugs)("planted bug $name", (bug) => {
  test("applies to the program as it is, in one place", () => {
    expect(applyBug(ROOT, bug, "try")).toBeUndefined();
    const hunks = hunksOf(bug);
    expect(hunks).not.toEqual([]);
    for (const { file, before } of hunks) {
      expect(file).toMatch(/^(?:(?:packages\/client|console)\/)?src\/(?!.*\.test\.ts$)/);
      const text = readFileSync(join(ROOT, file), "utf8");
      expect([file, text.split(before).length - 1]).toEqual([file, 1]);
    }
  });

  test("names a test file that there is", () => {
    expect(bug.test).toMatch(/\.test\.ts$/);
    expect(existsSync(join(ROOT, bug.test))).toBe(true);
  });
});

describe("a planted bug", () => {
  const patch = (line: string) =>
    `Breaks: a\nPromise: b\nCaught by: src/one.test.ts\n\n--- a/src/one.ts\n+++ b/src/one.ts\n@@ -2,3 +2,3 @@\n one\n-${line}\n+zwei\n three\n`;

  function treeWith(text: string): string {
    const tree = temporaryDirectory();
    mkdirSync(join(tree, "src"));
    writeFileSync(join(tree, "src/one.ts"), text);
    return tree;
  }

  test("is planted in a tree and taken out again, also where lines have moved", () => {
    const text = "zero\none\ntwo\nthree\n";
    const tree = treeWith(text);
    const bug = readBug("001-two", patch("two"));
    expect(bug).toMatchObject({ breaks: "a", promise: "b", test: "src/one.test.ts" });
    expect(applyBug(tree, bug, "try")).toBeUndefined();
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe(text);
    expect(applyBug(tree, bug, "apply")).toBeUndefined();
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe("zero\none\nzwei\nthree\n");
    expect(applyBug(tree, bug, "reverse")).toBeUndefined();
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe(text);
  });

  test("that lies inside of a repository's folder is planted there all the same", () => {
    const outer = treeWith("another\n");
    cpSync(join(ROOT, ".gitignore"), join(outer, ".gitignore"));
    const tree = join(outer, "tree");
    mkdirSync(join(tree, "src"), { recursive: true });
    writeFileSync(join(tree, "src/one.ts"), "one\ntwo\nthree\n");
    expect(applyBug(tree, readBug("001-two", patch("two")), "apply")).toBeUndefined();
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe("one\nzwei\nthree\n");
  });

  test("that does not apply any more is said to be renewed, by its name", () => {
    const tree = treeWith("one\nthree\n");
    for (const how of ["try", "apply"] as const) {
      expect(applyBug(tree, readBug("007-gone", patch("two")), how)).toMatch(
        /^007-gone\.patch does not apply any more: renew it, see CONTRIBUTING\.md \(.*src\/one\.ts/s,
      );
    }
    expect(readFileSync(join(tree, "src/one.ts"), "utf8")).toBe("one\nthree\n");
  });

  test.each(["Breaks", "Promise", "Caught by"])("has to say %s in its head", (label) => {
    const headless = patch("two").replace(`${label}: `, "It: ");
    expect(() => readBug("001-two", headless)).toThrow(`001-two.patch does not say "${label}: ..."`);
  });
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
