import { expect, test } from "vitest";
import { recordAll, recordsOf, signAnew, signHeads } from "../../../test/support/audit.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeOrganization, openForTest } from "../../../test/support/storage.ts";
import { type AuditContent, type AuditRow, chainHash } from "../../storage/proofs/audit-chain.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import type { AuditHead } from "../line.ts";
import { createChainMacs } from "../macs.ts";
import { writePosition, writeSink } from "../sinks/store.ts";
import { verifyDatabase } from "./database.ts";
import type { ChainFinding } from "./finding.ts";

const CHAIN = "partition/default";
const NAMES = Array.from({ length: 9 }, (_, index) => `n${index + 1}`);

/** A database with two chains of records and their signed heads. */
async function make(url: string): Promise<Database> {
  const db = await openForTest(url);
  await recordAll(db, NAMES);
  const organization = await makeOrganization(db, "org");
  await recordAll(db, ["a", "b"], organization);
  await signHeads(db);
  return db;
}

async function verify(db: Database, saved: readonly AuditHead[] = [], now = Date.now) {
  const findings: ChainFinding[] = [];
  const heads: AuditHead[] = [];
  const source = { db: db.long, macs: createChainMacs(db.keyring), now };
  const sum = await verifyDatabase(source, new Map(saved.map((head) => [head.chain, head])), {
    onFinding: (finding) => findings.push(finding),
    onWhole: (head) => heads.push(head),
  });
  return { findings, heads, sum };
}

/** Does to the tables what nobody should. */
function tamper(db: Database, work: (tx: Transaction, rows: readonly AuditRow[]) => void): Promise<void> {
  return db.inTransaction({ kind: "root" }, async (tx) =>
    work(tx, await tx.sql.selectFrom("audit_records").selectAll().where("chain", "=", CHAIN).orderBy("seq").execute()),
  );
}

function removeFrom(tx: Transaction, first: number, last = first): void {
  tx.write(
    tx.sql.deleteFrom("audit_records").where("chain", "=", CHAIN).where("seq", ">=", first).where("seq", "<=", last),
  );
}

function setRecord(tx: Transaction, seq: number, values: Partial<AuditRow>): void {
  tx.write(tx.sql.updateTable("audit_records").set(values).where("chain", "=", CHAIN).where("seq", "=", seq));
}

function setCounter(tx: Transaction, { seq, hash }: { seq: number; hash: string }): void {
  tx.write(tx.sql.updateTable("counters").set({ audit_seq: seq, audit_hash: hash }).where("name", "=", CHAIN));
}

/** Records with hashes that are right. */
function rehash(rows: readonly AuditRow[], change: (content: AuditContent) => AuditContent): AuditRow[] {
  let before = "";
  return rows.map(({ hash: _, ...content }) => {
    const changed = change(content);
    before = chainHash(before, changed);
    return { ...changed, hash: before };
  });
}

function replaceAll(tx: Transaction, rows: readonly AuditRow[]): void {
  removeFrom(tx, 1, 1000);
  for (const row of rows) tx.write(tx.sql.insertInto("audit_records").values(row));
  setCounter(tx, rows.at(-1) ?? { seq: 0, hash: "" });
}

/** Findings in the one chain that was tampered with. */
const found = (seq: number, why: RegExp) => [
  expect.objectContaining({ chain: CHAIN, seq, why: expect.stringMatching(why) }),
];

