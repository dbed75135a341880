/** Incident 66: a record of the audit log is shown only after its hash fits, by every statement that reads its content. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Files that read the table in another way, by the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "src/records/retention.ts": "places and hashes of what is pruned",
  "src/records/days-store.ts": "days, outcomes, actions and numbers of denied requests, which are counted",
  "src/records/chains.ts": "whole chains, whose hashes the reader computes: sinks, verification, earlier permissions",
  "src/explain/effective/past/walk.ts": "the end of a chain, which is then read as a whole",
  "src/storage/clock/kept.ts": "one time, which a clock is compared with",
};

test("each statement reads the hash of the record before, and each record passes the comparison", () => {
  const readers = globSync("src/**/*.ts", { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => text.includes('selectFrom("audit_records")'));
  const checking = readers.filter(({ path }) => OTHERWISE[path] === undefined);
  expect(readers.length - checking.length).toBe(Object.keys(OTHERWISE).length);
  expect(checking.length).toBeGreaterThan(1);
  for (const { path, text } of checking) {
    const contents = text.split('.select(selectionOf("audit_records"))').slice(1);
    expect([path, contents.length > 0]).toEqual([path, true]);
    for (const rest of contents)
      expect([path, rest.trimStart()]).toEqual([
        path,
        expect.stringMatching(/^\.select\(hashBefore\.as\("before"\)\)/),
      ]);
    expect([path, text.match(/\bfittingRecord\(/g)?.length]).toEqual([path, contents.length]);
  }
  for (const { path, text } of readers)
    if (OTHERWISE[path] !== undefined)
      expect([path, text]).toEqual([path, expect.not.stringContaining('selectionOf("audit_records")')]);
});
