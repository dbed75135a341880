/** What other features may ask about policies. */
export { POLICIES } from "./builtin.ts";
export { countRules, findPolicies, findPolicyByName, findPolicyNames, type Policy } from "./store.ts";
