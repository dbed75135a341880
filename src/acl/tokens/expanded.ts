import type { Context } from "../../context.ts";
import { readEffective, type Effective } from "../effective.ts";
import { readLinkNames, type LinkNames, type NamedLink } from "../kit/links.ts";
import { findNamespace } from "../namespaces/store.ts";
import { renderPolicy } from "../policies/schema.ts";
import type { Policy } from "../policies/store.ts";
import { type RenderScope, homeOf } from "../../rights/scope.ts";
import { renderRole } from "../roles/schema.ts";
import type { AccessOptions } from "./resolve.ts";
import type { LinkedToken } from "./linked.ts";

/** All that a token has by way of its links, with the names of what its roles link to. */
export interface Expanded extends Effective<Policy> {
  names: LinkNames;
  /** Links that the namespace grants to all its tokens. */
  given: { policies: NamedLink[]; roles: NamedLink[] };
}

/** Reads the data of a token that `?expanded` adds. */
export async function expandToken({ db }: Context, token: LinkedToken, options: AccessOptions): Promise<Expanded> {
  const holder = {
    ...token,
    policies: token.policies.map((link) => link.id),
    roles: token.roles.map((link) => link.id),
  };
  const namespace = await findNamespace(db, token.scope);
  const effective = await readEffective(db, holder, namespace?.defaults, options.datacenter);
  const given = namespace?.defaults ?? { policies: [], roles: [] };
  const scope = homeOf(token.scope.partition);
  const names = await readLinkNames(db, [...effective.roles, ...effective.defaults.roles, { ...given, scope }]);
  return {
    ...effective,
    names,
    given: { policies: names.policies(scope, given.policies), roles: names.roles(scope, given.roles) },
  };
}

/** The members that `?expanded` adds to a token. */
export function renderExpanded(expanded: Expanded, options: AccessOptions, renderScope: RenderScope) {
  const { names, defaults, given } = expanded;
  const policies = distinct([...expanded.policies, ...defaults.policies].map(({ policy }) => policy));
  const roles = distinct([...expanded.roles, ...defaults.roles]);
  return {
    ExpandedPolicies: orNull(policies.map((policy) => renderPolicy(policy, renderScope))),
    ExpandedRoles: orNull(
      roles.map((role) => renderRole({ ...role, policies: names.policies(role.scope, role.policies) }, renderScope)),
    ),
    NamespaceDefaultPolicyIDs: idsOf(given.policies),
    NamespaceDefaultRoleIDs: idsOf(given.roles),
    AgentACLDefaultPolicy: options.defaultPolicy,
    AgentACLDownPolicy: "extend-cache",
    ResolvedByAgent: options.nodeName,
  };
}

/** Removes duplicates: a link that a token has both itself and by default is shown once. */
function distinct<T extends { id: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map((each) => [each.id, each])).values()];
}

function idsOf(links: readonly NamedLink[]): string[] | null {
  return orNull(links.map(({ id }) => id));
}

/** Returns null for an empty list, as Go writes a nil slice. */
function orNull<T>(list: T[]): T[] | null {
  return list.length === 0 ? null : list;
}
