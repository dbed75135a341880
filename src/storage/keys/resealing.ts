/** The work of `reseal.ts`, which one server does at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import { counterName } from "../writes/counters.ts";
import type { Database, Transaction } from "../database.ts";
import { newHolder, takeLease, type Lease } from "../feed/lease.ts";
import { splitSealed } from "./open-sealed.ts";
import { checkProof, prove } from "../proofs/proofs.ts";
import { defineQuery } from "../reads/query.ts";
import { startBackground, type Background } from "../operator/removal.ts";
import { slices } from "../purge/slices.ts";
import type { Tables } from "../tables/tables.ts";
import { FIRST_COLUMN, listRetired, putReseal, readReseal, removeRetired, type Reseal } from "./reseal.ts";
import { nameOf, SEALED_COLUMNS, type SealedColumn, type SealedRow, type SealedValue } from "./sealed-columns.ts";
import { databaseSeconds } from "./users.ts";

const LEASE = "reseal";
/**
 * An old data key stays for so long at the least, in seconds: a write that is under way may have sealed with it, somebody
 * who logs in holds a state that it sealed, and a replica is behind.
 */
const KEPT_SECONDS = 3600;
/** Passes begin no sooner after each other, in seconds: each reads everything. */
const PASS_SECONDS = 10;
/** Between two batches, in which other writers have their turn, in milliseconds. */
const PAUSE_MS = 3;
/** The lease lasts for seconds. */
const RENEW_MS = 2000;

export interface ResealingOptions {
  /** Told of what could not be done; it is tried again. */
  onError: (error: unknown) => void;
  keptSeconds?: number;
}

/** Does what was asked for, and goes on where another server has stopped. */
export function startResealing(db: Database, { onError, keptSeconds = KEPT_SECONDS }: ResealingOptions): Background {
  const holder = newHolder();

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const state = await readReseal(db);
      if (state === undefined || state.state === "done" || signal.aborted) return;
      if (isWaiting(state) && (await databaseSeconds(db)) < dueAt(state, keptSeconds)) return;
      const lease = await takeLease(db, LEASE, holder);
      if (lease === undefined) return;
      const retired = await listRetired(db);
      const end = performance.now() + RENEW_MS;
      // Read again under the lease: the last one may have gone on meanwhile.
      let now = await readReseal(db);
      while (now?.state === "sealing" && !signal.aborted && performance.now() < end) {
        now = await step(db, lease, now, retired, keptSeconds);
        if (isWaiting(now)) return;
        await sleep(PAUSE_MS);
      }
    }
  }

  return startBackground(work, onError);
}

/** A pass is over, and it waits for the next one. */
function isWaiting({ state, column_name: column }: Reseal): boolean {
  return state === "sealing" && column === "";
}

/** When that begins: soon where something was found, else when the old keys may go. Seconds by the database's clock. */
function dueAt({ found, pass_began_at: passBeganAt, began_at: beganAt }: Reseal, keptSeconds: number): number {
  return found > 0 ? passBeganAt + Math.min(PASS_SECONDS, keptSeconds) : beganAt + keptSeconds;
}

/** One batch. @returns where it is then @throws AppError `conflict` when another server has taken over */
async function step(
  db: Database,
  lease: Lease,
  state: Reseal,
  retired: ReadonlySet<string>,
  keptSeconds: number,
): Promise<Reseal> {
  if (isWaiting(state)) return nextPass(db, lease, state);
  const column = SEALED_COLUMNS.find((each) => nameOf(each) === state.column_name);
  // A column of a newer version, for example: the pass begins again.
  if (column === undefined) return nextPass(db, lease, state);
  const values = await db.long.run(column.scan, { after: state.last_key, limit: column.atATime });
  const last = values.at(-1);
  if (last === undefined) return endOfColumn(db, lease, state, keptSeconds);
  const old = values.filter(({ sealed }) => retired.has(splitSealed(sealed).id));
  const { done, damaged } = await resealAll(db, lease, column, old);
  return move(db, lease, {
    ...state,
    last_key: last.key,
    seen: state.seen + values.length,
    found: state.found + old.length - damaged,
    damaged: state.damaged + damaged,
    resealed: state.resealed + done,
  });
}

/** Why that is on no record. */
const PROGRESS = "progress of the re-encryption, whose start and end are recorded";

