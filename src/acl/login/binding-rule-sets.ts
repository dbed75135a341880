/** The binding rules of auth methods as logins ask them: compiled once for each version, and kept. */
import { keepVersions } from "../../limits/kept-versions.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Database } from "../../storage/database.ts";
import type { AuthMethod } from "../auth-methods/store.ts";
import {
  compileBindingRules,
  type CompiledBindingRules,
  type StoredBindingRule,
  type UnchangedBindingRule,
} from "../bindings/compiled-binding-rules.ts";
import { listBindingRulesOfMethod, listVersionsOfMethod, readBindingRulesOfMethod } from "../binding-rules/store.ts";

export interface BindingRuleSets {
  /**
   * Returns the rules as of the method's `rulesIndex`, or later ones. A caller who finds that index unchanged
   * afterwards has seen the rules of that index.
   */
  of(method: Pick<AuthMethod, "id" | "rulesIndex">): Promise<CompiledBindingRules>;
  /** The set that is kept of a method, which may be older than its rules; undefined where none is. */
  kept(methodId: string): CompiledBindingRules | undefined;
  /**
   * Counts a rule that was written, or may have been.
   *
   * @param method as the write read it
   * @param index of the write
   */
  noteWrite(method: Pick<AuthMethod, "id" | "rulesIndex">, index: number): void;
  /** Returns the maximum number of rules that were written after the newest one of the kept set; undefined without a set. */
  writtenSince(method: Pick<AuthMethod, "id" | "rulesIndex">): number | undefined;
  /** Memory of what is kept, about. */
  bytes(): number;
}

/** Writes after the newest rule of a set: at most `count` of them up to `index`. */
interface Writes {
  readonly index: number;
  readonly count: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Rows that are read at a time. */
const SLICE = 1000;
/** The same of those that are short. */
const VERSIONS = 20_000;
/** An entry itself, and a method without rules. */
const ENTRY_BYTES = 500;

/** @param engine of the patterns of the rules, which were checked when they were written */
export function createBindingRuleSets(db: Database, engine: RegularExpressions): BindingRuleSets {
  const kept = keepVersions<CompiledBindingRules>({ maxBytes: MAX_BYTES, entryBytes: ENTRY_BYTES, newerServes: true });

  /** For rules that were compiled before, reads only the rules that have changed since, which their versions show. */
  async function load(id: string, previous: CompiledBindingRules | undefined): Promise<CompiledBindingRules> {
    if (previous === undefined) {
      const stored = await all((after) => listBindingRulesOfMethod(db.long, id, after, SLICE), SLICE);
      return compileBindingRules(stored, engine);
    }
    const versions = await all((after) => listVersionsOfMethod(db.long, id, after, VERSIONS), VERSIONS);
    const known = new Map(previous.bindingRules.map((each) => [each.id, each.modifyIndex]));
    const isUnchanged = (version: UnchangedBindingRule) => known.get(version.id) === version.modifyIndex;
    const changed = versions.filter((version) => !isUnchanged(version)).map((version) => version.id);
    const read: StoredBindingRule[] = [];
    for (let from = 0; from < changed.length; from += SLICE) {
      read.push(...(await readBindingRulesOfMethod(db.long, id, changed.slice(from, from + SLICE))));
    }
    return compileBindingRules([...versions.filter(isUnchanged), ...read], engine, previous);
  }

  /** By the set that they follow, and gone with it. */
  const writes = new WeakMap<CompiledBindingRules, Writes>();
  const writesAfter = (set: CompiledBindingRules): Writes => writes.get(set) ?? { index: set.newest, count: 0 };
  /** Other servers write too: each index in between may be a write of theirs. */
  const writesUpTo = (set: CompiledBindingRules, index: number): number => {
    const known = writesAfter(set);
    return known.count + Math.max(0, index - known.index);
  };

  return {
    bytes: () => kept.bytes(),
    kept: (id) => kept.peek(id),
    noteWrite({ id, rulesIndex }, index) {
      const set = kept.peek(id);
      if (set === undefined) return;
      const count = writesUpTo(set, rulesIndex) + 1;
      writes.set(set, { index: Math.max(index, writesAfter(set).index), count });
    },
    writtenSince({ id, rulesIndex }) {
      const set = kept.peek(id);
      return set && writesUpTo(set, rulesIndex);
    },
    // Rules that were read later are sufficient: a login with an older method fails when its token is written.
    of: ({ id, rulesIndex }) => kept.of(id, rulesIndex, (previous) => load(id, previous)),
  };
}

/** Everything that a list by pages has, in order of IDs. */
async function all<R extends { id: string }>(read: (after: string) => Promise<R[]>, size: number): Promise<R[]> {
  const found: R[] = [];
  let page: R[];
  do {
    page = await read(found.at(-1)?.id ?? "");
    for (const each of page) found.push(each);
  } while (page.length === size);
  return found;
}
