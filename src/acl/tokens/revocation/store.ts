/** Revocations as they are stored. */
import type { Reader, Transaction } from "../../../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../../../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../../../storage/reads/query.ts";
import { isIn, type Scope } from "../../../rights/scope.ts";
import type { TokenFilter } from "../store.ts";
import { sql } from "kysely";

type Row = ObjectOf<"token_revocations">;

/** Work that deletes the tokens of a namespace that fit a filter. */
export interface Revocation extends Omit<Row, "filter" | keyof Scope> {
  scope: Scope;
  /** Also whether it ends before it deletes what a directory of files owns: as the request did that asked for it. */
  filter: TokenFilter & { leavesOwned?: boolean };
}

function revocationOf({ partition, namespace, filter, ...row }: Row): Revocation {
  return { ...row, scope: { partition, namespace }, filter: JSON.parse(filter) as Revocation["filter"] };
}

function rowOf({ scope, filter, ...revocation }: Revocation): Row {
  return { ...revocation, ...scope, filter: JSON.stringify(filter) };
}

const COLUMNS = selectionOf("token_revocations");
const byId = definePoint("token_revocations.id", (db) => db.selectFrom("token_revocations").select(COLUMNS));

/** Finds one by its ID; one of another scope is not found. */
export async function findRevocation(db: Reader, scope: Scope, id: string): Promise<Revocation | undefined> {
  const row = await db.point(byId, id);
  return row !== undefined && isIn(row, scope) ? revocationOf(row) : undefined;
}

const openOf = defineQuery((db, p: Scope) =>
  db
    .selectFrom("token_revocations")
    .select("id")
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("finished_at", "=", ""),
);

/** The ID of the one of a namespace that has not ended; there is one at most. */
export async function findOpen(db: Reader, { partition, namespace }: Scope): Promise<string | undefined> {
  return (await db.run(openOf, { partition, namespace }))[0]?.id;
}

const open = defineQuery((db, p: { limit: number }) =>
  db
    .selectFrom("token_revocations")
    .select(COLUMNS)
    .where("finished_at", "=", "")
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

/** Some of those that have not ended, the oldest first. */
export async function listOpen(db: Reader, limit: number): Promise<Revocation[]> {
  return (await db.run(open, { limit })).map(revocationOf);
}

const finished = defineQuery((db, p: Scope & { kept: number }) =>
  db
    .selectFrom("token_revocations")
    .select("id")
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("finished_at", "<>", "")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(25)
    .offset(p.kept),
);

/** IDs of some of those of a namespace that have ended, behind the `kept` newest ones. */
export async function findSuperfluous(db: Reader, { partition, namespace }: Scope, kept: number): Promise<string[]> {
  return (await db.run(finished, { partition, namespace, kept })).map(({ id }) => id);
}

const insert = insertOf("token_revocations");
const update = updateOf(
  "token_revocations",
  "status",
  "place",
  "total",
  "revoked",
  "reason",
  "updated_at",
  "finished_at",
);
const remove = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db.deleteFrom("token_revocations").where(oneOf(engine, sql.ref("id"), p.ids)),
);

export function insertRevocation(tx: Transaction, revocation: Revocation): void {
  tx.write(insert, rowOf(revocation));
}

/** Writes how far it is. */
export function updateRevocation(tx: Transaction, revocation: Revocation): void {
  tx.write(update, rowOf(revocation));
}

export function deleteRevocations(tx: Transaction, ids: readonly string[]): void {
  if (ids.length > 0) tx.write(remove, { ids });
}
