/** The namespace rules of auth methods as logins ask them: compiled once for each version of the method, and kept. */
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { regularExpressions } from "../bindings/regular-expressions.ts";
import type { AuthMethod } from "./store.ts";
import { compileNamespaceRules, type CompiledNamespaceRules } from "./namespace-rules.ts";

export interface KeptNamespaceRules {
  /** The rules of a method, as of its `modifyIndex`. */
  of(method: Pick<AuthMethod, "id" | "modifyIndex" | "namespaceRules">): Promise<CompiledNamespaceRules>;
  /** Memory of what is kept, about. */
  bytes(): number;
}

interface Kept {
  readonly modifyIndex: number;
  readonly rules: Promise<CompiledNamespaceRules>;
  /** Once they are there. */
  compiled: CompiledNamespaceRules | undefined;
}

/** Of memory, about: rules of the largest size for ten methods, or ordinary ones for thousands. */
const MAX_BYTES = 16 * 1024 * 1024;

/** @param maxBytes that are kept; the rules that were used last are at any size */
export function keepNamespaceRules(engine: RegularExpressions, maxBytes = MAX_BYTES): KeptNamespaceRules {
  /** By the methods' IDs, the one that was used last at the end. */
  const kept = new Map<string, Kept>();
  let total = 0;

  function forget(id: string): void {
    total -= kept.get(id)?.compiled?.bytes ?? 0;
    kept.delete(id);
  }

  function settle(id: string, entry: Kept, compiled: CompiledNamespaceRules): void {
    if (kept.get(id) !== entry) return;
    entry.compiled = compiled;
    total += compiled.bytes;
    for (const oldest of kept.keys()) {
      if (total <= maxBytes || kept.size === 1) return;
      forget(oldest);
    }
  }

  return {
    bytes: () => total,
    of({ id, modifyIndex, namespaceRules }) {
      const known = kept.get(id);
      if (known?.modifyIndex === modifyIndex) {
        kept.delete(id);
        kept.set(id, known);
        return known.rules;
      }
      forget(id);
      const entry: Kept = { modifyIndex, rules: compileNamespaceRules(namespaceRules, engine), compiled: undefined };
      kept.set(id, entry);
      entry.rules.then(
        (compiled) => settle(id, entry, compiled),
        () => {
          if (kept.get(id) === entry) forget(id);
        },
      );
      return entry.rules;
    },
  };
}

/** Those of this process. */
export const namespaceRulesOfMethods = keepNamespaceRules(regularExpressions.lazy);
