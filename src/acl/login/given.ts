/** What the rules that match give, once roles and policies are looked up where the token lies. */
import type { Reader } from "../../storage/database.ts";
import type { Bound } from "../bindings/compiled-binding-rules.ts";
import type { GrantsInput } from "../grants.ts";
import type { NamedLink } from "../links.ts";
import { isBuiltin as isBuiltinPolicy } from "../policies/builtin.ts";
import { findPolicyIds } from "../policies/store.ts";
import { findRoleIds } from "../roles/store.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";

/** What the rules give, with the links looked up. */
export interface Given {
  identities: Omit<GrantsInput, "policies">;
  policies: readonly NamedLink[];
  roles: readonly NamedLink[];
  /** Links to what is not there, or, those that are barred, not to be had by a computed name: they count for nothing. */
  skipped: readonly Bound[];
}

/** Looks up what rules link to, where the token lies. */
export async function lookUp(db: Reader, scope: Scope, bounds: readonly Bound[], datacenter: string): Promise<Given> {
  const of = (type: Bound["bindType"]) => bounds.filter(({ bindType }) => bindType === type);
  const [roles, policies] = await Promise.all([
    linksOf(of("role"), (names) => findRoleIds(db, scope, names)),
    linksOf(of("policy"), (names) => findPolicyIds(db, scope, names), isBuiltinPolicy),
  ]);
  return {
    identities: {
      serviceIdentities: of("service").map(({ name }) => ({ serviceName: name, datacenters: [] })),
      nodeIdentities: of("node").map(({ name }) => ({ nodeName: name, datacenter })),
      templatedPolicies: of("templated-policy").map(({ name, variableName }) => ({
        templateName: name,
        variableName,
        datacenters: [],
      })),
    },
    policies: policies.links,
    roles: roles.links,
    skipped: [...roles.skipped, ...policies.skipped],
  };
}

/** Whether it is anything at all. */
export function isNothing({ identities, policies, roles }: Given): boolean {
  const { serviceIdentities, nodeIdentities, templatedPolicies } = identities;
  return [serviceIdentities, nodeIdentities, templatedPolicies, policies, roles].every((list) => list.length === 0);
}

/** Whether it is looked up where the token lies. */
export function isLink({ bindType }: Bound): boolean {
  return bindType === "role" || bindType === "policy";
}

/**
 * Finds what bindings of one type link to, each once.
 *
 * @param find by names in lower case
 * @param isBarred by IDs, whether a computed name does not reach it: under whatever name, an operator may have renamed it
 */
async function linksOf(
  bounds: readonly Bound[],
  find: (names: string[]) => Promise<ReadonlyMap<string, NamedLink>>,
  isBarred: (id: string) => boolean = () => false,
): Promise<{ links: NamedLink[]; skipped: Bound[] }> {
  const asked = bounds.flatMap((bound) => (bound.isBarred ? [] : [fold(bound.name)]));
  const found = asked.length === 0 ? new Map<string, NamedLink>() : await find(asked);
  const links = new Map<string, NamedLink>();
  const skipped: Bound[] = [];
  for (const bound of bounds) {
    const link = bound.isBarred ? undefined : found.get(fold(bound.name));
    const isOutOfReach = bound.isBarred || (link !== undefined && bound.isComputed && isBarred(link.id));
    if (link === undefined || isOutOfReach) skipped.push({ ...bound, isBarred: isOutOfReach });
    else links.set(link.id, link);
  }
  return { links: [...links.values()], skipped };
}
