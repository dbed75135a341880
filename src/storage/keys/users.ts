/** Servers that still run with a master key that is being replaced: without it they cannot open what others seal. */
import { setTimeout as sleep } from "node:timers/promises";
import { readClock } from "../feed/lease.ts";
import { nodeName } from "../feed/nodes.ts";
import type { Database, Reader, EngineTransaction } from "../database.ts";
import { defineQuery } from "../reads/query.ts";
import { listMasters, type MasterRow } from "./masters.ts";

/** Interval at which a server notes itself during a rotation, in seconds. */
export const NOTE_SECONDS = 5;
/** Time in seconds after which a server without a note has ended, or is cut off. */
const GONE_SECONDS = 20;
/** Time in which each server that runs notes itself: its interval, the next look, and a write that waits. */
const RENEWED_MS = (NOTE_SECONDS + 3) * 1000;

/** Relation of the master key of a process to the master keys in the database. */
export type Standing = "current" | "replacing" | "replaced";

/** @param id fingerprint of the master key that it runs by */
export function standingOf(rows: readonly MasterRow[], id: string): Standing {
  if (rows.length === 0) return "current";
  const own = rows.find((row) => row.id === id);
  if (own === undefined) return "replaced";
  return own.state === "current" && rows.length > 1 ? "replacing" : "current";
}

/** Why it is on no record. */
const RUNS_BY = "by which master key a server runs";

/**
 * Notes that this server runs by the master key that is being replaced.
 *
 * @returns how it stands with the key as of then: what is noted while it is `replacing` keeps the key from being dropped
 */
export function noteUser(db: Pick<Database, "inTransaction">, server: string, masterId: string): Promise<Standing> {
  return db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded(RUNS_BY);
    const standing = standingOf(await listMasters(tx), masterId);
    const seenAt = await databaseSeconds(tx);
    if (standing === "replacing") tx.write(note, { server, node: nodeName(), seenAt });
    return standing;
  });
}

/** Takes the note back, when the server ends. */
export async function forgetUser(db: Pick<Database, "inTransaction">, server: string): Promise<void> {
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded(RUNS_BY);
    if ((await tx.run(find, { server })).length > 0) tx.write(forget, { server });
  });
}

/** When servers noted themselves, by the servers. */
type Notes = ReadonlyMap<string, number>;

/**
 * The notes of servers that are gone. Age alone does not tell: after a jump of the database's clock the notes of living servers
 * are old too. These stay the same while time really passes, which takes some seconds where there are old ones.
 *
 * @param pause lets time pass, by a clock that nobody sets
 */
export async function findGone(db: Reader, pause: (milliseconds: number) => Promise<unknown> = sleep): Promise<Notes> {
  const now = await databaseSeconds(db);
  const old = (await db.run(list, {})).filter(({ seen_at }) => Math.abs(now - seen_at) > GONE_SECONDS);
  if (old.length > 0) await pause(RENEWED_MS);
  return new Map(old.map(({ server, seen_at }) => [server, seen_at]));
}

/** Servers that run by the master key that is being replaced, as host and process: all whose notes have not stayed as given. */
export async function listUsers(tx: EngineTransaction, gone: Notes): Promise<string[]> {
  const rows = await tx.run(list, {});
  return rows.filter(({ server, seen_at }) => gone.get(server) !== seen_at).map(({ node }) => node);
}

/** With the end of a rotation. */
export function forgetUsers(tx: EngineTransaction): void {
  tx.write(forgetAll, {});
}

/** Seconds since the epoch by the database's clock. */
export async function databaseSeconds(db: Reader): Promise<number> {
  const [row] = await db.run(readClock, {});
  return row?.now ?? 0;
}

const note = defineQuery((sql, p: { server: string; node: string; seenAt: number }) =>
  sql
    .insertInto("master_key_users")
    .values({ server: p.server, node: p.node, seen_at: p.seenAt })
    .onConflict((conflict) => conflict.column("server").doUpdateSet({ seen_at: p.seenAt })),
);
const find = defineQuery((sql, p: { server: string }) =>
  sql.selectFrom("master_key_users").select("server").where("server", "=", p.server),
);
const forget = defineQuery((sql, p: { server: string }) =>
  sql.deleteFrom("master_key_users").where("server", "=", p.server),
);
const list = defineQuery((sql, _: object) => sql.selectFrom("master_key_users").selectAll().orderBy("node"));
const forgetAll = defineQuery((sql, _: object) => sql.deleteFrom("master_key_users"));
