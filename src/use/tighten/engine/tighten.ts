/**
 * Proposes a smaller policy that widens nothing: for each holder of the policy, whatever the draft allows was allowed before.
 * Pure: rules, holders and rows of the ledger in, a draft with a reason for each line out.
 */
import { fold } from "../../../fold.ts";
import { decide } from "../../../rights/rules/decide.ts";
import { lookupSpelling } from "../../../rights/rules/layer.ts";
import { NO_FACTS } from "../../../rights/rules/question.ts";
import type { PolicyRules, ResourceRule } from "../../../rights/rules/rule.ts";
import { RulesError, type Steps } from "../../../rights/rules/scanner.ts";
import { DEFAULT_SCOPE } from "../../../rights/scope.ts";
import type { UseRow } from "../../../records/uses/row.ts";
import { isLowerable, isRemovable, writeDraft } from "./draft.ts";
import { editRules, meaningOf, type RuleEdit } from "./edit.ts";
import { compileSet, gainsOf, type DefaultPolicy, type Gain, type RightsSet, type TightenHolder } from "./holder.ts";
import { RankedRules } from "./outranked.ts";
import { nameOf, readSource, type RulesSource, type SourceOptions, type SourceRule } from "./source.ts";
import { placesIn, usesOf, type RecordedQuestion, type RuleUse, type Uses } from "./uses.ts";
import { isDenying, loweredPlan, planOf, type OtherRule, type RulePlan } from "./wanted.ts";

/** A rule, or a name, that stays as it is. */
export interface KeptRule {
  readonly resource: string;
  readonly prefix: boolean;
  readonly segment: string;
}

export interface TightenInput {
  readonly policy: Omit<PolicyRules, "rules" | "links">;
  readonly text: string;
  readonly source: SourceOptions;
  /** All who have the policy. Its rules in their sets come from `withPolicy`. */
  readonly holders: readonly TightenHolder[];
  /** Only those that count. */
  readonly rows: readonly UseRow[];
  readonly keep: readonly KeptRule[];
  /** Positions of rules whose names are not to be written: the caller may not read them. */
  readonly unnamed?: ReadonlySet<number>;
  readonly defaultPolicy: DefaultPolicy;
}

/** A line of the policy and its fate. */
export interface TightenedLine extends RulePlan {
  readonly at: number;
  /** In the words of the text: `key_prefix "app/"`. */
  readonly name: string;
  /** Blocks around it. */
  readonly blocks: readonly string[];
  readonly action: "kept" | RuleEdit["action"];
  /** Uses by name, of a prefix that names replace. */
  readonly met: readonly RuleUse[];
}

export interface Tightened {
  /** Undefined where no draft is offered: it would not be read as it is meant. */
  readonly draft: string | undefined;
  readonly lines: readonly TightenedLine[];
}

/** The rules of the policy with their positions, as holders must have them. */
export function* policyWithPlaces(
  policy: TightenInput["policy"],
  text: string,
  options: SourceOptions,
): Steps<{ source: RulesSource; rules: PolicyRules }> {
  const source = yield* readSource(text, options);
  return { source, rules: { ...policy, links: [], rules: source.rules } };
}

/**
 * Proposes the draft.
 *
 * @throws TooManyQuestions when a holder has too many rules about what would change
 * @throws {RulesError} when the text cannot be read
 */
export function* tighten(input: TightenInput): Steps<Tightened> {
  const { policy, text, defaultPolicy } = input;
  const { source, rules } = yield* policyWithPlaces(policy, text, input.source);
  const holders = input.holders.map((holder) => withPolicy(holder, rules));
  const uses = yield* usesOf(policy.id, source.lines, holders, input.rows, defaultPolicy);
  const planner = new Planner(source, uses.byRule, input);
  yield* planner.checkRanks(policy.id, holders);
  yield* new Mending(rules, planner, defaultPolicy).run(holders, uses);
  const draft = writeDraft(source, planner.edits());
  const isRead = yield* isReadAsMeant(draft, { source, planner, rules, holders }, input);
  return { draft: isRead ? draft : undefined, lines: planner.lines() };
}

/** The same holder with another reading of a policy. */
export function withPolicy<Holder extends RightsSet>(holder: Holder, policy: PolicyRules): Holder {
  const replaced = (policies: readonly PolicyRules[]) =>
    policies.some(({ id }) => id === policy.id)
      ? policies.map((each) => (each.id === policy.id ? policy : each))
      : policies;
  return { ...holder, direct: replaced(holder.direct), defaults: replaced(holder.defaults) };
}

