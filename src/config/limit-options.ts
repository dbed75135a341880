/** Options that limit what callers do and how much they keep; part of `options.ts`. */
import type { ObjectLimits } from "../storage/writes/object-limits.ts";
import type { Option } from "./option.ts";
import { rates } from "./rates.ts";
import * as values from "./values.ts";

export const LIMIT_OPTIONS = [
  {
    name: "rate-limit",
    ...rates,
    help: "Reads and writes a minute of one token, and of one address without a token, which all at once may use up; more are answered 429. 0 for no limit of one. Each process counts by itself, with --threads each thread its reads.",
  },
  {
    name: "rate-limit-per-address",
    ...rates,
    help: "The same of one address with all its tokens, counted beside them; an IPv6 address stands for its network of 64 bits.",
  },
  {
    name: "rate-limit-exempt",
    ...values.choice("none", "management"),
    default: "none",
    help: "management leaves tokens with the policy global-management out of --rate-limit.",
  },
  {
    name: "max-auth-methods",
    ...values.count,
    default: "100",
    help: "Auth methods that one namespace may hold; another one is refused with 403, under /api/v2 what is over such a limit with 422.",
  },
  {
    name: "max-tokens-per-namespace",
    ...values.count,
    help: "Tokens that one namespace may hold, those of logins and the anonymous one among them. Any number unless it is given, here and below.",
  },
  {
    name: "max-policies-per-namespace",
    ...values.count,
    help: "The same of policies, built-in ones among them.",
  },
  {
    name: "max-roles-per-namespace",
    ...values.count,
    help: "The same of roles.",
  },
  {
    name: "max-binding-rules-per-namespace",
    ...values.count,
    help: "The same of binding rules.",
  },
  {
    name: "max-organizations",
    ...values.count,
    help: "Organizations that the database may hold.",
  },
  {
    name: "max-partitions",
    ...values.count,
    help: "The same of partitions, default and those that are being deleted among them.",
  },
  {
    name: "max-namespaces",
    ...values.count,
    help: "Namespaces that one partition may hold, default and those that are being deleted among them.",
  },
  {
    name: "max-tags-per-organization",
    ...values.count,
    help: "Tags that one organization may hold, keys among them.",
  },
  {
    name: "max-workspaces-per-organization",
    ...values.count,
    help: "The same of workspaces.",
  },
  {
    name: "max-projects-per-organization",
    ...values.count,
    help: "The same of projects.",
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
