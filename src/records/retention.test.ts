import { expect, onTestFinished, test } from "vitest";
import { recordAll, recordRefusedReads, recordsOf, signHeads } from "../../test/support/audit.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { makeOrganization, openForTest } from "../../test/support/storage.ts";
import type { Database } from "../storage/database.ts";
import { startRemoval } from "../storage/operator/removal.ts";
import { createChainMacs } from "./macs.ts";
import { oldAuditRecords } from "./retention.ts";
import { writeSink, writePosition } from "./sinks/store.ts";
import { verifyDatabase } from "./verify/database.ts";
import type { ChainFinding } from "./verify/finding.ts";

const CHAIN = "partition/default";
const READS = "refusals/reads/partition/default";
const DAY_MS = 86_400_000;
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

/** The database at a time that a test says. */
function atTime(db: Database): { db: Database; clock: { ahead: number } } {
  const clock = { ahead: 0 };
  const engine = { ...db, now: () => Date.now() + clock.ahead };
  return { db: engine, clock };
}

function prune(db: Database, { keepMs = 400 * DAY_MS, keepRefusedReadsMs = DAY_MS, now = db.now } = {}) {
  const errors: unknown[] = [];
  let rounds = 0;
  const old = oldAuditRecords(db, { keepMs, keepRefusedReadsMs, everyMs: 0, now });
  const jobs = () => {
    rounds += 1;
    return old.jobs();
  };
  const removal = startRemoval(db, { ...old, jobs }, (error) => errors.push(error));
  onTestFinished(async () => {
    await removal.stop();
    expect(errors).toEqual([]);
  });
  /** Waits until it has looked for all that there is once more, from now on, and has done it. */
  const round = async () => {
    const before = rounds;
    await expect.poll(() => rounds).toBeGreaterThan(before + 1);
  };
  return { ...removal, round };
}

async function findings(db: Database): Promise<ChainFinding[]> {
  const found: ChainFinding[] = [];
  const source = { db: db.long, macs: createChainMacs(db.keyring), now: db.now };
  await verifyDatabase(source, new Map(), { onFinding: (finding) => found.push(finding), onWhole: () => undefined });
  return found;
}

const actionsOf = async (db: Database, chain: string) =>
  (await recordsOf(db, chain)).map(({ seq, action }) => [seq, action]);

