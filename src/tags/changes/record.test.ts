import { expect, test } from "vitest";
import { tagNames, ids, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeCounter, openForTest } from "../../../test/support/storage.ts";
import { AppError } from "../../errors.ts";
import type { AuditEntry, Database, Transaction } from "../../storage/database.ts";
import { CHANGES_PER_INDEX } from "./position.ts";
import { recordChange, recordChanges, type RecordedChange } from "./record.ts";

const AUTHOR = { actor: { accessorId: "one" }, requestId: "req-1", now: () => Date.UTC(2026, 0, 2) };

function change(objectId: string): RecordedChange {
  return { organizationId: "org", kind: "tag", objectId, name: objectId, action: "created", details: { objectId } };
}

/** The records of an organization in the order of their positions. */
function records(db: Database, organization: string) {
  return db.sql
    .selectFrom("changes")
    .selectAll()
    .where("organization_id", "=", organization)
    .orderBy("position")
    .execute();
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  test("records stand in the order of commits, and within a transaction in that of their making", async () => {
    const db = await openForTest(await makeUrl());
    const counter = await makeCounter(db, "organization", "org");
    const indexes = await Promise.all(
      Array.from({ length: 40 }, (_, round) =>
        db.inTransaction(counter, async (tx) => {
          if (round % 8 === 7) {
            await recordChange(tx, AUTHOR, change(`refused-${round}`));
            throw new AppError("conflict", "refused");
          }
          await Promise.all([0, 1, 2].map((each) => recordChange(tx, AUTHOR, change(`${round}-${each}`))));
          return { round, index: await tx.index() };
        }),
      ).map((made) => made.catch(() => undefined)),
    );
    const made = indexes.flatMap((each) => each ?? []).toSorted((one, other) => one.index - other.index);
    expect(made).toHaveLength(35);
    expect((await records(db, "org")).map(({ position, name }) => [position, name])).toEqual(
      made.flatMap(({ round, index }) =>
        [0, 1, 2].map((each) => [index * CHANGES_PER_INDEX + each, `${round}-${each}`]),
      ),
    );
  });

  test("what is done to tags of the pool is on record, with who did it", async () => {
    const org = await api.organization();
    const id = (await api.get(`/organizations/${org}`)).body.data.attributes["external-id"];
    const created = await api.post(`/organizations/${org}/tags`, tagNames("a", "b"));
    const [a, b] = created.body.data.map((tag: { id: string }) => tag.id);
    await api.post(`/organizations/${org}/tags`, tagNames("a"));
    const rename = (name: string) => api.patch(`/tags/${a}`, { data: { type: "tags", attributes: { name } } });
    await rename("c");
    await rename("c");
    expect((await rename("b")).status).toBe(422);
    expect((await api.delete(`/organizations/${org}/tags`, ids("tags", [a, "tag-none"]))).status).toBe(404);
    await api.delete(`/organizations/${org}/tags`, ids("tags", [b, a]));
    const found = await records(api.db, id);
    const shown = found.map(({ action, object_id, name, details }) => [action, object_id, name, JSON.parse(details)]);
    expect(shown.slice(0, 3)).toEqual([
      ["created", a, "a", { name: "a" }],
      ["created", b, "b", { name: "b" }],
      ["renamed", a, "a", { from: "a", to: "c" }],
    ]);
    expect(new Map(shown.slice(3).map(([action, object, ...rest]) => [`${action} ${object}`, rest]))).toEqual(
      new Map([
        [`deleted ${b}`, ["b", { name: "b" }]],
        [`deleted ${a}`, ["c", { name: "c" }]],
      ]),
    );
    for (const record of found) {
      expect(record).toMatchObject({
        kind: "tag",
        accessor_id: "root",
        job_id: "",
        request_id: expect.stringMatching(/./),
      });
      expect(new Date(record.at).toISOString()).toBe(record.at);
    }
  });
});

test("records of several objects say of each how it changes", async () => {
  const entries: AuditEntry[] = [];
  const written: unknown[] = [];
  const tx = {
    index: () => Promise.resolve(1),
    write: (_query: unknown, values: unknown) => void written.push(values),
    record: (entry: AuditEntry) => void entries.push(entry),
  } as unknown as Transaction;
  const [one, other] = [
    { tags: { added: [{ id: "tag-1", name: "a" }] } },
    { tags: { removed: [{ id: "t", name: "b" }] } },
  ];
  const of = (name: string, details: object) =>
    ({ ...change(name), action: "tags-changed", details }) as RecordedChange;
  await recordChanges(tx, AUTHOR, [of("x", one), of("y", one), of("z", other)]);
  expect(entries.map(({ name, detail }) => [name, detail?.["details"]])).toEqual([
    ["x", one],
    ["y", one],
    ["z", other],
  ]);
  expect(written.flat()).toEqual(expect.arrayContaining(["x", "y", "z", JSON.stringify(one), JSON.stringify(other)]));
});

test("a transaction makes 65,536 records and no more", async () => {
  // One that is held open for so many would be in the way of others.
  const tx = {
    index: () => Promise.resolve(1),
    write: () => undefined,
    record: () => undefined,
  } as unknown as Transaction;
  const made = Array.from({ length: CHANGES_PER_INDEX }, () => recordChange(tx, AUTHOR, change("a")));
  await Promise.all(made);
  await expect(recordChange(tx, AUTHOR, change("b"))).rejects.toThrow(RangeError);
});
