/** Objects that are limited in number: the noun in messages, the place that contains them, and the option for it. */
export const KINDS = {
  organizations: { noun: "organizations", of: "database", option: "max-organizations" },
  partitions: { noun: "partitions", of: "database", option: "max-partitions" },
  tokens: { noun: "tokens", of: "namespace", option: "max-tokens-per-namespace" },
  policies: { noun: "policies", of: "namespace", option: "max-policies-per-namespace" },
  roles: { noun: "roles", of: "namespace", option: "max-roles-per-namespace" },
  auth_methods: { noun: "auth methods", of: "namespace", option: "max-auth-methods" },
  binding_rules: { noun: "binding rules", of: "namespace", option: "max-binding-rules-per-namespace" },
  namespaces: { noun: "namespaces", of: "partition", option: "max-namespaces" },
  tags: { noun: "tags", of: "organization", option: "max-tags-per-organization" },
  workspaces: { noun: "workspaces", of: "organization", option: "max-workspaces-per-organization" },
  projects: { noun: "projects", of: "organization", option: "max-projects-per-organization" },
} as const;

export type CountedKind = keyof typeof KINDS;

/**
 * Objects of a kind in one place: `partition/namespace`, a partition, the ID of an organization, or empty for the whole
 * database.
 */
export interface Counted {
  kind: CountedKind;
  place: string;
}
