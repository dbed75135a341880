/** What other features may ask about policies. */
export { insertNamespaceManagement, isBuiltin as isBuiltinPolicy, POLICIES } from "./builtin.ts";
export {
  findPolicies,
  findPolicyByName,
  findPolicyIds,
  findPolicyNames,
  sizeOfPolicies,
  type Policy,
} from "./store.ts";
