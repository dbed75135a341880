/** The times that a database keeps of the clock from one start to the next. */
import type { Database, Reader } from "../database.ts";
import { checkProof, prove, provenRows } from "../proofs/proofs.ts";
import { definePoint, defineQuery } from "../reads/query.ts";
import { columnsOf } from "../tables/tables.ts";
import type { CatchUp } from "./trusted.ts";

/** Row of `meta` that says until when a clock was trusted, in milliseconds since the epoch; no clock in doubt writes it. */
export const TRUSTED = "clock-trusted";
/** Row of `meta` that says where pruning goes on from after a doubt. */
const CATCH_UP = "clock-catch-up";

/** Either of both may be missing. */
export interface KeptClock {
  /** Until when a clock was trusted, in milliseconds since the epoch. */
  trusted?: number | undefined;
  catchUp?: CatchUp | undefined;
}

/** @throws AppError when a row is not what was written */
export async function readKept(db: Reader): Promise<KeptClock> {
  const [trusted, catchUp] = await Promise.all([readNumbers(db, TRUSTED), readNumbers(db, CATCH_UP)]);
  return {
    trusted: trusted?.[0],
    catchUp: catchUp === undefined ? undefined : { trusted: catchUp[0] ?? 0, wall: catchUp[1] ?? 0 },
  };
}

async function readNumbers(db: Reader, name: string): Promise<number[] | undefined> {
  const row = await db.point(findMeta, name);
  if (row === undefined) return undefined;
  checkProof("meta", row);
  return row.value.split(" ").map(Number);
}

/** Keeps what is given of it, all at once. */
export async function keepClock(db: Database, { trusted, catchUp }: KeptClock): Promise<void> {
  await db.inTransaction({ kind: "root" }, (tx) => {
    tx.unrecorded("until when the clock was trusted, and where pruning resumes");
    if (trusted !== undefined) stored.put(tx, rowOf(trusted));
    if (catchUp !== undefined) stored.put(tx, { name: CATCH_UP, value: `${catchUp.trusted} ${catchUp.wall}` });
    return Promise.resolve();
  });
}

function rowOf(trusted: number): { name: string; value: string } {
  return { name: TRUSTED, value: String(Math.round(trusted)) };
}

/** The row that says until when a clock was trusted, as a line of a table that is loaded. @param trusted milliseconds since the epoch */
export function trustedLine(trusted: number): { columns: readonly string[]; line: string } {
  const row: Record<string, unknown> = prove("meta", rowOf(trusted));
  const columns = columnsOf("meta") ?? [];
  return { columns, line: `${JSON.stringify(columns.map((column) => row[column]))}\n` };
}

/** When the newest audit record of the default partition was written, in milliseconds since the epoch; undefined where there is none. */
export async function findLastRecord(db: Reader): Promise<number | undefined> {
  const [record] = await db.run(lastRecord, {});
  return record === undefined ? undefined : Date.parse(record.at);
}

/** When the last lease ends, in milliseconds since the epoch; 0 where there is none. */
export async function findLastLease(db: Reader): Promise<number> {
  const [lease] = await db.run(lastLease, {});
  return (lease?.expires_at ?? 0) * 1000;
}

/** Time of the last record of one chain that every server writes to. Finds it by the key of the chain. */
const lastRecord = defineQuery((db, _: object) =>
  db.selectFrom("audit_records").select("at").where("chain", "=", "partition/default").orderBy("seq", "desc").limit(1),
);
/** There are as many leases as kinds of work, and servers. */
const lastLease = defineQuery((db, _: object) =>
  db.selectFrom("leases").select("expires_at").orderBy("expires_at", "desc").limit(1),
);
const findMeta = definePoint("meta.name", (db) => db.selectFrom("meta").selectAll());
const stored = provenRows("meta");
