import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { refusalOf, refusalsIn } from "../../../test/support/refusals.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { countByDay } from "../../records/days-store.ts";

interface Day {
  Day: string;
  Writes: number;
  Logins: number;
  Refusals: number;
}

const TODAY = new Date().toISOString().slice(0, 10);
const DAY = 86_400_000;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const days = async (query = "", token?: string) => {
    const { status, body, text } = await v1.get(`/audit/days${query}`, token);
    expect(status, text).toBe(200);
    return (body as { Days: Day[] }).Days;
  };
  const writesOf = (all: readonly Day[], day: string) => all.find((each) => each.Day === day)?.Writes ?? 0;

  test("changes are counted on their day of UTC, for thirty days to today", async () => {
    await v1.policy("", v1.unique("made"));
    // Records have the time of the machine: the clock of the request moves instead.
    v1.setNow(Date.parse(TODAY) + 29 * DAY);
    const all = await days();
    expect(all).toHaveLength(30);
    expect(all.map(({ Day }) => Day)).toEqual(all.map(({ Day }) => Day).toSorted());
    expect(all[0]?.Day).toBe(TODAY);
    expect(writesOf(all, TODAY)).toBeGreaterThanOrEqual(1);
    v1.setNow(Date.parse(TODAY) + 30 * DAY);
    expect((await days()).every(({ Writes, Logins, Refusals }) => Writes + Logins + Refusals === 0)).toBe(true);
    v1.setNow(Date.parse(TODAY));
  });

  test("who may read one namespace counts the records of that namespace alone", async () => {
    const namespace = v1.unique("counted");
    await makeNamespace(v1, { namespace });
    const reader = await secretIn(v1, { namespace }, `acl = "read"`);
    const before = writesOf(await days(`?ns=${namespace}`, reader), TODAY);
    await v1.policy("", v1.unique("elsewhere"));
    expect(writesOf(await days(`?ns=${namespace}`, reader), TODAY)).toBe(before);
    expect(writesOf(await days("?ns=*", reader), TODAY)).toBe(before);
    expect(writesOf(await days("?ns=*"), TODAY)).toBeGreaterThan(before);
    expect((await v1.get("/audit/days?ns=default", reader)).status).toBe(403);
  });

  test("denied requests are counted each, also where one record gathers many", async () => {
    // They are gathered by the time that passes.
    v1.setNow(undefined);
    const namespace = v1.unique("denied");
    await makeNamespace(v1, { namespace });
    const secret = await secretIn(v1, { namespace }, "");
    const denied = (all: readonly Day[]) => all.find((each) => each.Day === TODAY)?.Refusals ?? 0;
    for (let count = 0; count < 3; count++)
      expect((await v1.get(`/acl/policies?ns=${namespace}`, secret)).status).toBe(403);
    const last = await v1.get(`/acl/policies?ns=${namespace}`, secret);
    const { accessorId: accessor } = await refusalOf(v1.db, last);
    const records = (await refusalsIn(v1.db)).filter(({ accessorId }) => accessorId === accessor);
    // A minute may end between two of them.
    expect(records.length).toBeLessThan(4);
    expect(denied(await days(`?ns=${namespace}`))).toBe(4);
    const [record] = records;
    await v1.past({ kind: "root" }, async (tx) => {
      tx.unrecorded("a file whose bits turned");
      const { chain = "", seq = 0 } = record ?? {};
      tx.write(
        tx.sql.updateTable("audit_records").set({ detail: "{" }).where("chain", "=", chain).where("seq", "=", seq),
      );
    });
    expect(denied(await days(`?ns=${namespace}`))).toBe(5 - (record?.detail.count as number));
  });

  test("no more records are looked at than the bound, the newest first", async () => {
    await v1.policy("", v1.unique("earlier"));
    for (let index = 0; index < 3; index += 1) await v1.policy("", v1.unique("newest"));
    const scope = { partition: "default", namespace: "default" };
    const counts = await countByDay(v1.db.long, scope, "2026-01-01T00:00:00.000Z", 2);
    expect(counts).toEqual([{ day: TODAY, countedAs: "writes", records: 2, count: 2 }]);
  });
});
