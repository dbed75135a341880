import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { askEverything } from "../support/everything-served.ts";
import type { Document } from "../support/openapi-document.ts";
import { referencePages, referencePath, writeReference } from "../support/reference.ts";

const NAMES = ["options.md", "commands.md", "api.md", "errors.md", "limits.md", "metrics.md"];
let pages: Record<string, string> = {};

beforeAll(async () => {
  const { metrics, document } = await askEverything(temporaryDirectory());
  const answered = { metrics, document: JSON.parse(document) as Document };
  // For `npm run docs:reference`.
  if (process.env["TESSERA_TEST_WRITE_REFERENCE"] === "yes") writeReference(answered);
  pages = referencePages(answered);
}, 120_000);

describe("docs/reference", () => {
  it.each(NAMES)("is as the program is: %s", (name) => {
    // Else: npm run docs:reference
    expect(readFileSync(referencePath(name), "utf8")).toBe(pages[name]);
  });

  it("has all that there is", () => {
    expect(Object.keys(pages).toSorted()).toEqual(NAMES.toSorted());
  });

  it("leads to every option that sets a bound from the page of limits, too", () => {
    const limits = readFileSync(resolve(import.meta.dirname, "../../docs/limits.md"), "utf8");
    const bounds = [...(pages["limits.md"] ?? "").matchAll(/^\| `(--[a-z-]+)` \|/gm)].map(([, name = ""]) => name);
    expect(bounds.length).toBeGreaterThan(10);
    expect(bounds.filter((name) => !limits.includes(name))).toEqual([]);
  });

  it("has every number that the program gives a name to", () => {
    const root = resolve(import.meta.dirname, "../..");
    const sources = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
    const named = sources.flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return [...text.matchAll(/(?:gauges?|add|counters?)\(\s*(?:\w+,\s*)?"(tessera_\w+)"/g)].map(
        ([, name = ""]) => name,
      );
    });
    expect(named.length).toBeGreaterThan(20);
    const missing = [...new Set(named)].filter((name) => pages["metrics.md"]?.includes(`| \`${name}\` |`) !== true);
    expect(missing).toEqual([]);
  });
});