forEachEngine((_engine, makeUrl) => {
  test("chains that are what was written are whole, and give heads to keep", async () => {
    const db = await make(await makeUrl());
    const { findings, heads, sum } = await verify(db);
    expect(findings).toEqual([]);
    expect(sum).toEqual({ chains: 2, records: 11, unsigned: 0 });
    expect(heads.map(({ chain, seq }) => [chain, seq])).toEqual([
      ["organization/org", 2],
      [CHAIN, 9],
    ]);
    await recordAll(db, ["later"]);
    expect((await verify(db, heads)).findings).toEqual([]);
  });

  test("a record of which any column was changed is named", async () => {
    const db = await make(await makeUrl());
    const [, , , , kept] = await recordsOf(db, CHAIN);
    for (const column of Object.keys(kept ?? {}) as (keyof AuditRow)[]) {
      if (kept === undefined || column === "chain" || column === "seq") continue;
      await tamper(db, (tx) => setRecord(tx, 5, { [column]: `${kept[column]}x` }));
      expect([column, (await verify(db)).findings]).toEqual([column, found(5, /^was modified or inserted/)]);
      await tamper(db, (tx) => setRecord(tx, 5, { [column]: kept[column] }));
    }
    expect((await verify(db)).findings).toEqual([]);
  });

  test("the first record that was taken out is named, wherever it was", async () => {
    for (const [first, last, seq, why] of [
      [1, 1, 1, /^was deleted: the next record is 2$/],
      [4, 5, 4, /^was deleted: the next record is 6$/],
      [9, 9, 9, /^was deleted, with all records up to 9, which /],
    ] as const) {
      const db = await make(await makeUrl());
      await tamper(db, (tx) => removeFrom(tx, first, last));
      expect((await verify(db)).findings).toEqual(found(seq, why));
    }
  });

  test("a record that was put in is named, between others and behind the last", async () => {
    const db = await make(await makeUrl());
    const [, , , , row] = await recordsOf(db, CHAIN);
    if (row === undefined) throw new Error("no record");
    await tamper(db, (tx) => tx.write(tx.sql.insertInto("audit_records").values({ ...row, seq: 10 })));
    expect((await verify(db)).findings).toEqual(found(10, /^was inserted: no counter contains it$/));
    await tamper(db, (tx, rows) => {
      replaceAll(
        tx,
        [...rows.slice(0, 4), row, ...rows.slice(4, 9)].map((each, index) => ({ ...each, seq: index + 1 })),
      );
    });
    expect((await verify(db)).findings).toEqual(found(6, /^was modified or inserted/));
  });

  test("the first of two records that changed places is named", async () => {
    const db = await make(await makeUrl());
    await tamper(db, (tx, rows) => {
      replaceAll(
        tx,
        rows.map((row) => ({ ...row, seq: row.seq === 3 ? 7 : row.seq === 7 ? 3 : row.seq })),
      );
    });
    expect((await verify(db)).findings).toEqual(found(3, /^was modified or inserted/));
  });

  test("a chain that was written anew with hashes that are right does not have the signed head, and is signed no further", async () => {
    const db = await make(await makeUrl());
    await tamper(db, (tx, rows) =>
      replaceAll(
        tx,
        rehash(rows, (content) => (content.seq === 2 ? { ...content, accessor_id: "somebody" } : content)),
      ),
    );
    expect((await verify(db)).findings).toEqual(
      found(9, /^does not match the head signed at .*, and hashes were recomputed$/),
    );
    await recordAll(db, ["later"]);
    expect(await signHeads(db)).toEqual([CHAIN]);
    expect((await verify(db)).findings).toEqual(found(9, /signed/));
  });

  test("a tail that was cut is missed, also with the counter put back; with the head taken out, a head is missed", async () => {
    const db = await make(await makeUrl());
    await tamper(db, (tx, rows) => {
      removeFrom(tx, 7, 9);
      setCounter(tx, rows[5] ?? { seq: 0, hash: "" });
    });
    expect((await verify(db)).findings).toEqual(
      found(7, /^was deleted, with all records up to 9, which had its head signed at /),
    );
    expect(await signHeads(db)).toEqual([CHAIN]);
    const [head] = await db.sql.selectFrom("audit_heads").selectAll().where("chain", "=", CHAIN).execute();
    await tamper(db, (tx) => tx.write(tx.sql.deleteFrom("audit_heads").where("chain", "=", CHAIN)));
    // Young as it is, it may not have been signed yet, however long nobody was at work since.
    expect((await verify(db, [], () => Date.now() + 600_000)).findings).toEqual([]);
    await tamper(db, (tx, rows) => {
      const at = new Date(Date.now() - 600_000).toISOString();
      replaceAll(
        tx,
        rehash(rows, (content) => ({ ...content, at })),
      );
    });
    expect((await verify(db)).findings).toEqual(found(6, /^has no signed head/));
    // A head that was saved elsewhere reveals the change, whatever was done here.
    expect((await verify(db, head === undefined ? [] : [head])).findings).toEqual(
      found(7, /^was deleted, .* had its head saved at /),
    );
  });

  test("with the signed head taken out, or an old one put back, the server that signed it says so, and signs nothing over it", async () => {
    const db = await make(await makeUrl());
    const head = db.sql.selectFrom("audit_heads").selectAll().where("chain", "=", CHAIN);
    const [old] = await head.execute();
    await recordAll(db, ["later"]);
    expect(await signHeads(db)).toEqual([]);
    const anew = (rows: readonly AuditRow[]) =>
      rehash(rows, (each) => (each.seq === 10 ? { ...each, name: "x" } : each));
    await tamper(db, (tx, rows) => {
      replaceAll(tx, anew(rows));
      tx.write(tx.sql.deleteFrom("audit_heads").where("chain", "=", CHAIN));
    });
    await recordAll(db, ["last"]);
    for (let round = 0; round < 2; round++) expect(await signHeads(db)).toEqual([CHAIN]);
    expect(await head.execute()).toEqual([]);
    await tamper(db, (tx) => old && tx.write(tx.sql.insertInto("audit_heads").values(old)));
    expect(await signHeads(db)).toEqual([CHAIN]);
    expect(await head.execute()).toEqual([old]);
  });

  test("what a sink was given and is not there any more is missed, by every server and by who verifies", async () => {
    const db = await make(await makeUrl());
    const give = (seq: number, headSeq: number) =>
      tamper(db, (tx) => {
        writeSink(tx, "file", new Date().toISOString());
        writePosition(tx, { sink: "file", chain: CHAIN, seq, headSeq });
      });
    await give(9, 9);
    expect([(await verify(db)).findings, await signHeads(db)]).toEqual([[], []]);
    await tamper(db, (tx) => tx.write(tx.sql.deleteFrom("audit_heads").where("chain", "=", CHAIN)));
    expect((await verify(db)).findings).toEqual(
      found(9, /^had a signed head that a sink has received: the head was deleted$/),
    );
    expect(await signAnew(db)).toEqual([CHAIN]);
    await give(9, 0);
    await tamper(db, (tx, rows) => {
      removeFrom(tx, 7, 9);
      setCounter(tx, rows[5] ?? { seq: 0, hash: "" });
    });
    expect((await verify(db)).findings).toEqual(
      found(7, /^was deleted, with all records up to 9, which a sink has received$/),
    );
    expect(await signAnew(db)).toEqual([CHAIN]);
    await tamper(db, (tx) => {
      removeFrom(tx, 1, 9);
      setCounter(tx, { seq: 0, hash: "" });
    });
    expect(await signAnew(db)).toEqual([CHAIN]);
    await give(0, 0);
    expect(await signAnew(db)).toEqual([]);
  });

  test("a head that was changed or an old one that was put back is named", async () => {
    const db = await make(await makeUrl());
    const [, , , , row] = await recordsOf(db, CHAIN);
    await tamper(db, (tx) =>
      tx.write(
        tx.sql
          .updateTable("audit_heads")
          .set({ seq: 5, hash: row?.hash ?? "" })
          .where("chain", "=", CHAIN),
      ),
    );
    expect((await verify(db)).findings).toEqual(found(5, /^has a head that no server has signed/));
  });

  test("a chain that was taken out is missed by its counter, its head, and heads that were kept elsewhere", async () => {
    const db = await make(await makeUrl());
    const { heads } = await verify(db);
    await tamper(db, (tx) => removeFrom(tx, 1, 9));
    expect((await verify(db)).findings).toEqual(found(1, /^was deleted, with all records up to 9/));
    await tamper(db, (tx) => setCounter(tx, { seq: 0, hash: "" }));
    expect((await verify(db)).findings).toEqual(
      found(1, /^was deleted, with all records up to 9, which had its head signed/),
    );
    await tamper(db, (tx) => tx.write(tx.sql.deleteFrom("audit_heads").where("chain", "=", CHAIN)));
    expect((await verify(db)).findings).toEqual([]);
    expect((await verify(db, heads)).findings).toEqual(
      found(1, /^was deleted, with all records up to 9, which had its head saved/),
    );
  });

  test("records without a counter were put in", async () => {
    const db = await make(await makeUrl());
    await tamper(db, (tx, [row]) => {
      if (row !== undefined)
        tx.write(tx.sql.insertInto("audit_records").values({ ...row, chain: "organization/other" }));
    });
    expect((await verify(db)).findings).toEqual([
      expect.objectContaining({
        chain: "organization/other",
        seq: 1,
        why: expect.stringMatching(/^was inserted: no counter contains it$/),
      }),
    ]);
  });

  test("what others write meanwhile is not taken for damage", async () => {
    const db = await make(await makeUrl());
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await recordAll(db, ["more"]);
    })();
    for (let round = 0; round < 20; round++) {
      expect((await verify(db)).findings).toEqual([]);
      if (round % 5 === 0) await signHeads(db);
    }
    isOver = true;
    await writing;
  });
});