async function endOfColumn(db: Database, lease: Lease, state: Reseal, keptSeconds: number): Promise<Reseal> {
  const next = SEALED_COLUMNS[SEALED_COLUMNS.findIndex((each) => nameOf(each) === state.column_name) + 1];
  if (next !== undefined) return move(db, lease, { ...state, column_name: nameOf(next), last_key: "" });
  const isEarly = state.pass_began_at < state.began_at + keptSeconds;
  if (state.found > 0 || isEarly) return move(db, lease, { ...state, column_name: "", last_key: "" });
  const ended: Reseal = { ...state, state: "done", ended_at: await databaseSeconds(db) };
  return db.inTransaction(lease, async (tx) => {
    tx.unrecorded(PROGRESS);
    putReseal(tx, ended);
    // Each of those that do not open may be one's whose place was damaged and not its text.
    if (state.damaged === 0) removeRetired(tx);
    return ended;
  });
}

async function nextPass(db: Database, lease: Lease, state: Reseal): Promise<Reseal> {
  const now = await databaseSeconds(db);
  const counts = { found: 0, damaged: 0, seen: 0 };
  return move(db, lease, {
    ...state,
    ...counts,
    pass: state.pass + 1,
    pass_began_at: now,
    column_name: FIRST_COLUMN,
    last_key: "",
  });
}

function move(db: Database, lease: Lease, state: Reseal): Promise<Reseal> {
  return db.inTransaction(lease, async (tx) => {
    tx.unrecorded(PROGRESS);
    putReseal(tx, state);
    return state;
  });
}

interface Sealed extends SealedValue {
  after: string;
}

/** @returns how many were sealed anew, and how many could not be */
async function resealAll(db: Database, lease: Lease, column: SealedColumn, values: readonly SealedValue[]) {
  const sealed: Sealed[] = [];
  for (const value of values) {
    const after = await sealAnew(db, column.place(value.key), value.sealed);
    if (after !== undefined) sealed.push({ ...value, after });
  }
  let [done, damaged] = [0, values.length - sealed.length];
  for (const [owner, group] of Map.groupBy(sealed, (value) => value.owner)) {
    for (const slice of slices({ engine: "sqlite" }, group)) {
      const replaced = await db.inTransaction(lease, (tx) => replaceIn(tx, column, owner, slice));
      done += replaced.done;
      damaged += replaced.damaged;
      await sleep(PAUSE_MS);
    }
  }
  return { done, damaged };
}

/** @returns undefined when it does not open */
async function sealAnew({ keyring }: Database, place: string, sealed: string): Promise<string | undefined> {
  let secret: string;
  try {
    secret = await keyring.open(sealed, place);
  } catch {
    return undefined;
  }
  return keyring.seal(secret, place);
}

/**
 * Puts the new texts in the place of the old ones, where those are still there. It holds the counter of whoever writes these
 * rows without raising it: no index moves, and nobody writes a row that he has read before with the proof of that.
 */
async function replaceIn(tx: Transaction, column: SealedColumn, owner: string, values: readonly Sealed[]) {
  tx.unrecorded("another text of the same secret");
  const [counter] = await tx.run(lockCounter, { name: counterName(column.counter(owner)) });
  const counts = { done: 0, damaged: 0 };
  if (counter === undefined) return counts;
  const rows = await tx.run(column.rows, { keys: values.map(({ key }) => key) });
  const byKey = new Map(rows.map((row) => [String(row[column.key]), row]));
  for (const { key, sealed: before, after } of values) {
    const row = byKey.get(key);
    if (row?.[column.column] !== before) continue;
    const proof = proofAfter(column, row, after);
    if (proof === undefined) {
      counts.damaged += 1;
      continue;
    }
    tx.write(column.replace, { key, before, after, proof });
    counts.done += 1;
  }
  return counts;
}

/** The proof of a row with another sealed text; undefined when it is not what was written, and must not look as if. */
function proofAfter({ table, column, isProven }: SealedColumn, row: SealedRow, after: string): string | undefined {
  if (!isProven || table === "tag_webhooks") return "";
  try {
    checkProof(table, row);
  } catch {
    return undefined;
  }
  return prove(table, { ...row, [column]: after } as unknown as Tables[typeof table]).proof;
}

const lockCounter = defineQuery((sql, p: { name: string }, engine) => {
  const found = sql.selectFrom("counters").select("value").where("name", "=", p.name);
  return engine === "postgres" ? found.forUpdate() : found;
});
