import { assemblePolicy, writePolicies } from "../../src/acl/policies/store.ts";
import { POLICIES } from "../../src/rights/kinds.ts";
import { parseInSteps } from "../../src/rights/rules/parse.ts";
import { countRules } from "../../src/rights/rules/rule.ts";
import { DEFAULT_SCOPE, type Scope } from "../../src/rights/scope.ts";
import { newUuid } from "../../src/rights/uuid.ts";
import { changeIn } from "../../src/acl/kit/write.ts";
import type { Database } from "../../src/storage/database.ts";
import { atOnce } from "../../src/turns.ts";

/** Writes a policy as servers wrote it whose grammar knew more tolerance. @returns its ID */
export async function writeEarlierPolicy(
  db: Database,
  name: string,
  rules: string,
  scope: Scope = DEFAULT_SCOPE,
): Promise<string> {
  const id = newUuid();
  const count = countRules(atOnce(parseInSteps(rules, "enterprise", { grammar: "earlier" })));
  await changeIn({ db }, scope, async (tx, change) => {
    const index = await tx.index();
    const base = { id, scope, createIndex: index, modifyIndex: index };
    writePolicies.insert(tx, assemblePolicy(base, { name, description: "", rules, datacenters: [] }, count, "earlier"));
    change(POLICIES, id);
  });
  return id;
}
