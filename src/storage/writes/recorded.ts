/**
 * The book of what is done: whatever a transaction changes it puts on record, in the same commit. Records of a counter
 * form a chain in the order of its commits, whose head lies in the counter's row and so under the lock that the transaction
 * has anyway.
 */
import { type AuditRow, type ChainHead, createChainHash } from "../proofs/audit-chain.ts";
import { chainOf, type Counter, counterName } from "./counters.ts";
import type { AuditEntry, Database, EngineDatabase, EngineTransaction, WriteOrigin, Transaction } from "../database.ts";
import { enterBound, leavePlaceOf } from "../../bounds.ts";
import { callerNow, nobodyOnShare, type WorkCaller, workFor } from "../../callers.ts";
import { asPiece, databasePiece } from "../../pieces.ts";
import { collectCounts } from "./object-counts.ts";
import { insertRowsOf } from "./objects.ts";
import { rememberMigrations } from "../migrations/applied.ts";
import type { Migration } from "../migrations/migration.ts";
import { TrialOver } from "./trial.ts";

/** Under which the feed tells of records. */
export const AUDIT = "audit";

/**
 * An engine whose transactions put on record what they change.
 *
 * @throws TypeError from a transaction that somebody has done and that writes something it does not put on record: a fault
 * of ours
 */
export function recording<E extends Bookable>(db: E): Omit<E, "inTransaction"> & Pick<Database, "inTransaction"> {
  const hasMigration = rememberMigrations();
  return {
    ...db,
    inTransaction(counter, work, origin) {
      const caller = callerNow();
      leavePlaceOf(caller);
      const recorded = async (tx: EngineTransaction) => {
        const book = openBook({ now: db.now, hasMigration }, tx, counter);
        const result = await inWritersTurn(caller, () => work(book.tx));
        await book.close(origin);
        // Every check that could reject the transaction has run by now. Statements that were passed to `tx.write` never
        // run.
        if (origin?.().isTrial === true) throw new TrialOver();
        return result;
      };
      return asPiece(
        () => databasePiece(db.engine, "transaction", `transaction ${counter.kind}`),
        // Transactions that wait are begun by whichever was before them, and told of to all who listen: for nobody in particular.
        () => workFor(nobodyOnShare(), () => db.inTransaction(counter, recorded)),
      );
    },
  };
}

/** Work in a transaction waits for no place in turns: all who wait for its counter would wait too. */
async function inWritersTurn<T>(caller: WorkCaller | undefined, work: () => Promise<T>): Promise<T> {
  const leave = enterBound(caller);
  try {
    return await workFor(caller, work);
  } finally {
    leave();
  }
}

/**
 * The database as a server has it: what nobody has asked for is done by the server itself, and follows the same rule as what
 * somebody has done.
 */
export function byTheServer(db: Database): Database {
  return {
    ...db,
    inTransaction: (counter, work, origin = () => BY_THE_SERVER) => db.inTransaction(counter, work, origin),
  };
}

/** Members of an engine that the records need. */
type Bookable = Pick<EngineDatabase, "engine" | "inTransaction" | "now">;

interface Kept {
  now: Bookable["now"];
  /** Knowledge of the database's migrations. */
  hasMigration: ReturnType<typeof rememberMigrations>;
}

/** The records of one attempt at a transaction. */
function openBook(db: Kept, tx: EngineTransaction, counter: Counter) {
  const entries: AuditEntry[] = [];
  let writes = 0;
  let excuse: string | undefined;
  const counts = collectCounts();
  const chain = chainOf(counterName(counter));

  const write = ((query: never, params: never) => {
    writes += 1;
    tx.write(query, params);
  }) as Transaction["write"];

  function record(entry: AuditEntry): void {
    if (counter.kind === "lease") throw new TypeError("work under a lease has no chain for audit records");
    entries.push(entry);
  }

  async function close(origin: (() => WriteOrigin) | undefined): Promise<void> {
    counts.write(tx);
    // A transaction that changes nothing leaves no records, except of denials and of data that was shown.
    if (writes === 0 && !entries.some(({ outcome, isOfRead }) => outcome === "refused" || isOfRead === true)) return;
    if (entries.length === 0) {
      if (origin === undefined || excuse !== undefined) return;
      const route = origin().detail["route"] as string | undefined;
      throw new TypeError(`${route ?? `the server, by ${chain},`} writes without an audit record`);
    }
    const head = await tx.head();
    if (head === undefined) return;
    tx.moveHead(append(tx, { chain, head, at: db.now() }, entries, origin?.()));
    touchAll(tx, counter, entries);
  }

  return {
    tx: {
      ...tx,
      write,
      record,
      adds: counts.add,
      hasMigration: (migration: Pick<Migration, "name">) => db.hasMigration(tx, migration),
      unrecorded: (reason: string) => void (excuse = reason),
    },
    close,
  };
}

/** Adds records to the transaction. @returns the new head */
function append(
  tx: EngineTransaction,
  { chain, head, at }: { chain: string; head: ChainHead; at: number },
  entries: readonly AuditEntry[],
  origin: WriteOrigin = BY_THE_SERVER,
): ChainHead {
  const time = new Date(at).toISOString();
  let { seq, hash } = head;
  const records: AuditRow[] = [];
  const hashOf = createChainHash();
  let last: { by: WriteOrigin; of: AuditEntry["detail"]; text: string } | undefined;
  for (const entry of entries) {
    const by = entry.origin ?? origin;
    if (last === undefined || last.by !== by || last.of !== entry.detail) {
      last = { by, of: entry.detail, text: JSON.stringify({ ...by.detail, ...entry.detail }) };
    }
    seq += 1;
    const record: AuditRow = {
      chain,
      seq,
      at: time,
      partition: entry.partition ?? "",
      namespace: entry.namespace ?? "",
      organization_id: entry.organizationId ?? "",
      accessor_id: by.accessorId,
      kind: entry.kind,
      object_id: entry.objectId,
      name: entry.name,
      action: entry.action,
      outcome: entry.outcome ?? "done",
      request_id: by.requestId,
      detail: last.text,
      hash: "",
    };
    hash = hashOf(hash, record);
    record.hash = hash;
    records.push(record);
  }
  insertRecords(tx, records);
  return { seq, hash };
}

const BY_THE_SERVER: WriteOrigin = { accessorId: "", requestId: "", detail: {} };

/** Wakes the waiters for records of the namespaces of a partition in which this transaction made some. */
function touchAll(tx: EngineTransaction, counter: Counter, entries: readonly AuditEntry[]): void {
  if (counter.kind !== "partition") return;
  const { name: partition } = counter;
  const here = entries.filter((entry) => entry.partition === partition && entry.namespace !== undefined);
  for (const namespace of new Set(here.map((entry) => entry.namespace ?? ""))) {
    tx.touch({ partition, namespace, table: AUDIT, key: "" });
  }
}

const insertRecords = insertRowsOf("audit_records", ["seq", "object_id", "name", "hash"]);
