/** The binding rules of auth methods as logins ask them: compiled once for each version, and kept. */
import { keepVersions } from "../../limits/kept-versions.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Database } from "../../storage/database.ts";
import type { AuthMethod } from "../auth-methods/store.ts";
import {
  compileBindingRules,
  type CompiledBindingRules,
  type StoredBindingRule,
} from "../bindings/compiled-binding-rules.ts";
import { listBindingRulesOfMethod } from "../binding-rules/store.ts";

export interface BindingRuleSets {
  /**
   * The rules as of the method's `rulesIndex`, or later ones: whoever finds that index unchanged afterwards has seen
   * the rules that it stands for.
   */
  of(method: Pick<AuthMethod, "id" | "rulesIndex">): Promise<CompiledBindingRules>;
  /** Memory of what is kept, about. */
  bytes(): number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Rows that are read at a time. */
const SLICE = 1000;
/** An entry itself, and a method without rules. */
const ENTRY_BYTES = 500;

/** @param engine of the patterns of the rules, which were checked when they were written */
export function createBindingRuleSets(db: Database, engine: RegularExpressions): BindingRuleSets {
  const kept = keepVersions<CompiledBindingRules>({ maxBytes: MAX_BYTES, entryBytes: ENTRY_BYTES });

  async function load(id: string, previous: CompiledBindingRules | undefined): Promise<CompiledBindingRules> {
    const stored: StoredBindingRule[] = [];
    let slice: StoredBindingRule[];
    do {
      slice = await listBindingRulesOfMethod(db.long, id, stored.at(-1)?.id ?? "", SLICE);
      stored.push(...slice);
    } while (slice.length === SLICE);
    return compileBindingRules(stored, engine, previous);
  }

  return {
    bytes: () => kept.bytes(),
    of: ({ id, rulesIndex }) =>
      // One that was read later will do: a login that has an older method is told so when it is written.
      kept.of(
        id,
        rulesIndex,
        (previous) => load(id, previous),
        (known) => known >= rulesIndex,
      ),
  };
}
