/**
 * Row types of every table, in the spelling of the database. Times are ISO 8601
 * UTC text with milliseconds; booleans are 0 or 1; `*_key` columns hold a name
 * folded to lower case (ASCII), for look-up and order.
 */
export interface Tables {
  counters: CountersTable;
  table_indexes: TableIndexesTable;
  meta: MetaTable;
  data_keys: DataKeysTable;
  leases: LeasesTable;
  purges: PurgesTable;
  partitions: PartitionsTable;
  namespaces: NamespacesTable;
  policies: PoliciesTable;
  roles: RolesTable;
  tokens: TokensTable;
  auth_methods: AuthMethodsTable;
  binding_rules: BindingRulesTable;
  deleted_links: ScopeColumns & { id: string };
  deleted_methods: DeletedMethodsTable;
  idempotency_keys: IdempotencyKeysTable;
  used_login_states: UsedLoginStatesTable;
  organizations: OrganizationsTable;
  projects: ProjectsTable;
  workspaces: WorkspacesTable;
  tags: TagsTable;
  workspace_tags: WorkspaceTagsTable;
}

/** One row per organization and partition, and `root`: the lock of its writers. See `counters.ts`. */
export interface CountersTable {
  name: string;
  value: number;
}

/** Index of the last write in each table and namespace. See `feed-touches.ts`. */
export interface TableIndexesTable {
  /** `partition/namespace/table`. */
  name: string;
  value: number;
}

interface ProofColumn {
  /** Digest of the other columns; see `proofs.ts`. */
  proof: string;
}

/** Facts about the whole database, such as that it was bootstrapped. */
export interface MetaTable extends ProofColumn {
  name: string;
  value: string;
}

/** Keys that the master key wraps. See `keyring.ts`. */
export interface DataKeysTable {
  id: string;
  purpose: "lookup" | "data";
  /** Base64 of nonce, ciphertext and tag. */
  wrapped: string;
  created_at: string;
}

/** Who does the work that one node does alone. See `lease.ts`. */
export interface LeasesTable {
  name: string;
  holder: string;
  /** Grows each time the lease changes hands; every batch of its holder checks it. */
  fence: number;
  /** Seconds since the epoch by the database's clock. */
  expires_at: number;
}

/** What was deleted and still has rows that hang on it. See `purge.ts`. */
export interface PurgesTable {
  id: string;
  kind: "organization" | "tag";
  target: string;
  created_at: string;
}

/** Where an access-control object lies. */
interface ScopeColumns {
  partition: string;
  namespace: string;
}

/** Indexes of the partition's counter. */
interface IndexColumns {
  create_index: number;
  modify_index: number;
}

export interface PartitionsTable extends IndexColumns, ProofColumn {
  name: string;
  description: string;
  disable_gossip: number;
  /** When its deletion began; empty before. */
  deleted_at: string;
}

export interface NamespacesTable extends IndexColumns, ProofColumn {
  /** `partition/name`. */
  id: string;
  partition: string;
  name: string;
  description: string;
  /** JSON object of texts. */
  meta: string;
  /** 1 when it was written with defaults, also with empty ones. */
  has_defaults: number;
  /** JSON arrays of IDs of policies and roles of the partition's namespace `default`. */
  default_policies: string;
  default_roles: string;
  /** When its deletion began; empty before. */
  deleted_at: string;
}

export interface PoliciesTable extends ScopeColumns, IndexColumns, ProofColumn {
  id: string;
  name: string;
  name_key: string;
  description: string;
  /** As sent, in either spelling of the rule language. */
  rules: string;
  rules_digest: string;
  /** How many rules that is. */
  rule_count: number;
  /** JSON array of names; empty for all. */
  datacenters: string;
  hash: string;
}

/** What tokens and roles are given. Each is a JSON array. */
interface GrantColumns {
  /** IDs of policies. */
  policies: string;
  service_identities: string;
  node_identities: string;
  templated_policies: string;
}

export interface RolesTable extends ScopeColumns, IndexColumns, GrantColumns, ProofColumn {
  id: string;
  name: string;
  name_key: string;
  description: string;
  hash: string;
}

