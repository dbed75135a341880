/** Incident 63: rows that are removed for their age are removed by the trusted clock, and none while that is in doubt. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((path) => !path.endsWith(".test.ts") && path !== "src/storage/operator/removal.ts")
  .map((path) => readFileSync(join(root, path), "utf8"));

/** Removals that a server starts without the clock, by the reason. */
const WITHOUT_AGE: Readonly<Record<string, string>> = {
  dependantsOfDeleted: "rows of deleted organizations and workspaces",
  recountObjects: "it compares numbers and removes nothing",
  openRevocations: "a caller asked for them, by a filter with a time of its own",
  removal: "rows of namespaces, partitions and auth methods that were deleted",
};
const HELD = "clock.holding";

test("each removal is held while the clock is in doubt, or removes nothing for its age", () => {
  const started = sources.flatMap((text) =>
    [...text.matchAll(/\bstartRemoval\(\s*\w+,\s*([\w.]+)/g)].map(([, what = ""]) => what),
  );
  expect(started.filter((what) => what === HELD)).toHaveLength(2);
  // A constant that has what `recountObjects` returns.
  const others = started.filter((what) => what !== HELD).map((what) => (what === "recount" ? "recountObjects" : what));
  expect(others.toSorted()).toEqual(Object.keys(WITHOUT_AGE).toSorted());
});

test("all that are held go by the trusted clock", () => {
  const removals = readFileSync(join(root, "src/cli/removals.ts"), "utf8");
  const held = [...removals.matchAll(/\bremoving\((\w+)\(([^()]*)\)/g)].map(([, name = "", given = ""]) => [
    name,
    given,
  ]);
  for (const [name, given] of held) expect([name, given?.split(", ").at(-1)]).toEqual([name, "clock.now"]);
  const output = readFileSync(join(root, "src/audit/output.ts"), "utf8");
  expect(output).toMatch(/\bnow: clock\.pruningNow,/);
  const made = sources.flatMap((text) => [...text.matchAll(/^export function (\w+)\([^{]*\): Removal\b/gm)]);
  const known = ["oldAuditRecords", ...held.map(([name]) => name), ...Object.keys(WITHOUT_AGE)];
  expect(made.length).toBeGreaterThan(10);
  expect(made.map(([, name]) => name).filter((name) => !known.includes(name))).toEqual([]);
});
