/** Saved views of lists, as they are stored. */
import type { Actor } from "../../rights/actor.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/reads/query.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { writeRecorder } from "../audited.ts";

type Row = ObjectOf<"views">;

/** State of a list that a view brings back. */
export interface ViewContent {
  /** Parameters of the list in the URL of the console: its search and its filters. */
  readonly query: Readonly<Record<string, string>>;
  /** Field, with `-` in front for the reverse; empty for the order of the list. */
  readonly sort: string;
  /** IDs of columns; empty for the default ones. */
  readonly columns: readonly string[];
  /** `comfortable`, `compact`, or empty for the density of the browser. */
  readonly density: string;
}

/** A saved view of a list. */
export interface View extends Omit<Row, "content" | keyof Scope> {
  scope: Scope;
  content: ViewContent;
}

/** Holder of views: a token, or the identity whose logins make tokens. */
export type ViewHolder = { readonly accessorId: string } | { readonly methodId: string; readonly identity: string };

/** Returns who holds the views of a caller. Undefined for the anonymous token, which is everybody. */
export function holderOf({ anonymous, accessorId, login }: Actor): ViewHolder | undefined {
  if (anonymous) return undefined;
  // Nothing tells two identities apart that are not known.
  return login === undefined || login.identity === ""
    ? { accessorId }
    : { methodId: login.methodId, identity: login.identity };
}

/** Whether a view belongs to a holder. */
export function isHeldBy(view: View, holder: ViewHolder | undefined): boolean {
  if (holder === undefined) return false;
  if ("accessorId" in holder) return view.accessorId === holder.accessorId;
  return view.methodId === holder.methodId && view.identity === holder.identity;
}

/** Whether a view belongs to its namespace, and to no holder. */
export function isShared({ accessorId, methodId }: Pick<View, "accessorId" | "methodId">): boolean {
  return accessorId === null && methodId === "";
}

function viewOf({ partition, namespace, content, ...row }: Row): View {
  return { ...row, scope: { partition, namespace }, content: JSON.parse(content) as ViewContent };
}

function rowOf({ scope: { partition, namespace }, content, ...view }: View): Row {
  return { ...view, partition, namespace, content: JSON.stringify(content) };
}

const COLUMNS = selectionOf("views");
const byId = definePoint("views.id", (db) => db.selectFrom("views").select(COLUMNS));

/** Finds a view by its ID, whoever holds it. */
export async function findView(db: Reader, id: string): Promise<View | undefined> {
  const row = await db.point(byId, id);
  return row && viewOf(row);
}

const ofToken = defineQuery((db, p: { accessorId: string }) =>
  db.selectFrom("views").select(COLUMNS).where("accessor_id", "=", p.accessorId).orderBy("id"),
);
const ofIdentity = defineQuery((db, p: { methodId: string; identity: string }) =>
  db
    .selectFrom("views")
    .select(COLUMNS)
    .where("method_id", "=", p.methodId)
    .where("identity", "=", p.identity)
    // As in the condition of the index.
    .where("method_id", "<>", "")
    .orderBy("id"),
);

/** The views of a holder, in order of their IDs. */
export async function listHeld(db: Reader, holder: ViewHolder): Promise<View[]> {
  const rows = "accessorId" in holder ? await db.run(ofToken, holder) : await db.run(ofIdentity, holder);
  return rows.map(viewOf);
}

const shared = defineQuery((db, p: Scope) =>
  db
    .selectFrom("views")
    .select(COLUMNS)
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("accessor_id", "is", null)
    .where("method_id", "=", "")
    .orderBy("id"),
);

/** The views that are shared in a namespace, in order of their IDs. */
export async function listShared(db: Reader, { partition, namespace }: Scope): Promise<View[]> {
  return (await db.run(shared, { partition, namespace })).map(viewOf);
}

const insert = insertOf("views");
const update = updateOf("views", "name", "content", "modify_index");
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("views").where("id", "=", p.id));
const record = writeRecorder<View>("views");

/** Writes a new view, with its record. */
export function insertView(tx: Transaction, view: View): void {
  tx.write(insert, rowOf(view));
  record(tx, undefined, view);
}

/** Writes the name and the content of a view, with the record of the change. @param before as it is stored */
export function updateView(tx: Transaction, view: View, before: View): void {
  tx.write(update, rowOf(view));
  record(tx, before, view);
}

/** Takes a view away, with the record of that. */
export function deleteView(tx: Transaction, view: View): void {
  tx.write(remove, { id: view.id });
  record(tx, view, undefined);
}
