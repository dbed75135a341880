/** What other features may ask about auth methods. */
export {
  findMethod,
  findMethodById,
  listMethodsOfType,
  noteRulesChange,
  type AuthMethod,
  type PublicMethod,
} from "./store.ts";

/** Name under which changes of auth methods are told; their keys are folded names. */
export const AUTH_METHODS = "auth-methods";
