/**
 * Every table, declared once: its columns in the spelling and order of the database, what a column holds, and which
 * columns never change. Row types, the columns that statements name, inserts, updates, proofs and the objects of
 * `acl/kit/records.ts` come from here. The order of the columns of a table with proofs is the order of its proofs: a new one
 * goes behind `proof` and gets a proof of its own (`LATER` in `proofs.ts`). Times are ISO 8601 UTC text with milliseconds; `*_key` columns hold a name folded to
 * lower case (ASCII), for look-up and order.
 */

import { AUDIT_TABLES } from "./audit.ts";
import { DECISION_TABLES } from "./decisions.ts";
import { KEY_TABLES } from "./keys.ts";
import { INDEXES, PROOF, SCOPE } from "./scoped.ts";
import { TAG_TABLES } from "./tags.ts";
import { TOKEN_TABLES } from "./tokens.ts";
import { USE_TABLES } from "./uses.ts";
import { coded, fixed, flag, hidden, integer, key, list, made, plain, text } from "./column.ts";

export const TABLES = {
  /**
   * One row per organization and partition, and `root`: the lock of its writers, and the head of its chain of audit records.
   * See `counters.ts`.
   */
  counters: { name: text, value: integer, audit_seq: integer, audit_hash: text },
  /** Index of the last write in each table and namespace; the name is `partition/namespace/table`. See `feed/touches.ts`. */
  table_indexes: { name: text, value: integer },
  /** How much there is of what may be limited in number; triggers keep it. See `object-limits.ts`. */
  object_counts: { name: text, value: integer },
  /** Facts about the whole database, such as that it was bootstrapped. */
  meta: { name: key(text), value: text, ...PROOF },
  /** Holders of the work that one node does alone. See `lease.ts`. */
  leases: {
    name: text,
    holder: text,
    /** Grows each time the lease gets another holder; every batch of its holder checks it. */
    fence: integer,
    /** Seconds since the epoch by the database's clock. */
    expires_at: integer,
  },
  /** Deleted objects that other rows still depend on. See `purge.ts`. */
  purges: { id: text, kind: plain<"organization" | "tag" | "workspace">(), target: text, created_at: text },
  partitions: {
    name: key(text),
    description: text,
    disable_gossip: flag,
    /** Start of its deletion; empty before. */
    deleted_at: text,
    ...INDEXES,
    ...PROOF,
  },
  namespaces: {
    /** `partition/name`. */
    id: key(text),
    partition: fixed(text),
    name: fixed(text),
    description: text,
    meta: coded<string, Readonly<Record<string, string>>>(
      (json) => (json === "{}" ? {} : (JSON.parse(json) as Record<string, string>)),
      (value) => JSON.stringify(value),
    ),
    /** Whether it was written with defaults, also with empty ones. */
    has_defaults: flag,
    /** IDs of policies and roles of the partition's namespace `default`. */
    default_policies: list,
    default_roles: list,
    /** When its deletion began; empty before. */
    deleted_at: text,
    ...INDEXES,
    ...PROOF,
  },
  policies: {
    id: key(text),
    ...SCOPE,
    name: text,
    name_key: made,
    description: text,
    /** As sent, in either spelling of the rule language. */
    rules: text,
    /** How many rules that is. */
    rule_count: hidden(integer),
    /** Names of datacenters; empty for all. */
    datacenters: list,
    hash: hidden(text),
    ...INDEXES,
    rules_digest: made,
    ...PROOF,
  },
  roles: {
    id: key(text),
    ...SCOPE,
    name: text,
    name_key: made,
    description: text,
    /** IDs of policies. */
    policies: list,
    service_identities: list,
    node_identities: list,
    templated_policies: list,
    hash: hidden(text),
    ...INDEXES,
    ...PROOF,
  },
  tokens: {
    accessor_id: key(text),
    /** HMAC-SHA-256 of the SecretID under the look-up key, base64url. */
    secret_lookup: hidden(text),
    /** The SecretID, sealed; see `keyring.ts`. */
    secret_sealed: hidden(text),
    description: text,
    ...SCOPE,
    /** IDs of policies and roles. */
    policies: list,
    roles: list,
    service_identities: list,
    node_identities: list,
    templated_policies: list,
    is_local: fixed(flag),
    /** Name, namespace and ID of the auth method that created the token; empty for none. */
    auth_method: fixed(text),
    auth_method_namespace: fixed(text),
    method_id: hidden(fixed(text)),
    /** Identity whose login made the token; null for a token without login, or of a server of an older version. */
    login_identity: fixed(
      coded<string | null, string>(
        (stored) => stored ?? "",
        (value) => (value === "" ? null : value),
      ),
    ),
    /** RFC 3339 in UTC, with the fraction as it was given; empty for never. */
    expiration_time: fixed(text),
    /** The same in milliseconds since the epoch, rounded down. */
    expires_at: fixed(
      coded<number | null, number | undefined>(
        (stored) => stored ?? undefined,
        (value) => value ?? null,
      ),
    ),
    hash: hidden(text),
    created_at: fixed(text),
    ...INDEXES,
    ...PROOF,
    /** When it was disabled; empty for a token that counts. */
    disabled_at: text,
    disabled_proof: made,
  },
  auth_methods: {
    /** Never shown: a method that is deleted and made again has another. */
    id: key(text),
    ...SCOPE,
    name: fixed(text),
    name_key: fixed(made),
    type: fixed(text),
    display_name: text,
    description: text,
    /** Nanoseconds, in decimal: more than a number can hold. 0 is for ever. */
    max_token_ttl: coded<string, bigint>(BigInt, String),
    /** As it was given: empty is local. */
    token_locality: text,
    /** Its configuration as JSON, sealed; see `keyring.ts`. */
    config_sealed: hidden(text),
    namespace_rules: list,
    /** Index of the last write to one of its binding rules. */
    rules_index: hidden(integer),
    /** Approximate size of its compiled binding rules, in bytes. */
    rules_weight: hidden(integer),
    ...INDEXES,
    ...PROOF,
  },
  binding_rules: {
    id: key(text),
    ...SCOPE,
    /**
     * ID of the auth method, which distinguishes it from later ones of the same name, and its name as written in the
     * rule.
     */
    method_id: hidden(fixed(text)),
    auth_method: fixed(text),
    description: text,
    selector: text,
    bind_type: text,
    bind_name: text,
    /** The one variable that templated policies have; undefined where no variables were given. */
    bind_vars: coded<string, { name: string | undefined } | undefined>(
      (json) => (json === "" ? undefined : (JSON.parse(json) as { name: string | undefined })),
      (value) => (value === undefined ? "" : JSON.stringify(value)),
    ),
    ...INDEXES,
    ...PROOF,
  },
  /** Objects that directories of files own; see `acl/declarations`. */
  declarations: {
    id: key(text),
    ...SCOPE,
    name: text,
    name_key: made,
    description: text,
    /** Kind and place of each object. An audit record of a change lists the added and removed objects. */
    objects: hidden(list),
    ...INDEXES,
    ...PROOF,
  },
  /** Policies and roles that were deleted while others linked to them. See `acl/kit/link-store.ts`. */
  deleted_links: { id: key(text), ...SCOPE },
  /** Deleted auth methods that may have left tokens and rules. See `acl/deletion/`. */
  deleted_methods: { id: text, partition: text, name: text, deleted_at: text },
  /** Creations of binding rules, and rotations of tokens, that may be sent again. */
  idempotency_keys: {
    /** Digest of the token, the namespace and the key. */
    id: key(text),
    ...SCOPE,
    accessor_id: text,
    body_hash: text,
    /** The binding rule that was made; of a rotation, by which secret the token is found since, and until when older ones count. */
    rule_id: text,
    /** Milliseconds since the epoch. */
    expires_at: integer,
  },
  /** States of OIDC logins that were used: each counts once, and none after `expires_at` (ms since the epoch). */
  used_login_states: { id: text, expires_at: integer },
  organizations: {
    /** Shown as `external-id`; never changes. */
    id: text,
    name: text,
    name_key: hidden(text),
    email: text,
    /** JSON object of the remaining attributes, by wire name. */
    settings: text,
    default_execution_mode: text,
    default_project_id: text,
    created_at: text,
    tag_count: hidden(integer),
    workspace_count: hidden(integer),
    project_count: hidden(integer),
  },
  projects: {
    id: text,
    organization_id: text,
    name: text,
    name_key: hidden(text),
    description: text,
    /** JSON object of the remaining attributes, by wire name. */
    settings: text,
    /** Empty while it follows the organization's. */
    default_execution_mode: text,
    created_at: text,
    workspace_count: hidden(integer),
  },
  workspaces: {
    id: text,
    organization_id: text,
    project_id: text,
    name: text,
    name_key: hidden(text),
    /** JSON object of the remaining attributes, by wire name. */
    settings: text,
    locked: integer,
    locked_reason: text,
    /** AccessorID of the token that locked it; empty when unlocked. */
    locked_by: text,
    created_at: text,
    updated_at: hidden(text),
    latest_change_at: hidden(text),
  },
  ...DECISION_TABLES,
  ...USE_TABLES,
  ...TOKEN_TABLES,
  ...TAG_TABLES,
  ...AUDIT_TABLES,
  ...KEY_TABLES,
};

type StoredIn<C> = C extends { read(stored: infer Stored): unknown } ? Stored : never;

/** The row of each table. */
export type Tables = {
  [T in keyof typeof TABLES]: {
    [C in keyof (typeof TABLES)[T]]: StoredIn<(typeof TABLES)[T][C]>;
  };
};

/** The tables whose rows lie in namespaces. */
export type ScopedTable = {
  [T in keyof Tables]: Tables[T] extends { partition: string; namespace: string } ? T : never;
}[keyof Tables];

/** The column that a row of a table is found by. @throws Error for a table that declares none */
export function keyOf(table: keyof Tables): string {
  const found = Object.entries<{ readonly key?: true }>(TABLES[table]).find(([, column]) => column.key === true);
  if (found === undefined) throw new Error(`${table} declares no key`);
  return found[0];
}

const BY_TABLE = new Map(Object.entries(TABLES).map(([table, columns]) => [table, Object.keys(columns)]));

/**
 * The columns of a table, as this program knows them; undefined for one that is none of its own. On PostgreSQL `select *` is not
 * sent: a statement that was prepared before another version added or dropped a column fails from then on.
 */
export function columnsOf(table: string): readonly string[] | undefined {
  return BY_TABLE.get(table);
}
