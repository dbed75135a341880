/** Rights made from a few rules, without policies in storage. */
import { DEFAULT_SCOPE } from "../../src/rights/scope.ts";
import type { Rights } from "../../src/rights/actor.ts";
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import type { Permission, ResourceRule } from "../../src/rights/rules/rule.ts";

export type RuleKind = "organization" | "organization_prefix" | "workspace" | "workspace_prefix";

/** A rule as tests write it. */
export interface Rule {
  kind: RuleKind;
  segment: string;
  policy: Permission;
}

/** Rights of a token with one policy of these rules. */
export function compileRights(rules: readonly Rule[]): Rights {
  const parsed = rules.map(({ kind, segment, policy }): ResourceRule => ({
    resource: kind.startsWith("organization") ? "organization" : "workspace",
    prefix: kind.endsWith("_prefix"),
    segment,
    policy,
  }));
  const direct = [{ id: "test", name: "test", rules: parsed, home: DEFAULT_SCOPE, links: [] }];
  return compileAuthorizer({ direct, defaults: [], defaultPolicy: "deny" });
}

/** Rights of the first management token. */
export const ALL_RIGHTS = compileRights([{ kind: "organization_prefix", segment: "", policy: "write" }]);
