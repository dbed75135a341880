/** Computes gains and losses of holders by a drafted change, for very many holders. */
import type { Reader } from "../../storage/database.ts";
import {
  HeldPolicies,
  keyOf,
  linksKey,
  type DeciderOptions,
  type Drafts,
  type Held,
  type AccessHolder,
  type RunInTurns,
} from "../access/held.ts";
import { compileInSteps } from "../../rights/rules/compile.ts";
import { decide } from "../../rights/rules/decide.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Point, Right } from "./points.ts";

export interface RightsDifference {
  gains: readonly Right[];
  losses: readonly Right[];
}

const NONE: RightsDifference = { gains: [], losses: [] };
/** Sets of links whose difference is kept. */
const MOST_KEPT = 20_000;

export class EffectDecider {
  readonly #points: readonly Point[];
  readonly #options: DeciderOptions;
  readonly #drafts: Drafts;
  readonly #run: RunInTurns;
  readonly #before: HeldPolicies;
  readonly #after: HeldPolicies;
  readonly #decided = new Map<string, RightsDifference>();
  readonly #byLinks = new Map<string, RightsDifference>();

  /** @param run what all long work goes through */
  constructor(db: Reader, points: readonly Point[], drafts: Drafts, options: DeciderOptions, run: RunInTurns) {
    this.#points = points;
    this.#options = options;
    this.#drafts = drafts;
    this.#run = run;
    const speaks = (policy: PolicyRules) => this.#speaks(policy);
    this.#before = new HeldPolicies(db, options, speaks, run);
    this.#after = new HeldPolicies(db, options, speaks, run, drafts);
  }

  /** Reads together what these have, before and after, who lie in one scope. */
  async prepare(scope: Scope, holders: readonly { before: AccessHolder; after: AccessHolder }[]): Promise<void> {
    await this.#before.prepare(
      scope,
      holders.map(({ before }) => before),
    );
    await this.#after.prepare(
      scope,
      holders.map(({ after }) => after),
    );
  }

  /** @param withDefaults whether the defaults of its namespace count */
  async compare(
    { before, after }: { before: AccessHolder; after: AccessHolder },
    withDefaults: boolean,
  ): Promise<RightsDifference> {
    // The result is not shared for a holder whose links are drafted.
    const links = before === after ? linksKey(before, withDefaults) : undefined;
    const known = links === undefined ? undefined : this.#byLinks.get(links);
    if (known !== undefined) return known;
    const difference = await this.#compareAnew(before, after, withDefaults);
    if (links !== undefined && this.#byLinks.size < MOST_KEPT) this.#byLinks.set(links, difference);
    return difference;
  }

  async #compareAnew(before: AccessHolder, after: AccessHolder, withDefaults: boolean): Promise<RightsDifference> {
    const [oldDefaults, newDefaults] = withDefaults
      ? [await this.#before.defaultsOf(before.scope), await this.#after.defaultsOf(after.scope)]
      : [[], []];
    // In a namespace that is being deleted nothing counts.
    if (oldDefaults === undefined || newDefaults === undefined) return NONE;
    const old = { direct: this.#before.of(before), defaults: oldDefaults };
    const next = { direct: this.#after.of(after), defaults: newDefaults };
    const sets = [old.direct, old.defaults, next.direct, next.defaults];
    const [direct = "", defaults = "", nextDirect = "", nextDefaults = ""] = sets.map(keyOf);
    const isSame = direct === nextDirect && defaults === nextDefaults;
    if (isSame && !sets.some((held) => held.some(({ id }) => this.#drafts.policies.has(id)))) return NONE;
    const key = [direct, defaults, nextDirect, nextDefaults].join("|");
    let difference = this.#decided.get(key);
    if (difference === undefined) this.#decided.set(key, (difference = await this.#run(this.#between(old, next))));
    return difference;
  }

  *#between(
    before: { direct: Held; defaults: Held },
    after: { direct: Held; defaults: Held },
  ): Steps<RightsDifference> {
    const { defaultPolicy } = this.#options;
    const had = yield* compileInSteps({ ...before, defaultPolicy });
    const has = yield* compileInSteps({ ...after, defaultPolicy });
    const gains: Right[] = [];
    const losses: Right[] = [];
    for (const { question, right } of this.#points) {
      const could = decide(had, question, NO_FACTS).allow;
      const can = decide(has, question, NO_FACTS).allow;
      if (could !== can) (can ? gains : losses).push(right);
      yield;
    }
    return { gains, losses };
  }

  *#speaks(policy: PolicyRules): Steps<boolean> {
    const { defaultPolicy } = this.#options;
    const alone = yield* compileInSteps({ direct: [policy], defaults: [], defaultPolicy });
    for (const { question } of this.#points) {
      // More than one rule decides whether a namespace is visible.
      if (question.resource === "namespace" && question.access === "read") return true;
      if (decide(alone, question, NO_FACTS).decidedBy === "direct") return true;
      yield;
    }
    return false;
  }
}
