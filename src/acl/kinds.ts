/**
 * The kinds of objects that access control is made of. The change feed, its events and waits, the removal of namespaces
 * and of partitions take from this list what there is; a new kind is one entry more.
 */
import type { Tables } from "../storage/tables.ts";

/** A kind of objects that lie in namespaces. */
export interface ScopedKind {
  table: keyof Tables & ("tokens" | "binding_rules" | "auth_methods" | "idempotency_keys" | "roles" | "policies");
  /** Name under which changes are told; undefined when nobody is told. */
  topic: string | undefined;
  key: "accessor_id" | "id";
  /** Column of an index of its scope, which lists are in order of: without one PostgreSQL may walk the whole table for a few rows. */
  order: "name_key" | "id" | "accessor_id";
  /** What the change feed calls an object: the column of its key, or of its name where paths have that. */
  told: "accessor_id" | "id" | "name_key";
}

export const TOKENS = "tokens";
/** An empty key is several of them. */
export const BINDING_RULES = "binding-rules";
/** Keys are folded names. */
export const AUTH_METHODS = "auth-methods";
export const ROLES = "roles";
export const POLICIES = "policies";
/** Told under the namespace `default` of their partition. */
export const NAMESPACES = "namespaces";
/** Told under the namespace `default` of their own. */
export const PARTITIONS = "partitions";

/**
 * In the order in which a namespace is emptied: first who may do something, last what says what may be done, so that no
 * step leaves anybody with more rights than before.
 */
export const SCOPED_KINDS: readonly ScopedKind[] = [
  { table: "tokens", topic: TOKENS, key: "accessor_id", order: "accessor_id", told: "accessor_id" },
  { table: "binding_rules", topic: BINDING_RULES, key: "id", order: "id", told: "id" },
  { table: "auth_methods", topic: AUTH_METHODS, key: "id", order: "name_key", told: "name_key" },
  { table: "idempotency_keys", topic: undefined, key: "id", order: "id", told: "id" },
  { table: "roles", topic: ROLES, key: "id", order: "name_key", told: "id" },
  { table: "policies", topic: POLICIES, key: "id", order: "name_key", told: "id" },
];

/** Topics of what lies in namespaces. */
export const SCOPED_TOPICS: readonly string[] = SCOPED_KINDS.flatMap(({ topic }) => topic ?? []);
