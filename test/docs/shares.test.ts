/** Incident 69: whatever callers share has a share for each, and docs/limits.md shows all of it. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { POOLS } from "../../src/pools.ts";
import { OF_ONE } from "./sizes-of-one.ts";
import { NOT_SHARED, OF_POOLS } from "./sizes.ts";

const repository = resolve(import.meta.dirname, "../..");
const sources = globSync("src/**/*.ts", { cwd: repository })
  .filter((path) => !path.endsWith(".test.ts") && path !== "src/pools.ts")
  .map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));

/** Refused for how often, or for how many there are in the database: nothing that is used up and given back. */
const RATES_AND_TOTALS = [
  "src/acl/idempotency.ts",
  "src/acl/login/service.ts",
  "src/acl/tokens/bootstrap-routes.ts",
  "src/console/sign-in.ts",
  // Says only what others do.
  "src/limits/rate-limits.ts",
];
/** Files that count against a bound by hand: work beyond it is done another way, and refused to no caller. */
const COUNTED_BY_HAND = [
  // In front of it is a pool, or each key has one of its own.
  "src/limits/lane.ts",
  // A limit for one connection; all connections share a pool.
  "src/http/receiving/pipelining.ts",
  // Uses beyond the bound are noted at their next use.
  "src/acl/sessions/activity.ts",
  "src/acl/tokens/uses.ts",
  // A caller that is behind reads by itself.
  "src/http/v1/reads/shared-lists.ts",
  // Elements of one document, and milliseconds.
  "src/identities/aws-iam/xml.ts",
  "src/work-places.ts",
];

const usesPool = (text: string): boolean => /create(?:Pool|OwnedLane|Lanes?|WaitingRoom)\(/.test(text);

test("the table has a row for each resource that callers share, and no other", () => {
  const page = readFileSync(join(repository, "docs/limits.md"), "utf8");
  const [, section = ""] = page.split("## Shared resources\n");
  const [own = ""] = section.split("\n## ");
  const rows = own
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  expect(rows).toEqual(
    Object.values(POOLS).map(({ resource, forAll, kept }) => `| ${resource} | ${forAll} | ${kept} |`),
  );
});

test("each of them is kept by something, and each keeps something for others", () => {
  for (const [name, { kept }] of Object.entries(POOLS)) {
    const isNamed = sources.some(({ text }) => text.includes(`"${name}"`) || text.includes(`POOLS.${name}.`));
    expect([name, isNamed, kept.length > 0]).toEqual([name, true, true]);
  }
});

test("whatever refuses because others are served has a pool", () => {
  const refusing = sources.filter(({ text }) =>
    /(?:AppError|super)\(\s*"rate_limited"|code: "rate_limited"|"[Tt]oo (?:many|much) [^"]*(?:wait|made|received|under way|looked up|answered)/.test(
      text,
    ),
  );
  expect(refusing.length).toBeGreaterThan(8);
  const without = refusing.filter(({ text }) => !usesPool(text) && !text.includes("poolRefusalText("));
  // A lane or a list of its own kind, whose pool is in the file that makes it.
  const named = without.filter(({ text }) => !/create(?:KeptLists|OwnedLane|Lanes)\b/.test(text));
  expect(named.map(({ path }) => path).toSorted()).toEqual(RATES_AND_TOTALS);
});

test("nothing that is under way or waits is counted against a bound by hand", () => {
  const counting = sources.filter(({ text }) =>
    /\b(?:waiting|running|open|held|used|pending|active|inFlight|places)(?:\.size|\.length)?(?: \+ \w+)? >=? (?:[A-Z][A-Z_]{3,}|limit|most\w*|max\w*)\b/.test(
      text,
    ),
  );
  expect(counting.map(({ path }) => path).toSorted()).toEqual(COUNTED_BY_HAND.toSorted());
});

/** Run by one person for themselves. */
const COMMANDS = /^src\/(?:cli\/client|cli\/commands|declared|policy-tests)\//;
const SIZE = /^(?:export )?const ((?:MOST|MAX)(?:_[A-Z_]+)?|WAITING|(?:LIST_)?PLACES|EXPORTS|RUNNING|REMEMBERED)\b/gm;

const sizesOf = (text: string): string[] => [...text.matchAll(SIZE)].map(([, name = ""]) => name);
const namesIn = (list: Readonly<Record<string, string>>): string[] =>
  Object.entries(list).flatMap(([path, names]) => names.split(" ").map((name) => `${path} ${name}`));

test("every size of a module is one of a pool, or is named with the reason why it is none", () => {
  const ofServer = sources.filter(({ path }) => !COMMANDS.test(path));
  const sizes = ofServer.flatMap(({ path, text }) => sizesOf(text).map((name) => `${path} ${name}`));
  const named = [...Object.keys(OF_POOLS), ...[OF_ONE, ...NOT_SHARED].flatMap(namesIn)];
  expect(new Set(named).size).toBe(named.length);
  expect(named.toSorted()).toEqual(sizes.toSorted());
});

test("what is said to be of a pool is in a module that names the pool", () => {
  for (const [size, pool] of Object.entries(OF_POOLS)) {
    const text = sources.find(({ path }) => path === size.split(" ")[0])?.text ?? "";
    const isNamed = text.includes(`"${pool}"`) || text.includes(`POOLS.${pool}.`);
    // It is made from these bounds by its own module.
    const isGiven = pool === "exports" && text.includes("createOpenExports(EXPORTS)");
    expect([size, isNamed || isGiven]).toEqual([size, true]);
  }
});

test("what outlives requests is not said to be of one of them", () => {
  // A size that a cache or a list of a module, a factory or a class has.
  const holding = sources.filter(({ path, text }) => {
    const names = OF_ONE[path]?.split(" ") ?? [];
    return names.some((name) => new RegExp(`LRUCache<[^;]*\\b(?:max|maxSize): ${name}\\b`).test(text));
  });
  expect(holding.map(({ path }) => path)).toEqual([]);
});
