/** The namespace rules of auth methods as logins ask them: compiled once for each version of the method, and kept. */
import { keepVersions } from "../../limits/kept-versions.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { AuthMethod } from "./store.ts";
import { compileNamespaceRules, type CompiledNamespaceRules } from "./namespace-rules.ts";

export interface KeptNamespaceRules {
  /** The rules of a method, as of its `modifyIndex`. */
  of(method: Pick<AuthMethod, "id" | "modifyIndex" | "namespaceRules">): Promise<CompiledNamespaceRules>;
  /** Memory of what is kept, about. */
  bytes(): number;
}

/** Of memory, about: rules of the largest size for ten methods, or ordinary ones for thousands. */
const MAX_BYTES = 16 * 1024 * 1024;

/** @param maxBytes that are kept; the rules that were used last are at any size */
export function keepNamespaceRules(engine: RegularExpressions, maxBytes = MAX_BYTES): KeptNamespaceRules {
  const kept = keepVersions<CompiledNamespaceRules>({ maxBytes });
  return {
    bytes: () => kept.bytes(),
    of: ({ id, modifyIndex, namespaceRules }) =>
      kept.of(id, modifyIndex, () => compileNamespaceRules(namespaceRules, engine)),
  };
}
