/** Grants of holders before and after a drafted change, for very many holders. */
import type { Reader } from "../../storage/database.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import {
  HeldPolicies,
  keyOf,
  type AccessHolder,
  type DeciderOptions,
  type Drafts,
  type Held,
  type RunInTurns,
} from "../access/held.ts";

/** A holder as it is stored and as the draft leaves it; one object twice where the draft is not about its links. */
export interface HolderPair {
  before: AccessHolder;
  after: AccessHolder;
}

/** Policies of a holder itself, and of its namespace. */
export interface HeldSets {
  direct: Held;
  defaults: Held;
}

/** The policies of a holder before and after, with keys that are equal for equal sets. */
export interface HeldPair {
  before: HeldSets;
  after: HeldSets;
  keys: { before: string; after: string };
  /** Whether both are the same stored policies, of which none is drafted. */
  isSame: boolean;
}

/** Its caches belong to one request, and are dropped with it. */
export class DraftedRights {
  readonly #drafts: Drafts;
  readonly #before: HeldPolicies;
  readonly #after: HeldPolicies;

  /** @param speaks whether a policy has to do with what is asked @param run what all long work goes through */
  constructor(
    db: Reader,
    drafts: Drafts,
    options: DeciderOptions,
    speaks: (policy: PolicyRules) => Steps<boolean>,
    run: RunInTurns,
  ) {
    this.#drafts = drafts;
    this.#before = new HeldPolicies(db, options, speaks, run);
    this.#after = new HeldPolicies(db, options, speaks, run, drafts);
  }

  /** Reads together what these have, before and after, who lie in one scope. */
  async prepare(scope: Scope, holders: readonly HolderPair[]): Promise<void> {
    await this.#before.prepare(
      scope,
      holders.map(({ before }) => before),
    );
    await this.#after.prepare(
      scope,
      holders.map(({ after }) => after),
    );
  }

  /**
   * @param withDefaults whether the defaults of its namespace count
   * @returns undefined in a namespace that is being deleted, where nothing counts
   */
  async held({ before, after }: HolderPair, withDefaults: boolean): Promise<HeldPair | undefined> {
    const [oldDefaults, newDefaults] = withDefaults
      ? [await this.#before.defaultsOf(before.scope), await this.#after.defaultsOf(after.scope)]
      : [[], []];
    if (oldDefaults === undefined || newDefaults === undefined) return undefined;
    const old = { direct: this.#before.of(before), defaults: oldDefaults };
    const next = { direct: this.#after.of(after), defaults: newDefaults };
    const keys = { before: keyOfSets(old), after: keyOfSets(next) };
    const hasDraft = [old.direct, old.defaults, next.direct, next.defaults].some((held) =>
      held.some(({ id }) => this.#drafts.policies.has(id)),
    );
    return { before: old, after: next, keys, isSame: keys.before === keys.after && !hasDraft };
  }
}

function keyOfSets({ direct, defaults }: HeldSets): string {
  return `${keyOf(direct)}|${keyOf(defaults)}`;
}
