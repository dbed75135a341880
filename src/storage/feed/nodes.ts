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
  let lease: Lease | undefined;
  let isFailing = false;

  async function note(): Promise<void> {
    try {
      // One that was cut off for so long that it was forgotten takes a new one.
      const held = (lease ??= await takeLease(db, name, holder));
      if (held !== undefined) await underIt(held, (tx, now) => renew(tx, name, now));
      isFailing = false;
    } catch (error) {
      lease = undefined;
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  async function underIt(held: Lease, work: (tx: EngineTransaction, now: number) => void): Promise<void> {
    await db.inTransaction(held, async (tx) => {
      tx.unrecorded(IS_THERE);
      work(tx, await secondsOf(tx));
    });
  }

  const background = startBackground(note, onError, NOTE_MS);
  return {
    async others() {
      const [now, rows] = await Promise.all([secondsOf(db), db.run(listNodes, {})]);
      return rows.filter((row) => row.name !== name).flatMap((row) => seenBy(now, row));
    },
    async stop() {
      await background.stop();
      const held = lease;
      lease = undefined;
      if (held !== undefined) await underIt(held, (tx) => tx.write(forget, { name })).catch(onError);
    },
  };
}

function renew(tx: EngineTransaction, name: string, now: number): void {
  tx.write(extendLease, { name, expiresAt: now + LEASE_SECONDS });
  tx.write(forgetGone, { before: now - GONE_SECONDS });
}

/** @returns nothing for one that nobody has removed yet */
function seenBy(now: number, { holder, expires_at }: { holder: string; expires_at: number }): SeenNode[] {
  const seen = expires_at - LEASE_SECONDS;
  if (now - seen > GONE_SECONDS) return [];
  const end = holder.lastIndexOf(" ");
  const [name, version] = [holder.slice(0, end), holder.slice(end + 1)];
  return [{ name, version, seenAt: seen * 1000, isReady: now - seen <= LATE_SECONDS }];
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
const forgetGone = defineQuery((db, p: { before: number }) =>
  db.deleteFrom("leases").where("name", ">=", "node/").where("name", "<", "node0").where("expires_at", "<", p.before),
);
