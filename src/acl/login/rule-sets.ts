/** The binding rules of auth methods as logins ask them: compiled once for each version, and kept. */
import type { Database } from "../../storage/database.ts";
import type { AuthMethod } from "../auth-methods/store.ts";
import { compileRules, type CompiledRules, type StoredRule } from "../bindings/compiled-rules.ts";
import { listRulesOfMethod } from "../binding-rules/store.ts";
import { regularExpressions } from "../bindings/regular-expressions.ts";

export interface RuleSets {
  /**
   * The rules as of the method's `rulesIndex`, or later ones: whoever finds that index unchanged afterwards has seen
   * the rules that it stands for.
   */
  of(method: Pick<AuthMethod, "id" | "rulesIndex">): Promise<CompiledRules>;
  /** Memory of what is kept, about. */
  bytes(): number;
}

interface Kept {
  rulesIndex: number;
  rules: Promise<CompiledRules>;
  /** Once they are there. */
  compiled: CompiledRules | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Rows that are read at a time. */
const SLICE = 1000;
/** An entry itself, and a method without rules. */
const ENTRY_BYTES = 500;

export function createRuleSets(db: Database): RuleSets {
  /** By the methods' IDs, the one that was used last at the end. */
  const kept = new Map<string, Kept>();

  const bytesOf = (entry: Kept): number => ENTRY_BYTES + (entry.compiled?.bytes ?? 0);
  const bytes = (): number => [...kept.values()].reduce((sum, entry) => sum + bytesOf(entry), 0);
  let isFull = false;

  function trim(): void {
    let total = bytes();
    isFull = total > MAX_BYTES / 2;
    for (const [id, entry] of kept) {
      if (total <= MAX_BYTES || kept.size === 1) return;
      kept.delete(id);
      total -= bytesOf(entry);
    }
  }

  async function load(id: string, previous: CompiledRules | undefined): Promise<CompiledRules> {
    const stored: StoredRule[] = [];
    let slice: StoredRule[];
    do {
      slice = await listRulesOfMethod(db.long, id, stored.at(-1)?.id ?? "", SLICE);
      stored.push(...slice);
    } while (slice.length === SLICE);
    return compileRules(stored, regularExpressions.lazy, previous);
  }

  return {
    bytes,
    of({ id, rulesIndex }) {
      const known = kept.get(id);
      // One that was read later will do: a login that has an older method is told so when it is written.
      if (known !== undefined && known.rulesIndex >= rulesIndex) {
        if (isFull) kept.delete(id);
        if (isFull) kept.set(id, known);
        return known.rules;
      }
      const entry: Kept = { rulesIndex, rules: load(id, known?.compiled), compiled: undefined };
      kept.delete(id);
      kept.set(id, entry);
      entry.rules.then(
        (compiled) => {
          entry.compiled = compiled;
          trim();
        },
        () => {
          if (kept.get(id) === entry) kept.delete(id);
        },
      );
      return entry.rules;
    },
  };
}