export interface TokensTable extends ScopeColumns, IndexColumns, GrantColumns, ProofColumn {
  accessor_id: string;
  /** HMAC-SHA-256 of the SecretID under the look-up key, base64url. */
  secret_lookup: string;
  /** The SecretID, sealed; see `keyring.ts`. */
  secret_sealed: string;
  description: string;
  /** JSON array of IDs of roles. */
  roles: string;
  is_local: number;
  /** Name of the auth method that it was made by, where that lies, and its ID; empty for none. */
  auth_method: string;
  auth_method_namespace: string;
  method_id: string;
  /** Whose login made it; null for nobody's, and where a server of an older version made it. */
  login_identity: string | null;
  /** RFC 3339 in UTC, with the fraction as it was given; empty for never. */
  expiration_time: string;
  /** The same in milliseconds since the epoch, rounded down. */
  expires_at: number | null;
  hash: string;
  created_at: string;
}

export interface AuthMethodsTable extends ScopeColumns, IndexColumns, ProofColumn {
  /** Never shown: a method that is deleted and made again has another. */
  id: string;
  name: string;
  name_key: string;
  type: string;
  display_name: string;
  description: string;
  /** Nanoseconds, in decimal: more than a number can hold. */
  max_token_ttl: string;
  token_locality: string;
  /** Its configuration as JSON, sealed; see `keyring.ts`. */
  config_sealed: string;
  /** JSON array. */
  namespace_rules: string;
  /** Index of the last write of one of its binding rules. */
  rules_index: number;
  /** What its binding rules take compiled, in bytes, about. */
  rules_weight: number;
}

export interface BindingRulesTable extends ScopeColumns, IndexColumns, ProofColumn {
  id: string;
  /** ID of the auth method, and its name as the rule was written with. */
  method_id: string;
  auth_method: string;
  description: string;
  selector: string;
  bind_type: string;
  bind_name: string;
  /** JSON object; empty for none. */
  bind_vars: string;
}

/** Auth methods that are gone and may have left tokens and rules. See `acl/deletion/`. */
export interface DeletedMethodsTable {
  id: string;
  partition: string;
  name: string;
  deleted_at: string;
}

/** Creations of binding rules that may be sent again. */
export interface IdempotencyKeysTable extends ScopeColumns {
  /** Digest of the token, the namespace and the key. */
  id: string;
  accessor_id: string;
  body_hash: string;
  rule_id: string;
  /** Milliseconds since the epoch. */
  expires_at: number;
}

/** States of OIDC logins that were used: each counts once. */
export interface UsedLoginStatesTable {
  id: string;
  /** Milliseconds since the epoch: it could not be used afterwards in any case. */
  expires_at: number;
}

export interface OrganizationsTable {
  /** Shown as `external-id`; never changes. */
  id: string;
  name: string;
  name_key: string;
  email: string;
  /** JSON object of the remaining attributes, by wire name. */
  settings: string;
  default_execution_mode: string;
  default_project_id: string;
  created_at: string;
  tag_count: number;
  workspace_count: number;
  project_count: number;
}

export interface ProjectsTable {
  id: string;
  organization_id: string;
  name: string;
  name_key: string;
  description: string;
  /** JSON object of the remaining attributes, by wire name. */
  settings: string;
  /** Empty while it follows the organization's. */
  default_execution_mode: string;
  created_at: string;
  workspace_count: number;
}

export interface WorkspacesTable {
  id: string;
  organization_id: string;
  project_id: string;
  name: string;
  name_key: string;
  /** JSON object of the remaining attributes, by wire name. */
  settings: string;
  locked: number;
  locked_reason: string;
  /** AccessorID of the token that locked it; empty when unlocked. */
  locked_by: string;
  created_at: string;
  updated_at: string;
  latest_change_at: string;
}

export interface TagsTable {
  id: string;
  organization_id: string;
  name: string;
  /** 1 when it was created in the pool: it stays without uses. */
  pinned: number;
  instance_count: number;
  created_at: string;
}

export interface WorkspaceTagsTable {
  workspace_id: string;
  tag_id: string;
  /** The workspace's `name_key`, so that the workspaces of a tag come in order from the index. */
  workspace_key: string;
  /** Order of adding on its workspace. */
  position: number;
}
