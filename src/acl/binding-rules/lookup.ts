/** What other features may ask about binding rules. */
export { findRule, listRulesOfMethod } from "./store.ts";

/** Name under which changes of binding rules are told; an empty key is several of them. */
export const BINDING_RULES = "binding-rules";
