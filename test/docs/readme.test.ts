/** Facts of the README; `pages.test.ts` runs its blocks. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README", () => {
  it("names the two commands", () => {
    expect(readme).toContain("\nnpm ci && npm start\n```\n");
    for (const command of ["npm ci && npm start", "npm ci && npm test"])
      expect(readme).toContain(`\n| \`${command}\` |`);
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

  it("has a source for each cell of the comparison", () => {
    const sources = new Map(
      [...readme.matchAll(/^\[([^\]]+)\]: (https:\/\/\S+)$/gm)].map(([, name, url]) => [name, url]),
    );
    const [, rows = ""] = /^\| \| Tessera \|[^\n]*\n\|[^\n]*\n(.*?)\n\n/ms.exec(readme) ?? [];
    const cells = rows.split("\n").flatMap((row) =>
      row
        .split(" | ")
        .slice(1)
        .map((cell) => cell.replace(/ \|$/, "")),
    );
    expect(cells.length).toBeGreaterThan(40);
    const sourced = (cell: string) =>
      /^\[[^\]]+\]\([^)]+\)$/.test(cell) || sources.has(/^\[[^\]]+\]\[([^\]]+)\]$/.exec(cell)?.[1]);
    expect(cells.filter((cell) => !sourced(cell))).toEqual([]);
    expect(
      [...sources.keys()].filter((name) => !readme.includes(`][${name}]`) && !readme.includes(`[${name}][`)),
    ).toEqual([]);
  });

  it("links to files that exist", () => {
    for (const [, target = ""] of readme.matchAll(/\]\(([^)#]+)\)/g)) {
      if (target.startsWith("https://")) continue;
      expect(() => readFileSync(join(root, target)), target).not.toThrow(/ENOENT/);
    }
  });
});
