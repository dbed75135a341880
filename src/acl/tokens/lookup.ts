/** What other features may ask about tokens. */
export { findTokenAnywhere, type Token } from "./store.ts";
