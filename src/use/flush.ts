/**
 * Writes the uses that memory holds. Each transaction raises this server's number of flushes: after an unknown outcome the next
 * transaction reads it before it writes anything again. It takes no counter of a partition, writes no audit record and moves
 * no index. Days are those of the clock that is trusted: one that is ahead would erase the days of a row.
 */
import type { Database } from "../storage/database.ts";
import { AppError } from "../errors.ts";
import { type Lease, newHolder, takeLease } from "../storage/feed/lease.ts";
import { startBackground, type Background } from "../storage/operator/removal.ts";
import { slices } from "../storage/purge/slices.ts";
import { addToKnown } from "./known-store.ts";
import type { UseMemory } from "../records/uses/memory.ts";
import type { CountedUse, TakenUses } from "../records/uses/subjects.ts";
import { RowNotes } from "./known.ts";
import { KnownNumbers, notePlanned, type Plan, planRows, type RowLimits, ROW_LIMITS } from "./planning.ts";
import { valuesOf } from "./stored.ts";
import { addUse, findSequence, findSince, meta, noteGap, raiseSequence, SINCE } from "./store.ts";

/** Uses that one transaction writes: other writers of an embedded database wait for it. */
const BATCH = { sqlite: 100, postgres: 500 } as const;
/** Rows that one transaction adds to by their IDs: each costs a small part of a row that may be new. */
const KNOWN_BATCH = { sqlite: 250, postgres: 500 } as const;
/** A kill loses at most five seconds. */
const EVERY_MS = 3000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Beginning of the name of a server's own lease. */
export const LEASES = "use-ledger/";

/** The day of UTC, as a number. @param now milliseconds since the epoch */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** A batch on its way, and the number that its transaction raises the server's to. */
interface Sent {
  uses: readonly CountedUse[];
  /** Uses of known rows. No batch has both: the rows of each transaction are locked in one order. */
  known: TakenUses["known"];
  sequence: number;
}

/** Uses on their way from memory to the database. */
export class UseFlusher {
  readonly #db: Database;
  readonly #memory: UseMemory;
  readonly #limits: RowLimits;
  readonly #numbers = new KnownNumbers();
  readonly #rows = new RowNotes();
  #waiting: CountedUse[] = [];
  #waitingKnown: TakenUses["known"] = [];
  /** Batch whose outcome is not known. It is sent again as it was. */
  #sent: Sent | undefined;
  #lease: Lease | undefined;
  #sequence = 0;

  constructor(db: Database, memory: UseMemory, limits: RowLimits = ROW_LIMITS) {
    this.#db = db;
    this.#memory = memory;
    this.#limits = limits;
  }

  /** Writes all that was counted. @throws AppError when storage does not accept it now; it is kept */
  async flush(): Promise<void> {
    const { uses, known } = await this.#memory.take(dayOf(this.#db.forGood.now()));
    for (const use of uses) this.#waiting.push(use);
    for (const each of known) this.#waitingKnown.push(each);
    this.#waitingKnown.sort((one, other) => one.row.place - other.row.place);
    while (this.#sent !== undefined || this.#waiting.length + this.#waitingKnown.length > 0) {
      this.#sent ??= this.#next();
      await this.#send(this.#sent);
      this.#memory.release(this.#sent.uses.length, this.#sent.known.length);
      this.#sent = undefined;
    }
  }

  #next(): Sent {
    const sequence = this.#sequence + 1;
    const known = this.#waitingKnown.slice(0, KNOWN_BATCH[this.#db.engine]);
    this.#waitingKnown = this.#waitingKnown.slice(known.length);
    if (known.length > 0) return { uses: [], known, sequence };
    const uses = this.#waiting.slice(0, BATCH[this.#db.engine]);
    this.#waiting = this.#waiting.slice(uses.length);
    return { uses, known, sequence };
  }

  async #send({ uses, known: rows, sequence }: Sent): Promise<void> {
    const lease = (this.#lease ??= await this.#register());
    this.#numbers.refresh(this.#db.forGood.now());
    let plan: Plan | undefined;
    try {
      plan = await this.#db.inTransaction(lease, async (tx) => {
        tx.unrecorded("which permissions were used");
        const [known] = await tx.run(findSequence, { server: lease.holder });
        // An attempt before this one was committed.
        if ((known?.sequence ?? 0) >= sequence) return undefined;
        for (const slice of slices(tx, addedOnce(rows))) tx.write(addToKnown, { added: JSON.stringify(slice) });
        const planned = await planRows(tx, uses, this.#numbers, this.#limits);
        const day = dayOf(this.#db.forGood.now());
        for (const change of planned.changes) tx.write(addUse, valuesOf(change));
        for (const place of planned.gaps) tx.write(noteGap, { place, day });
        tx.write(raiseSequence, { server: lease.holder, sequence, day });
        return planned;
      });
    } catch (error) {
      // The row of a server that wrote nothing for days is removed. Nothing was written: the row is what comes first.
      if (error instanceof AppError && error.code === "conflict") this.#forget();
      throw error;
    }
    this.#sequence = sequence;
    if (plan === undefined) return;
    this.#rows.note(plan.changes);
    notePlanned(plan, this.#numbers);
    this.#memory.noteLimited(plan.folded, plan.dropped);
  }

  #forget(): void {
    this.#lease = undefined;
    this.#sequence = 0;
    if (this.#sent !== undefined) this.#sent = { ...this.#sent, sequence: 1 };
  }

  /** The lease is of this server alone: its row is locked by each flush, so that one waits for the one before it. */
  async #register(): Promise<Lease> {
    const holder = newHolder();
    const lease = await takeLease(this.#db, LEASES + holder, holder);
    if (lease === undefined)
      throw new AppError(
        "unavailable",
        "Cannot record the use of permissions: the database did not register this server",
      );
    return lease;
  }
}

/** Adds up the uses of each row, such as those of several flushes that failed: a statement adds to a row once. */
function addedOnce(known: TakenUses["known"]): (readonly [id: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { row, count } of known) counts.set(row.id, (counts.get(row.id) ?? 0) + count);
  return [...counts];
}

/** Notes since when uses are noted, for every start, of which the first counts. @param isOn without a ledger the note is removed */
export async function noteLedgerSince(db: Database, isOn: boolean): Promise<void> {
  const [known] = await db.run(findSince, {});
  if ((known !== undefined) === isOn) return;
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded("since when the use of permissions is noted");
    const [before] = await tx.run(findSince, {});
    if ((before !== undefined) === isOn) return;
    if (isOn) meta.insert(tx, { name: SINCE, value: new Date(db.forGood.now()).toISOString() });
    else tx.write(tx.sql.deleteFrom("meta").where("name", "=", SINCE));
  });
}

/** Starts to write uses every three seconds. When it is stopped it writes what is left. @param onError told of a failure; it is tried again */
export function startUseLedger(
  db: Database,
  flusher: UseFlusher | undefined,
  onError: (error: unknown) => void,
): Pick<Background, "stop"> {
  let isBegun = false;
  const work = async (): Promise<void> => {
    if (!isBegun) await noteLedgerSince(db, flusher !== undefined);
    isBegun = true;
    await flusher?.flush();
  };
  const background = startBackground(work, onError, EVERY_MS);
  return {
    async stop() {
      await background.stop();
      await flusher?.flush().catch(onError);
    },
  };
}
