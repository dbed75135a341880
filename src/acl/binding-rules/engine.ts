import { createRegularExpressions } from "./regular-expressions.ts";

/** The regular expressions of all selectors: they share what is compiled. */
export const regularExpressions = createRegularExpressions();