/** The last gate: the text itself is read, and compared for each holder. */
function* isReadAsMeant(
  draft: string,
  made: { source: RulesSource; planner: Planner; rules: PolicyRules; holders: readonly TightenHolder[] },
  { source: options, defaultPolicy }: TightenInput,
): Steps<boolean> {
  const { source, planner, rules, holders } = made;
  let read: RulesSource;
  try {
    read = yield* readSource(draft, { edition: options.edition });
  } catch (error) {
    if (error instanceof RulesError) return false;
    throw error;
  }
  const meant = meaningOf(editRules(source.rules, planner.edits()));
  if (meaningOf(read.rules).join("\n") !== meant.join("\n")) return false;
  const after = { ...rules, rules: read.rules };
  for (const holder of holders) {
    if ((yield* gainsOf(holder, withPolicy(holder, after), defaultPolicy)).length > 0) return false;
  }
  return true;
}

/** The fate of each line: first by its uses, then with what has to stay. */
class Planner {
  readonly #source: RulesSource;
  readonly #uses: ReadonlyMap<number, readonly RuleUse[]>;
  readonly #plans = new Map<SourceRule, RulePlan>();

  constructor(
    source: RulesSource,
    uses: ReadonlyMap<number, readonly RuleUse[]>,
    asked: Pick<TightenInput, "keep" | "unnamed">,
  ) {
    this.#source = source;
    this.#uses = uses;
    for (const line of source.lines) this.#plans.set(line, this.#first(line, asked));
  }

