/** Finds the rows that link to an object. */
import { sql, type SqlBool } from "kysely";
import { contains, seesAll, visible } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import { bindingRuleStore, type BindingRule } from "../../acl/binding-rules/store.ts";
import type { LinkedTable } from "../../acl/kit/link-store.ts";
import { sortableNamespaces, namespaceOf, type Namespace } from "../../acl/namespaces/store.ts";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { sortedBy, type SortedList } from "../../lists/sorted.ts";
import type { SortedObjects } from "../../acl/kit/scoped-objects.ts";
import { methodLives, tokenStore, type Token } from "../../acl/tokens/store.ts";

const COLUMN = { policies: "default_policies", roles: "default_roles" } as const;

/** Rules whose logins give a policy or role, by its name; those whose templates may name it are not told. */
export function rulesThatBind(table: LinkedTable, nameKey: string): SortedObjects<BindingRule> {
  const type = table === "policies" ? "policy" : "role";
  return bindingRuleStore.sorted(() =>
    Promise.resolve([sql<SqlBool>`bind_type = ${type}`, sql<SqlBool>`lower(bind_name) = ${nameKey}`]),
  );
}

/** The living tokens that an auth method's logins made. @param now milliseconds since the epoch */
export function tokensOfMethod(methodId: string, now: number): SortedObjects<Token> {
  return tokenStore.sorted(() =>
    Promise.resolve([
      sql<SqlBool>`method_id = ${methodId} and method_id <> ''`,
      sql<SqlBool>`(expires_at is null or expires_at > ${now})`,
    ]),
  );
}

/** Whether an auth method has living tokens where the caller sees none. @param now milliseconds since the epoch */
export async function hasHiddenTokens(
  db: Reader,
  { partition, methodId, seen, now }: { partition: string; methodId: string; seen: Visibility; now: number },
): Promise<boolean> {
  if (seesAll(seen)) return false;
  const hidden = db.sql
    .selectFrom("tokens")
    .select("accessor_id")
    .where(sql<SqlBool>`method_id = ${methodId} and method_id <> ''`)
    .where("partition", "=", partition)
    .where((eb) => eb.not(visible(db.engine, sql.ref("namespace"), seen)))
    .where(methodLives)
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${now})`)
    .limit(1);
  return (await hidden.execute()).length > 0;
}

/** The namespaces of a partition, of those that may be seen, that give a policy or role to all tokens in them. */
export function namespacesThatGive(
  db: Reader,
  partition: string,
  { table, id, seen }: { table: LinkedTable; id: string; seen: Visibility },
): SortedList<Namespace> {
  const list = sortableNamespaces(db, partition, seen);
  const where = [...list.where, contains(db.engine, sql.ref(COLUMN[table]), id)];
  return sortedBy(db, { ...list, where }, (rows) => Promise.resolve(rows.map(namespaceOf)));
}

/** Whether there are others, which may not be seen. */
export async function hasHiddenNamespaces(
  db: Reader,
  partition: string,
  { table, id, seen }: { table: LinkedTable; id: string; seen: Visibility },
): Promise<boolean> {
  if (seesAll(seen)) return false;
  const hidden = db.sql
    .selectFrom("namespaces")
    .select("name")
    .where("partition", "=", partition)
    .where(contains(db.engine, sql.ref(COLUMN[table]), id))
    .where((eb) => eb.not(visible(db.engine, sql.ref("name"), seen)))
    .limit(1);
  return (await hidden.execute()).length > 0;
}

/** How much lies in a namespace, by tables; those of which there is nothing are left out. */
export async function countsIn(db: Reader, place: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.sql
    .selectFrom("object_counts")
    .select(["name", "value"])
    .where("name", ">", `${place}/`)
    .where("name", "<", `${place}0`)
    .execute();
  return new Map(rows.map(({ name, value }) => [name.slice(place.length + 1), value]));
}
