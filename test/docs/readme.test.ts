/** Facts of the README; `pages.test.ts` runs its blocks. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README", () => {
  it("names the two commands", () => {
    expect(readme).toContain("npm ci && npm start\nnpm ci && npm test\n");
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    expect(scripts).toMatchObject({
      start: "exec node src/main.ts serve",
      test: "node test/run.ts",
    });
  });

  it("can be read in a few minutes", () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
    expect(readme.split("\n").length).toBeLessThanOrEqual(150);
  });

  it("is followed by a changelog of one screen, a line for each change", () => {
    const [, unreleased = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
    const entries = unreleased.split("\n").filter((line) => line !== "" && !/^(?:Unreleased|### )/.test(line));
    expect(entries.filter((line) => !line.startsWith("- ") || line.length > 160)).toEqual([]);
    expect(entries.length).toBeLessThanOrEqual(40);
  });

  it("links to files that exist", () => {
    for (const [, target = ""] of readme.matchAll(/\]\(([^)#]+)\)/g)) {
      if (target.startsWith("https://")) continue;
      expect(() => readFileSync(join(root, target)), target).not.toThrow(/ENOENT/);
    }
  });
});
