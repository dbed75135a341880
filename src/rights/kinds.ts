/**
 * The kinds of objects that access control is made of. The change feed, its events and waits, the removal of namespaces
 * and of partitions take from this list what there is; a new kind is one entry more.
 */
import type { ScopedTable } from "../storage/tables/tables.ts";

/** A kind of objects that lie in namespaces. */
export interface ScopedKind {
  table: Exclude<ScopedTable, "deleted_links">;
  /** Topic of the events of changes; undefined: no events. */
  topic: string | undefined;
  /** Column by which the change feed names an object, when paths contain its name. Default: its key. */
  told?: "name_key";
}

export const TOKENS = "tokens";
/** An empty key is several of them. */
export const BINDING_RULES = "binding-rules";
/** Keys are folded names. */
export const AUTH_METHODS = "auth-methods";
export const ROLES = "roles";
export const POLICIES = "policies";
export const DECLARATIONS = "declarations";
/** Keys are folded names. */
export const DECISION_MAPPINGS = "decision-mappings";
/** Sessions of the console: told where their tokens lie, to who has a session alone. */
export const SESSIONS = "console-sessions";
/** Changes are reported under the namespace `default` of their partition. */
export const NAMESPACES = "namespaces";
/** Changes are reported under the namespace `default` of the partition itself. */
export const PARTITIONS = "partitions";

/**
 * Kinds in the order in which a namespace is emptied: first the objects that have permissions, last the objects that
 * define permissions. No step leaves a token with more permissions than before.
 */
export const SCOPED_KINDS: readonly ScopedKind[] = [
  { table: "tokens", topic: TOKENS },
  { table: "token_revocations", topic: undefined },
  { table: "binding_rules", topic: BINDING_RULES },
  { table: "auth_methods", topic: AUTH_METHODS, told: "name_key" },
  { table: "idempotency_keys", topic: undefined },
  { table: "decision_mappings", topic: DECISION_MAPPINGS, told: "name_key" },
  { table: "roles", topic: ROLES },
  { table: "policies", topic: POLICIES },
  { table: "declarations", topic: DECLARATIONS },
  { table: "use_rows", topic: undefined },
  { table: "trash", topic: undefined },
  { table: "views", topic: undefined },
];

/** Topics of what lies in namespaces. */
export const SCOPED_TOPICS: readonly string[] = SCOPED_KINDS.flatMap(({ topic }) => topic ?? []);
