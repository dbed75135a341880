/** What other features may ask about tokens. */
export { HIDDEN } from "./secrets.ts";
export { countLoginTokens, hasTokensOfIdentity, listNamespacesOfMethod } from "./login-store.ts";
export { findTokenAnywhere, type Token } from "./store.ts";

/** Name under which changes of tokens are told. */
export const TOKENS = "tokens";
