/** Computes gains and losses of holders by a drafted change, for very many holders. */
import type { Reader } from "../../storage/database.ts";
import { linksKey, type DeciderOptions, type Drafts, type RunInTurns } from "../access/held.ts";
import { compileInSteps } from "../../rights/rules/compile.ts";
import { decide } from "../../rights/rules/decide.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import { ChangeGroups, type AccessChange } from "./changes.ts";
import { compareRights, isNear, type ChangedRules, type RightsDifference } from "./compare.ts";
import { DraftedRights, type HeldPair, type HolderPair } from "./drafted-rights.ts";

/** The difference for a holder. */
export interface HolderDifference extends RightsDifference {
  /** Gains and losses by name: how the access to each of them changes. */
  changes: readonly AccessChange[];
}

const NONE: HolderDifference = { gains: [], losses: [], changes: [] };
/** Sets of links whose difference is kept. */
const MOST_KEPT = 20_000;

export class EffectDecider {
  readonly #changed: ChangedRules;
  readonly #options: DeciderOptions;
  readonly #run: RunInTurns;
  readonly #groups: ChangeGroups;
  readonly #rights: DraftedRights;
  readonly #decided = new Map<string, HolderDifference>();
  readonly #mayName: (policy: PolicyRules) => boolean;
  /** Whether all was asked of the holders so far. */
  isComplete = true;
  readonly #byLinks = new Map<string, HolderDifference>();

  /**
   * @param run what all long work goes through
   * @param mayName whether the names in the rules of a policy may be told
   */
  constructor(
    db: Reader,
    changed: ChangedRules,
    drafts: Drafts,
    options: DeciderOptions,
    run: RunInTurns,
    mayName: (policy: PolicyRules) => boolean,
  ) {
    this.#mayName = mayName;
    this.#changed = changed;
    this.#options = options;
    this.#run = run;
    this.#groups = new ChangeGroups();
    this.#rights = new DraftedRights(db, drafts, options, (policy) => this.#speaks(policy), run);
  }

  /** Reads together what these have, before and after, who lie in one scope. */
  async prepare(scope: Scope, holders: readonly HolderPair[]): Promise<void> {
    await this.#rights.prepare(scope, holders);
  }

  /** @param withDefaults whether the defaults of its namespace count */
  async compare(pair: HolderPair, withDefaults: boolean): Promise<HolderDifference> {
    // The result is not shared for a holder whose links are drafted.
    const links = pair.before === pair.after ? linksKey(pair.before, withDefaults) : undefined;
    const known = links === undefined ? undefined : this.#byLinks.get(links);
    if (known !== undefined) return known;
    const difference = await this.#compareAnew(pair, withDefaults);
    if (links !== undefined && this.#byLinks.size < MOST_KEPT) this.#byLinks.set(links, difference);
    return difference;
  }

  async #compareAnew(pair: HolderPair, withDefaults: boolean): Promise<HolderDifference> {
    const held = await this.#rights.held(pair, withDefaults);
    if (held === undefined || held.isSame) return NONE;
    const key = `${held.keys.before}|${held.keys.after}`;
    let difference = this.#decided.get(key);
    if (difference === undefined) this.#decided.set(key, (difference = await this.#run(this.#between(held))));
    return difference;
  }

  *#between({ before, after }: HeldPair): Steps<HolderDifference> {
    const { defaultPolicy } = this.#options;
    const had = yield* compileInSteps({ ...before, defaultPolicy });
    const has = yield* compileInSteps({ ...after, defaultPolicy });
    const all = new Set([...before.direct, ...before.defaults, ...after.direct, ...after.defaults]);
    const policies = [...all].filter(this.#mayName);
    const { isComplete, decisions, ...difference } = yield* compareRights(this.#changed, { had, has, policies });
    this.isComplete &&= isComplete;
    return { ...difference, changes: this.#groups.changesOf(decisions) };
  }

  *#speaks(policy: PolicyRules): Steps<boolean> {
    if (isNear(policy, this.#changed.rules)) return true;
    const { defaultPolicy } = this.#options;
    const alone = yield* compileInSteps({ direct: [policy], defaults: [], defaultPolicy });
    for (const { question } of this.#changed.points) {
      // More than one rule decides whether a namespace is visible.
      if (question.resource === "namespace" && question.access === "read") return true;
      if (decide(alone, question, NO_FACTS).decidedBy === "direct") return true;
      yield;
    }
    return false;
  }
}
