import type { Context } from "../../context.ts";
import { readEffective, type Effective } from "../effective.ts";
import { readLinkNames, type LinkNames } from "../links.ts";
import { renderPolicy } from "../policies/schema.ts";
import type { RenderScope } from "../render-scope.ts";
import { renderRole } from "../roles/schema.ts";
import type { AccessSettings } from "./resolve.ts";
import type { LinkedToken } from "./service.ts";

/** All that a token has by way of its links, with the names of what its roles link to. */
export interface Expanded extends Effective {
  names: LinkNames;
}

/** Reads what `?expanded` shows of a token. */
export async function expandToken({ db }: Context, token: LinkedToken, settings: AccessSettings): Promise<Expanded> {
  const holder = {
    ...token,
    policies: token.policies.map((link) => link.id),
    roles: token.roles.map((link) => link.id),
  };
  const effective = await readEffective(db, holder, settings.datacenter);
  return { ...effective, names: await readLinkNames(db, token.scope, effective.roles) };
}

/** The members that `?expanded` adds to a token. */
export function renderExpanded(expanded: Expanded, settings: AccessSettings, renderScope: RenderScope) {
  const { names } = expanded;
  return {
    ExpandedPolicies: expanded.policies.map(({ policy }) => renderPolicy(policy, renderScope)),
    ExpandedRoles: expanded.roles.map((role) =>
      renderRole({ ...role, policies: names.policies(role.policies) }, renderScope),
    ),
    NamespaceDefaultPolicyIDs: null,
    NamespaceDefaultRoleIDs: null,
    AgentACLDefaultPolicy: settings.defaultPolicy,
    AgentACLDownPolicy: "extend-cache",
    ResolvedByAgent: settings.nodeName,
  };
}
