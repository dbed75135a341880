/**
 * The servers of one database. Each shows every few seconds that it is there, by a lease that nobody else wants: it says who
 * holds it and until when, and its renewal is a write, so it shows too that storage takes this server's writes.
 */
import { hostname } from "node:os";
import type { Database, EngineTransaction } from "../database.ts";
import { extendLease, LEASE_SECONDS, newHolder, readClock, takeLease, type Lease } from "./lease.ts";
import { defineQuery } from "../reads/query.ts";
import { startBackground, type Background } from "../operator/removal.ts";

const NOTE_MS = 5000;
/** One that was not seen for so long has stopped answering, or is cut off. */
const LATE_SECONDS = 15;
/** And is forgotten after this: it was ended without a chance to say so, and was not started again. */
const GONE_SECONDS = 3600;

/** Why it is on no record. */
const IS_THERE = "that a server is there";

/** A server as others see it. */
export interface SeenNode {
  /** Host and process. */
  name: string;
  version: string;
  /** By the database's clock, in milliseconds since the epoch. */
  seenAt: number;
  isReady: boolean;
}

export interface NodeNotes extends Background {
  /** The other servers of the database, by their names. */
  others(): Promise<SeenNode[]>;
}

/** Name of this server among the servers of its database. */
export function nodeName(): string {
  return `${hostname()}:${process.pid}`;
}

/**
 * Shows to the other servers of the database that this one is there, until it is stopped: then it is forgotten at once.
 *
 * @param onError told of the first failure of a row; it is tried again
 */
export function startNodeNotes(
  db: Database,
  { name: own, version }: { name: string; version: string },
  onError: (error: unknown) => void,
): NodeNotes {
  const name = `node/${newHolder()}`;
  const holder = `${own} ${version}`;
  const watched = new WatchedNotes();
  let lease: Lease | undefined;
  let isFailing = false;

  async function note(): Promise<void> {
    try {
      // One that was cut off for so long that it was forgotten takes a new one.
      const held = (lease ??= await takeLease(db, name, holder));
      if (held !== undefined) await underIt(held, renew);
      isFailing = false;
    } catch (error) {
      lease = undefined;
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  async function renew(tx: EngineTransaction, now: number): Promise<void> {
    tx.write(extendLease, { name, expiresAt: now + LEASE_SECONDS });
    for (const { age, row } of watched.look(now, await tx.run(listNodes, {}))) {
      if (age > GONE_SECONDS && row.name !== name) tx.write(forget, { name: row.name });
    }
  }

  async function underIt(held: Lease, work: (tx: EngineTransaction, now: number) => Promise<void>): Promise<void> {
    await db.inTransaction(held, async (tx) => {
      tx.unrecorded(IS_THERE);
      await work(tx, await secondsOf(tx));
    });
  }

  const background = startBackground(note, onError, NOTE_MS);
  return {
    async others() {
      const [now, rows] = await Promise.all([secondsOf(db), db.run(listNodes, {})]);
      return watched.look(now, rows).flatMap((seen) => (seen.row.name === name ? [] : seenBy(now, seen)));
    },
    async stop() {
      await background.stop();
      const held = lease;
      lease = undefined;
      if (held !== undefined) await underIt(held, async (tx) => tx.write(forget, { name })).catch(onError);
    },
  };
}

interface NodeRow {
  name: string;
  holder: string;
  expires_at: number;
}

/** A row, and the seconds since its server was seen. */
interface Watched {
  row: NodeRow;
  age: number;
}

/**
 * Knows how old the rows of servers are. A row that changes is new, whatever the database's clock says: after a jump of that clock
 * living servers are not taken for gone. Only what was there at the first look is judged by the clock.
 */
class WatchedNotes {
  /** By the name of a row, what it said and when it began to say so, by a clock that nobody sets, in seconds. */
  #known: ReadonlyMap<string, { said: number; since: number }> = new Map();

  /** @param now seconds by the database's clock */
  look(now: number, rows: readonly NodeRow[]): Watched[] {
    const moment = performance.now() / 1000;
    const before = this.#known;
    const sinceOf = ({ name, expires_at }: NodeRow): number => {
      const known = before.get(name);
      if (known === undefined) return moment - Math.max(0, now - expires_at + LEASE_SECONDS);
      return known.said === expires_at ? known.since : moment;
    };
    this.#known = new Map(rows.map((row) => [row.name, { said: row.expires_at, since: sinceOf(row) }]));
    return rows.map((row) => ({ row, age: moment - sinceOf(row) }));
  }
}

/** @returns nothing for one that nobody has removed yet */
function seenBy(now: number, { row: { holder }, age }: Watched): SeenNode[] {
  if (age > GONE_SECONDS) return [];
  const end = holder.lastIndexOf(" ");
  const [name, version] = [holder.slice(0, end), holder.slice(end + 1)];
  return [{ name, version, seenAt: Math.round((now - age) * 1000), isReady: age <= LATE_SECONDS }];
}

async function secondsOf(db: Pick<EngineTransaction, "run">): Promise<number> {
  const [row] = await db.run(readClock, {});
  return row?.now ?? 0;
}

const listNodes = defineQuery((db, _: object) =>
  db
    .selectFrom("leases")
    .select(["name", "holder", "expires_at"])
    .where("name", ">=", "node/")
    .where("name", "<", "node0")
    .orderBy("holder")
    .orderBy("name"),
);
const forget = defineQuery((db, p: { name: string }) => db.deleteFrom("leases").where("name", "=", p.name));
