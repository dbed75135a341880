/** Finds the objects that binding rules give to logins: roles with their policies, and policies. */
import type { BindingRule } from "../../acl/binding-rules/store.ts";
import { findIds } from "../../acl/kit/link-store.ts";
import { readLinkNames } from "../../acl/kit/links.ts";
import { roleStore } from "../../acl/roles/store.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";
import type { ObjectUse, UseLink } from "./use.ts";

/** Maximum number of policies of a role. */
const MOST_POLICIES = 20;

/** Objects that binding rules give. */
export interface Gifts {
  linkOf(rule: BindingRule): UseLink;
  /** The roles among them, in order of names, with the first policies of each. */
  roles: ObjectUse[];
}

/** @param rules few: the names of all of them are looked up together */
export async function giftsOf(db: Reader, scope: Scope, rules: readonly BindingRule[]): Promise<Gifts> {
  const namesOf = (type: string) =>
    rules.filter(({ bindType }) => bindType === type).map(({ bindName }) => fold(bindName));
  const [roleIds, policyIds] = await Promise.all([
    findIds(db, "roles", scope, [...new Set(namesOf("role"))]),
    findIds(db, "policies", scope, [...new Set(namesOf("policy"))]),
  ]);
  const roles = await roleStore.all(
    db,
    scope,
    [...roleIds.values()].map(({ id }) => id),
  );
  const policies = roles.map((role) => ({ ...role, policies: role.policies.slice(0, MOST_POLICIES) }));
  const names = await readLinkNames(db, policies);
  return {
    linkOf({ bindType, bindName }) {
      const ids = bindType === "role" ? roleIds : bindType === "policy" ? policyIds : undefined;
      const found = ids?.get(fold(bindName));
      return { kind: bindType, id: found?.id, name: found?.name ?? bindName };
    },
    roles: policies
      .toSorted((one, other) => (fold(one.name) < fold(other.name) ? -1 : 1))
      .map((role) => ({
        id: role.id,
        name: role.name,
        scope,
        links: names.policies(scope, role.policies).map(({ id, name }) => ({ kind: "policy" as const, id, name })),
      })),
  };
}
