/** Options that limit what callers do and how much they keep; part of `options.ts`. */
import type { ObjectLimits } from "../storage/writes/object-limits.ts";
import type { Option } from "./option.ts";
import { rates } from "./rates.ts";
import * as values from "./values.ts";

export const LIMIT_OPTIONS = [
  {
    name: "rate-limit",
    ...rates,
    help: "Maximum reads and writes per minute for each token (burst allowed). Requests without a token are counted by client address. Further requests get 429. 0 disables a limit. Each process counts separately.",
  },
  {
    name: "rate-limit-per-address",
    ...rates,
    help: "Maximum reads and writes per minute per client address, across all its tokens (burst allowed). Further requests get 429. 0 disables a limit. IPv6: per /64 network.",
  },
  {
    name: "rate-limit-exempt",
    ...values.choice("none", "management"),
    default: "none",
    help: "management: --rate-limit does not apply to tokens with the policy global-management.",
  },
  {
    name: "max-auth-methods",
    ...values.count,
    default: "100",
    help: "Maximum number of auth methods per namespace. Over the limit: 403 (/v1) or 422 (/api/v2).",
  },
  {
    name: "max-tokens-per-namespace",
    ...values.count,
    help: "Maximum number of tokens per namespace, including login tokens and the anonymous token. Default: no limit.",
  },
  {
    name: "max-policies-per-namespace",
    ...values.count,
    help: "Maximum number of policies per namespace, including built-in policies. Default: no limit.",
  },
  {
    name: "max-roles-per-namespace",
    ...values.count,
    help: "Maximum number of roles per namespace. Default: no limit.",
  },
  {
    name: "max-binding-rules-per-namespace",
    ...values.count,
    help: "Maximum number of binding rules per namespace. Default: no limit.",
  },
  {
    name: "max-organizations",
    ...values.count,
    help: "Maximum number of organizations. Default: no limit.",
  },
  {
    name: "max-partitions",
    ...values.count,
    help: "Maximum number of partitions, including default and partitions being deleted. Default: no limit.",
  },
  {
    name: "max-namespaces",
    ...values.count,
    help: "Maximum number of namespaces per partition, including default and namespaces being deleted. Default: no limit.",
  },
  {
    name: "max-tags-per-organization",
    ...values.count,
    help: "Maximum number of tags per organization, including tag keys. Default: no limit.",
  },
  {
    name: "max-workspaces-per-organization",
    ...values.count,
    help: "Maximum number of workspaces per organization. Default: no limit.",
  },
  {
    name: "max-projects-per-organization",
    ...values.count,
    help: "Maximum number of projects per organization. Default: no limit.",
  },
] as const satisfies readonly Option[];

/** The values of those that bound how many objects there may be. */
export interface ObjectLimitValues {
  maxAuthMethods: number;
  maxTokensPerNamespace: number | undefined;
  maxPoliciesPerNamespace: number | undefined;
  maxRolesPerNamespace: number | undefined;
  maxBindingRulesPerNamespace: number | undefined;
  maxOrganizations: number | undefined;
  maxPartitions: number | undefined;
  maxNamespaces: number | undefined;
  maxTagsPerOrganization: number | undefined;
  maxWorkspacesPerOrganization: number | undefined;
  maxProjectsPerOrganization: number | undefined;
}

/** Returns the limits by kind of object. @param given may be incomplete in tests */
export function objectLimitsOf(given: Partial<ObjectLimitValues>): ObjectLimits {
  return {
    auth_methods: given.maxAuthMethods,
    tokens: given.maxTokensPerNamespace,
    policies: given.maxPoliciesPerNamespace,
    roles: given.maxRolesPerNamespace,
    binding_rules: given.maxBindingRulesPerNamespace,
    organizations: given.maxOrganizations,
    partitions: given.maxPartitions,
    namespaces: given.maxNamespaces,
    tags: given.maxTagsPerOrganization,
    workspaces: given.maxWorkspacesPerOrganization,
    projects: given.maxProjectsPerOrganization,
  };
}