forEachEngine((_engine, makeUrl) => {
  test("what is older than the retention goes, from the beginning, the cut is a record, and what is left is still whole", async () => {
    const { db, clock } = atTime(await openForTest(await makeUrl()));
    await recordAll(db, names(120));
    await signHeads(db);
    await recordAll(db, ["later"]);
    clock.ahead = 399 * DAY_MS;
    prune(db);
    await expect.poll(async () => (await recordsOf(db, CHAIN)).length).toBe(121);
    clock.ahead = 401 * DAY_MS;
    const first = async () => (await recordsOf(db, CHAIN))[0]?.seq;
    await expect.poll(first, { timeout: 20_000 }).toBeGreaterThanOrEqual(120);
    const cuts = (await recordsOf(db, CHAIN)).filter(({ kind }) => kind === "audit");
    const told = cuts.map(({ kind, action, detail }) => [
      kind,
      action,
      (JSON.parse(detail) as { records: number }).records,
    ]);
    expect(told.reduce((sum, [, , count]) => sum + Number(count), 0)).toBeGreaterThan(0);
    expect(new Set(told.map(([kind, action]) => `${kind} ${action}`))).toEqual(new Set(["audit prune"]));
    expect(await findings(db)).toEqual([]);
  });

  test("a deletion does not pass for a cut, nor does a cut that was changed", async () => {
    const { db, clock } = atTime(await openForTest(await makeUrl()));
    await recordAll(db, names(60));
    await signHeads(db);
    clock.ahead = 401 * DAY_MS;
    await recordAll(db, ["later", "last"]);
    prune(db);
    await expect.poll(async () => (await recordsOf(db, CHAIN))[0]?.seq, { timeout: 20_000 }).toBe(60);
    const [, later] = await recordsOf(db, CHAIN);
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.deleteFrom("audit_records").where("chain", "=", CHAIN).where("seq", "<=", 61));
      tx.write(
        tx.sql
          .updateTable("audit_cuts")
          .set({ seq: 61, hash: later?.hash ?? "" })
          .where("chain", "=", CHAIN),
      );
    });
    expect(await findings(db)).toEqual([
      expect.objectContaining({
        chain: CHAIN,
        seq: 62,
        why: expect.stringMatching(/^has an unsigned start/),
      }),
    ]);
  });

  test("reads that were refused go after their own time, the chain of an organization that is gone too", async () => {
    const { db, clock } = atTime(await openForTest(await makeUrl()));
    await recordRefusedReads(db, READS, names(80));
    await recordAll(db, names(80), await makeOrganization(db, "org"));
    await db.inTransaction({ kind: "root" }, async (tx) =>
      tx.write(
        tx.sql.updateTable("counters").set({ name: "ended/organization/org" }).where("name", "=", "organization/org"),
      ),
    );
    await signHeads(db);
    clock.ahead = 2 * DAY_MS;
    prune(db);
    await expect.poll(async () => (await recordsOf(db, READS))[0]?.seq, { timeout: 20_000 }).toBe(80);
    expect(await actionsOf(db, "organization/org")).toHaveLength(80);
    clock.ahead = 401 * DAY_MS;
    await expect.poll(async () => (await recordsOf(db, "organization/org"))[0]?.seq, { timeout: 20_000 }).toBe(80);
    expect(await findings(db)).toEqual([]);
  });

  test("records wait for the sinks that are fed, and for none that is not any more", async () => {
    const { db, clock } = atTime(await openForTest(await makeUrl()));
    await recordAll(db, names(120));
    await signHeads(db);
    clock.ahead = 401 * DAY_MS;
    const see = (sink: string, daysAgo: number) =>
      db.inTransaction({ kind: "root" }, async (tx) =>
        writeSink(tx, sink, new Date(db.now() - daysAgo * DAY_MS).toISOString()),
      );
    await see("file", 0);
    await see("webhook", 6);
    await see("old", 8);
    await db.inTransaction({ kind: "root" }, async (tx) =>
      writePosition(tx, { sink: "file", chain: CHAIN, seq: 100, headSeq: 0 }),
    );
    await prune(db).round();
    expect((await recordsOf(db, CHAIN))[0]?.seq).toBe(1);
    await db.inTransaction({ kind: "root" }, async (tx) =>
      writePosition(tx, { sink: "webhook", chain: CHAIN, seq: 60, headSeq: 0 }),
    );
    await expect.poll(async () => (await recordsOf(db, CHAIN))[0]?.seq, { timeout: 20_000 }).toBe(61);
  });

  test("incident 63: after a doubt, a sink is forgotten by the clock that pruning goes by", async () => {
    const { db, clock } = atTime(await openForTest(await makeUrl()));
    await recordAll(db, names(120));
    await signHeads(db);
    const feeding = new Date(db.now()).toISOString();
    await db.inTransaction({ kind: "root" }, async (tx) => writeSink(tx, "file", feeding));
    // Believed after an hour: pruning has come two days further, and the wall clock 410.
    clock.ahead = 410 * DAY_MS;
    const pruningNow = { ahead: 2 * DAY_MS };
    const removal = prune(db, { keepMs: DAY_MS, now: () => Date.now() + pruningNow.ahead });
    await removal.round();
    expect((await recordsOf(db, CHAIN))[0]?.seq).toBe(1);
    pruningNow.ahead = 8 * DAY_MS;
    await expect.poll(async () => (await recordsOf(db, CHAIN))[0]?.seq, { timeout: 20_000 }).not.toBe(1);
  });

  test("nothing goes where records are kept for ever, and a chain is not cut for cuts alone", async () => {
    const { db, clock } = atTime(await openForTest(await makeUrl()));
    await recordAll(db, names(60));
    await signHeads(db);
    clock.ahead = 1000 * DAY_MS;
    await prune(db, { keepMs: 0 }).stop();
    expect(await recordsOf(db, CHAIN)).toHaveLength(60);
    const removal = prune(db);
    await expect.poll(async () => (await recordsOf(db, CHAIN))[0]?.seq, { timeout: 30_000 }).toBe(60);
    const before = await recordsOf(db, CHAIN);
    await signHeads(db);
    clock.ahead = 2000 * DAY_MS;
    await expect.poll(async () => (await recordsOf(db, CHAIN))[0]?.action, { timeout: 30_000 }).toBe("prune");
    await removal.round();
    expect((await recordsOf(db, CHAIN)).length).toBeLessThanOrEqual(before.length + 1);
  });
});
