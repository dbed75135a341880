/** Audit records for the tests of chains, sinks and retention. */
import { expect, onTestFinished } from "vitest";
import { startHeads } from "../../src/records/heads.ts";
import { createChainMacs } from "../../src/records/macs.ts";
import { verifyDatabase } from "../../src/records/verify/database.ts";
import type { ChainFinding } from "../../src/records/verify/finding.ts";
import type { AuditRow } from "../../src/storage/proofs/audit-chain.ts";
import type { Counter } from "../../src/storage/writes/counters.ts";
import type { AuditEntry, Database } from "../../src/storage/database.ts";
import { writePast } from "./proofs.ts";
import { ensurePartition } from "./storage.ts";

const ORIGIN = { accessorId: "acc-1", requestId: "req-1", detail: { address: "192.0.2.1", note: 'ä "quoted"' } };

export function auditEntry(name: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    kind: "policy",
    objectId: `id-${name}`,
    name,
    action: "create",
    detail: { changes: { a: [name] } },
    ...more,
  };
}

/** Records of these names in one transaction, in the chain of a partition unless another counter is given. */
export async function recordAll(
  db: Database,
  names: readonly string[],
  counter: Counter = { kind: "partition", name: "default" },
): Promise<void> {
  if (counter.kind === "partition") await ensurePartition(db, counter.name);
  const place = counter.kind === "organization" ? { organizationId: counter.id } : { partition: "default" };
  await db.inTransaction(
    counter,
    async (tx) => {
      // A transaction without a write stores no records; this delete matches no row.
      tx.write(tx.sql.deleteFrom("leases").where("name", "=", "none"));
      for (const name of names) tx.record(auditEntry(name, place));
    },
    () => ORIGIN,
  );
}

/** Records in a chain of refused reads, which is made when it is not there. */
export async function recordRefusedReads(db: Database, chain: string, names: readonly string[]): Promise<void> {
  await writePast(db, { kind: "root" }, async (tx) => {
    const row = { name: chain, value: 0, audit_seq: 0, audit_hash: "" };
    const insert = tx.sql.insertInto("counters").values(row);
    tx.write(insert.onConflict((oc) => oc.doNothing()));
  });
  const more = { partition: "default", action: "read", outcome: "refused" } as const;
  await db.inTransaction(
    { kind: "chain", name: chain },
    async (tx) => names.forEach((name) => tx.record(auditEntry(name, more))),
    () => ORIGIN,
  );
}

/** All records of a chain. */
export function recordsOf(db: Database, chain: string): Promise<AuditRow[]> {
  return db.sql.selectFrom("audit_records").selectAll().where("chain", "=", chain).orderBy("seq").execute();
}

/** All records of an object, oldest first. @param id as records name it */
export function recordsOfObject(db: Database, id: string): Promise<AuditRow[]> {
  return db.sql.selectFrom("audit_records").selectAll().where("object_id", "=", id).orderBy("seq").execute();
}

const signers = new WeakMap<Database, () => Promise<string[]>>();

/** Signs the heads of all chains, as the same server each time. @returns those that are not what was signed */
export function signHeads(db: Database): Promise<string[]> {
  const known = signers.get(db) ?? startSigning(db);
  signers.set(db, known);
  return known();
}

/** The same as a server that was just started, and has the work from the one before. */
export async function signAnew(db: Database): Promise<string[]> {
  await writePast(db, { kind: "root" }, async (tx) =>
    tx.write(tx.sql.deleteFrom("leases").where("name", "=", "audit-heads")),
  );
  return startSigning(db)();
}

function startSigning(db: Database): () => Promise<string[]> {
  const broken = new Set<string>();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const heads = startHeads(db, { onBroken: (chain) => broken.add(chain), onError, everyMs: 3_600_000 });
  onTestFinished(heads.stop);
  return async () => {
    broken.clear();
    await heads.sign();
    expect(errors).toEqual([]);
    return [...broken];
  };
}

/** Signs heads until that of a chain is its last record. */
export async function signToEnd(db: Database, chain: string): Promise<void> {
  const last = (await recordsOf(db, chain)).at(-1)?.seq;
  const signed = async () => {
    await signHeads(db);
    const head = await db.sql.selectFrom("audit_heads").select("seq").where("chain", "=", chain).executeTakeFirst();
    return head?.seq;
  };
  await expect.poll(signed, { timeout: 20_000 }).toBe(last);
}

/** Runs the check of `tessera audit verify` on a database. Returns its findings and the number of records. */
export async function verified(db: Database): Promise<{ records: number; findings: ChainFinding[] }> {
  const findings: ChainFinding[] = [];
  const source = { db: db.long, macs: createChainMacs(db.keyring), now: db.now };
  const told = { onFinding: (finding: ChainFinding) => findings.push(finding), onWhole: () => undefined };
  const { records } = await verifyDatabase(source, new Map(), told);
  return { records, findings };
}

/** A clock on which seconds pass as fifty milliseconds do: what is tried again in seconds need not be waited for. */
export function hurried(): number {
  return performance.now() * 20;
}
