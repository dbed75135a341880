/** Sessions of the console, as they are stored. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { isIntact, provenRows } from "../../storage/proofs/proofs.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { type RecordOf, recordsOf } from "../kit/records.ts";
import type { Scope } from "../../rights/scope.ts";

/** A session; its times are milliseconds since the epoch. */
export type ConsoleSession = RecordOf<"console_sessions">;

const TABLE = "console_sessions";
const records = recordsOf<typeof TABLE, ConsoleSession>(TABLE);
const stored = provenRows(TABLE);

const byId = definePoint("console_sessions.id", (db) => db.selectFrom(TABLE).selectAll());

/** Finds a session, also one whose time is over. @throws StorageDamaged */
export async function findSession(db: Reader, id: string): Promise<ConsoleSession | undefined> {
  const row = await db.point(byId, id);
  return row && records.of(row);
}

const ofToken = defineQuery((db, p: { accessorId: string }) =>
  db.selectFrom(TABLE).selectAll().where("accessor_id", "=", p.accessorId).orderBy("active_at").orderBy("id"),
);

/** The sessions of a token, the longest idle first. @throws StorageDamaged */
export async function listSessionsOf(db: Reader, accessorId: string): Promise<ConsoleSession[]> {
  return (await db.run(ofToken, { accessorId })).map(records.of);
}

const inScope = defineQuery((db, p: Scope & { limit: number }) =>
  db
    .selectFrom(TABLE)
    .selectAll()
    .where("accessor_id", "in", (eb) =>
      eb
        .selectFrom("tokens")
        .select("tokens.accessor_id")
        .where("tokens.partition", "=", p.partition)
        .where("tokens.namespace", "=", p.namespace),
    )
    .orderBy("active_at", "desc")
    .orderBy("id")
    .limit(p.limit),
);

/** The sessions of the tokens of a namespace, those that were used last first. @throws StorageDamaged */
export async function listSessionsIn(db: Reader, scope: Scope, limit: number): Promise<ConsoleSession[]> {
  return (await db.run(inScope, { ...scope, limit })).map(records.of);
}

/** Writes a new session. */
export function insertSession(tx: Transaction, session: ConsoleSession): void {
  stored.insert(tx, records.rowOf(session));
}

const remove = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db.deleteFrom(TABLE).where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Takes sessions away. */
export function deleteSessions(tx: Transaction, sessions: readonly Pick<ConsoleSession, "id">[]): void {
  if (sessions.length > 0) tx.write(remove, { ids: sessions.map(({ id }) => id) });
}

const byIds = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom(TABLE)
    .selectAll()
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Notes the last use of sessions, when it is later than the noted one. Deleted sessions stay deleted. */
export async function updateActivity(tx: Transaction, times: ReadonlyMap<string, number>): Promise<void> {
  // A damaged row stays what it is: a new proof would make it one that counts.
  const rows = (await tx.run(byIds, { ids: [...times.keys()] })).filter((row) => isIntact(TABLE, row));
  for (const row of rows) {
    const at = times.get(row.id) ?? 0;
    if (row.active_at < at) stored.update(tx, { ...row, active_at: at });
  }
}

const over = defineQuery((db, p: { idleSince: number; begunBefore: number; limit: number }) =>
  db
    .selectFrom(TABLE)
    .innerJoin("tokens", "tokens.accessor_id", "console_sessions.accessor_id")
    .select(["console_sessions.id", "console_sessions.accessor_id", "tokens.partition", "tokens.namespace"])
    .where((eb) =>
      eb.or([
        eb("console_sessions.active_at", "<=", p.idleSince),
        eb("console_sessions.created_at", "<=", p.begunBefore),
      ]),
    )
    .orderBy("console_sessions.id")
    .limit(p.limit),
);

/** Sessions whose time is over, with where their tokens lie. Also damaged ones: they count for nothing. */
export async function listOverdue(
  db: Reader,
  bounds: { idleSince: number; begunBefore: number },
  limit: number,
): Promise<{ id: string; accessorId: string; scope: Scope }[]> {
  return (await db.run(over, { ...bounds, limit })).map(({ id, accessor_id, partition, namespace }) => ({
    id,
    accessorId: accessor_id,
    scope: { partition, namespace },
  }));
}

const signedIn = defineQuery((db, _: object) => db.selectFrom("meta").select("name").where("name", "=", SIGNED_IN));
const meta = provenRows("meta");
/** Flag of the database: a user has signed in to a console once. */
const SIGNED_IN = "console-signed-in";

/** Returns whether a user has ever signed in to the console. */
export async function wasSignedIn(db: Reader): Promise<boolean> {
  return (await db.run(signedIn, {})).length > 0;
}

/** Notes that a user has signed in. */
export function markSignedIn(tx: Transaction, now: number): void {
  meta.put(tx, { name: SIGNED_IN, value: new Date(now).toISOString() });
}