  #first(line: SourceRule, { keep, unnamed }: Pick<TightenInput, "keep" | "unnamed">): RulePlan {
    const { rule, at, isOfBlock } = line;
    if (isDenying(rule)) return { reason: "denies" };
    if (keep.some((kept) => isRule(rule, kept))) return { reason: "asked-to-keep" };
    if (line.place === undefined) return { reason: "not-editable" };
    const kept = keep.filter((each) => this.#closest(each) === line).map(({ segment }) => everyUse(rule, segment));
    const uses = [...(this.#uses.get(at) ?? []), ...kept.flat()];
    const plan = planOf(rule, isOfBlock, uses, (field) => isLowerable(line, field));
    if (plan.edit?.action === "replaced" && unnamed?.has(at)) return { ...this.#lowered(line), reason: "names-hidden" };
    const isCut = plan.edit !== undefined && plan.edit.action !== "lowered";
    return isCut && !isRemovable(this.#source, line) ? { ...this.#lowered(line), reason: "not-editable" } : plan;
  }

  /** The line for the longest beginning of a name that is to stay. */
  #closest({ resource, prefix, segment }: KeptRule): SourceRule | undefined {
    if (prefix) return undefined;
    const about = this.#source.lines.filter(
      ({ rule, isOfBlock }) =>
        !isOfBlock && rule.resource === resource && rule.prefix && lookup(rule, segment).startsWith(lookup(rule)),
    );
    return about.toSorted((one, other) => other.rule.segment.length - one.rule.segment.length)[0];
  }

  #lowered(line: SourceRule): RulePlan {
    const uses = this.#uses.get(line.at) ?? [];
    if (uses.length === 0 || line.rule.loose !== undefined) return { reason: "used" };
    return loweredPlan(line.rule, uses, (field) => isLowerable(line, field));
  }

  /** Keeps each prefix whose names would have precedence over another rule of a holder. */
  *checkRanks(policyId: string, holders: readonly TightenHolder[]): Steps<void> {
    for (const holder of holders) {
      const ranked = new RankedRules(policyId);
      yield* ranked.add(holder);
      for (const [line, { edit }] of this.#plans) {
        if (edit?.action !== "replaced") continue;
        const other = edit.names.map(({ segment }) => ranked.outranked(line.at, segment)).find((found) => found);
        if (other !== undefined) this.#plans.set(line, { ...this.#lowered(line), reason: "outranks", other });
        yield;
      }
    }
  }

  edits(): Map<number, RuleEdit> {
    return new Map([...this.#plans].flatMap(([{ at }, { edit }]) => (edit === undefined ? [] : [[at, edit] as const])));
  }

  /** Takes back the edits of some rules, one step. @returns whether there were any */
  takeBack(places: Iterable<number>, why: Pick<RulePlan, "reason" | "other">): boolean {
    const positions = new Set(places);
    const found = [...this.#plans].filter(([{ at }, { edit }]) => edit !== undefined && positions.has(at));
    for (const [line, { edit }] of found) {
      const lowered: RulePlan = edit?.action === "replaced" ? this.#lowered(line) : { reason: "hides" };
      this.#plans.set(line, { ...(lowered.edit && { edit: lowered.edit }), ...why });
    }
    return found.length > 0;
  }

  lines(): TightenedLine[] {
    return [...this.#plans].map(([{ at, rule, blocks }, plan]) => ({
      at,
      name: nameOf(rule),
      blocks: blocks.map(({ kind, prefix, segment }) => nameOf({ resource: kind, prefix, segment })),
      action: plan.edit?.action ?? "kept",
      met: plan.edit?.action === "replaced" ? (this.#uses.get(at) ?? []) : [],
      ...plan,
    }));
  }
}

function isRule(rule: ResourceRule, { resource, prefix, segment }: KeptRule): boolean {
  return rule.resource === fold(resource) && rule.prefix === prefix && lookup(rule) === lookup(rule, segment);
}

function lookup({ resource, segment }: ResourceRule, name = segment): string {
  return lookupSpelling(resource, name);
}

/** All that a rule gives for a name. */
function everyUse({ resource, policy, intentions }: ResourceRule, name: string): RuleUse[] {
  const access = policy === "deny" ? "read" : policy;
  const own: RuleUse = { resource, name, access, scope: DEFAULT_SCOPE };
  return intentions === "write" ? [own, { ...own, resource: "intention", access: "write" }] : [own];
}

/** Takes edits back until no holder gains anything and each request on record stays allowed. */
class Mending {
  readonly #rules: PolicyRules;
  readonly #planner: Planner;
  readonly #defaultPolicy: DefaultPolicy;

  constructor(rules: PolicyRules, planner: Planner, defaultPolicy: DefaultPolicy) {
    this.#rules = rules;
    this.#planner = planner;
    this.#defaultPolicy = defaultPolicy;
  }

  *run(holders: readonly TightenHolder[], { recorded }: Uses): Steps<void> {
    const byHolder = Map.groupBy(recorded, ({ holder }) => holder);
    let isMended = true;
    while (isMended) {
      isMended = false;
      for (const holder of holders) {
        while (yield* this.#mend(holder, byHolder.get(holder) ?? [])) isMended = true;
      }
    }
  }

  /** Whether something was taken back. */
  *#mend(holder: TightenHolder, recorded: readonly RecordedQuestion[]): Steps<boolean> {
    const edits = this.#planner.edits();
    if (edits.size === 0) return false;
    const next = withPolicy(holder, { ...this.#rules, rules: editRules(this.#rules.rules, edits) });
    const gains = yield* gainsOf(holder, next, this.#defaultPolicy);
    if (gains.length > 0) return this.#takeBackGains(gains, edits);
    if (recorded.length === 0) return false;
    const [had, has] = [yield* compileSet(holder, this.#defaultPolicy), yield* compileSet(next, this.#defaultPolicy)];
    let isMended = false;
    for (const { question } of recorded) {
      const after = decide(has, question, NO_FACTS);
      if (after.allow) continue;
      const why = { reason: "needed" } as const;
      const { id } = this.#rules;
      // A question about all names at once rests on every rule: then the one that denies it is taken back, or all of them.
      const isTaken =
        this.#planner.takeBack(placesIn(decide(had, question, NO_FACTS), id), why) ||
        this.#planner.takeBack(placesIn(after, id), why) ||
        this.#planner.takeBack(edits.keys(), why);
      isMended ||= isTaken;
    }
    return isMended;
  }

  #takeBackGains(gains: readonly Gain[], edits: ReadonlyMap<number, RuleEdit>): boolean {
    let isMended = false;
    for (const { before, after } of gains) {
      const why = { reason: "hides" as const, ...otherIn(after) };
      const { id } = this.#rules;
      const isTaken =
        this.#planner.takeBack(placesIn(before, id), why) || this.#planner.takeBack(placesIn(after, id), why);
      isMended ||= isTaken;
    }
    // Several rules decide together whether a namespace is visible: then nothing says which one it was.
    return isMended || this.#planner.takeBack(edits.keys(), { reason: "hides" });
  }
}

function otherIn({ grant }: Gain["after"]): { other?: OtherRule } {
  if (grant === undefined) return {};
  return { other: { name: nameOf(grant.rule), policies: [...new Set(grant.holders.map(({ name }) => name))] } };
}
