/** Finds the rows that link to an object. */
import { sql, type SqlBool } from "kysely";
import { contains, seesAll, visible } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import { bindingRuleStore, type BindingRule } from "../../acl/binding-rules/store.ts";
import type { LinkedTable } from "../../acl/kit/link-store.ts";
import { sortableNamespaces, namespaceOf, type Namespace } from "../../acl/namespaces/store.ts";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { MOST_COUNTED, sortedBy, type SortedList } from "../../lists/sorted.ts";
import type { SortedObjects } from "../../acl/kit/scoped-objects.ts";
import { isLiving, methodLives, tokenStore, type Token } from "../../acl/tokens/store.ts";
import { valuesOf } from "../../storage/reads/query.ts";
import type { Scope } from "../../rights/scope.ts";

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

/** Number of active tokens that have one of some roles: each token once, and of each role. */
export interface RoleHolders {
  total: number;
  byRole: ReadonlyMap<string, number>;
}

/**
 * Counts the tokens of a namespace that have one of some roles. Looks at `MOST_COUNTED` of them and one more at most.
 *
 * @param roles their IDs, few: each token is compared with all of them
 * @param now milliseconds since the epoch
 */
export async function countRoleHolders(
  { engine, sql: db }: Reader,
  { partition, namespace }: Scope,
  roles: readonly string[],
  now: number,
): Promise<RoleHolders> {
  if (roles.length === 0) return { total: 0, byRole: new Map() };
  const hasRole = contains(engine, sql.ref("roles"), sql.ref("listed.value"));
  const held = db
    .selectFrom("tokens")
    .select("roles")
    .where("partition", "=", partition)
    .where("namespace", "=", namespace)
    .where("roles", "<>", "[]")
    .where(methodLives)
    .where((eb) => eb.and([isLiving(now)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom(valuesOf(engine, roles))
          .select(sql`1`.as("one"))
          .where(hasRole),
      ),
    )
    .limit(MOST_COUNTED + 1);
  const rows = await db
    .with(
      (cte) => cte("held").materialized(),
      () => held,
    )
    .selectFrom("held")
    .select([sql<string>`''`.as("role"), sql<number>`count(*)`.as("count")])
    .unionAll((eb) =>
      eb
        .selectFrom(["held", valuesOf(engine, roles)])
        .select([sql<string>`listed.value`.as("role"), sql<number>`count(*)`.as("count")])
        .where(hasRole)
        .groupBy("listed.value"),
    )
    .execute();
  const byRole = new Map(rows.map(({ role, count }) => [role, count]));
  return { total: byRole.get("") ?? 0, byRole };
}
