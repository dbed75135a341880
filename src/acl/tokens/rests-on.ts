/** The rows that what a token may do rests on: when one of them changes it is found out anew. */
import type { Watched } from "../../watch/watches.ts";
import type { Effective } from "../effective.ts";
import { AUTH_METHODS, NAMESPACES, PARTITIONS, POLICIES, ROLES, TOKENS } from "../../rights/kinds.ts";
import type { Namespace } from "../namespaces/store.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, homeOf, type Scope } from "../../rights/scope.ts";
import type { Token } from "./store.ts";

type Row = Scope & { table: string; key: string };

/** The token, the method that made it, its namespace and partition, and whatever it links to, directly and by roles and defaults. */
export function dependenciesOf(token: Token, { defaults }: Namespace, effective: Effective): Row[] {
  const { partition, namespace } = token.scope;
  const of = (scope: Scope, table: string, keys: readonly string[]): Row[] =>
    keys.map((key) => ({ ...scope, table, key }));
  const policiesOf = (roles: Effective["roles"]): string[] => roles.flatMap((role) => role.policies);
  const method = { partition, namespace: token.authMethodNamespace };
  const home = homeOf(partition);
  return [
    ...of(token.scope, TOKENS, [token.accessorId]),
    ...of(method, AUTH_METHODS, token.authMethod === "" ? [] : [fold(token.authMethod)]),
    ...of(home, NAMESPACES, [namespace]),
    // The default partition is always there.
    ...of(home, PARTITIONS, partition === DEFAULT_SCOPE.partition ? [] : [partition]),
    ...of(token.scope, ROLES, token.roles),
    ...of(home, ROLES, defaults?.roles ?? []),
    ...of(token.scope, POLICIES, [...token.policies, ...policiesOf(effective.roles)]),
    ...of(home, POLICIES, [...(defaults?.policies ?? []), ...policiesOf(effective.defaults.roles)]),
  ];
}

/** Beyond this many rows a waiter watches their tables: it shall not take memory for each of thousands of links. */
const WATCHED_ROWS = 32;

/** Items that a waiter watches for these rows. */
export function watchedOf(rows: readonly Row[]): readonly Watched[] {
  if (rows.length <= WATCHED_ROWS) return rows;
  const tables = rows.map(({ partition, namespace, table }) => ({ partition, namespace, table }));
  return [...new Map(tables.map((watched) => [`${watched.namespace}/${watched.table}`, watched])).values()];
}
