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

test("a token ends with each of its endings, a rotation among them, and with no other action", async () => {
  const actions = ["delete", "revoke", "expire", "logout", "rotate", "update", "create", "login", "enable"];
  const found = await foundIn(...actions.map((action) => ({ kind: "token", id: action, action })));
  expect([...found.ids.tokens]).toEqual(["delete", "revoke", "expire", "logout", "rotate"]);
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

test("a token that was disabled and not enabled since is known", async () => {
  const token = (id: string, action: string) => ({ kind: "token", id, action });
  const found = await foundIn(
    token("off", "disable"),
    token("on", "disable"),
    token("on", "enable"),
    token("again", "enable"),
    token("again", "disable"),
    { ...token("refused", "disable"), outcome: "refused" },
  );
  expect([...found.disabled]).toEqual(["off", "again"]);
});

test("an object that was restored from the trash after its deletion is told as changed, a token stays ended", async () => {
  const record = (kind: string, id: string, action: string, seq?: number) => ({ kind, id, action, seq });
  const found = await foundIn(
    record("policy", "back", "delete", 1),
    record("policy", "back", "restore", 2),
    record("role", "gone", "delete", 3),
    record("role", "gone", "restore", 4),
    record("role", "gone", "delete", 5),
    // The older file comes last.
    record("binding-rule", "late", "delete", 9),
    record("binding-rule", "late", "delete", 6),
    record("binding-rule", "late", "restore", 7),
    record("policy", "unnumbered", "delete"),
    record("policy", "unnumbered", "restore", 8),
    record("token", "t", "delete", 10),
    record("token", "t", "restore", 11),
    record("auth-method", "m", "delete", 12),
    record("auth-method", "m", "restore", 13),
  );
  const ended = Object.values(found.ids).flatMap((ids) => [...ids]);
  expect(ended).toEqual(["t", "unnumbered", "gone", "m", "late"]);
  expect(stillChanged(found)).toEqual(["back"]);
});
