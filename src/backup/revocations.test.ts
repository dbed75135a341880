import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { AUDITED, CHANGE_KINDS } from "../tags/changes/record.ts";
import { noRevocations, readRevocations, type Revocations, stillChanged } from "./revocations.ts";

const AT = "2026-03-01T00:00:00.000Z";

/** Reads the revocations from a file of these records. */
async function foundIn(...records: object[]): Promise<Revocations> {
  const file = join(temporaryDirectory(), "audit.jsonl");
  writeFileSync(file, records.map((record) => `${JSON.stringify({ at: AT, outcome: "done", ...record })}\n`).join(""));
  const found = noRevocations();
  await readRevocations(file, AT, new Map(), found);
  return found;
}

test.each(CHANGE_KINDS)("incident 65: each action after which a %s is gone is known, and no other", async (kind) => {
  const found = await foundIn(...Object.entries(AUDITED).map(([id, action]) => ({ kind, id, action })));
  expect([[...found.deleted[kind]], [...found.merged[kind]]]).toEqual([["deleted"], ["merged"]]);
});

test("incident 65: what was changed of namespaces and partitions is told, unless they are gone", async () => {
  const change = { action: "update", partition: "ops" };
  const found = await foundIn(
    { kind: "namespace", id: "team", ...change },
    { kind: "namespace", id: "gone", ...change },
    { kind: "namespace", id: "gone", partition: "ops", action: "delete" },
    { kind: "partition", id: "ops", ...change },
    { kind: "tag-policy", id: "org-1", ...change },
    { kind: "reserved-tag-key", id: "key-1", ...change },
    { kind: "policy", id: "p", ...change },
    { kind: "workspace", id: "w", ...change },
    { kind: "namespace", id: "refused", ...change, outcome: "refused" },
  );
  expect(stillChanged(found).sort()).toEqual([
    'namespace "ops/team"',
    "p",
    'partition "ops"',
    'reserved-tag-key "key-1"',
    'tag-policy "org-1"',
  ]);
});
