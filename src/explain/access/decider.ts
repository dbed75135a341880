/**
 * Decides whether a subject has one access, for very many subjects: only the policies that are about it matter, and
 * those are few.
 */
import type { Reader } from "../../storage/database.ts";
import { explainAuthorization } from "../../rights/authorize.ts";
import { compileInSteps } from "../../rights/rules/compile.ts";
import { decide } from "../../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../../rights/rules/question.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import { HeldPolicies, inTurns, keyOf, linksKey, type DeciderOptions, type Held, type AccessHolder } from "./held.ts";

export type { DeciderOptions, AccessHolder } from "./held.ts";

/** Reason why a subject has access. */
export interface Allowed {
  decidedBy: string;
  policies: readonly { id: string; name: string; isByDefault: boolean }[];
}

/** Decides one question about many subjects. Its caches belong to one list, and are dropped with it. */
export class AccessDecider {
  readonly #question: RightsQuestion;
  readonly #options: DeciderOptions;
  readonly #held: HeldPolicies;
  readonly #decided = new Map<string, Allowed | undefined>();
  /** The same by what is linked to: most tokens have what many others have. */
  readonly #byLinks = new Map<string, Allowed | undefined>();

  constructor(db: Reader, question: RightsQuestion, options: DeciderOptions) {
    this.#question = question;
    this.#options = options;
    this.#held = new HeldPolicies(db, options, (policy) => speaksOf(policy, question, options));
  }

  /** Reads together what is linked to by these, which lie in one scope; call it before each of them is decided. */
  async prepare(scope: Scope, holders: readonly Pick<AccessHolder, "policies" | "roles">[]): Promise<void> {
    await this.#held.prepare(scope, holders);
  }

  /** Undefined when it is denied. @param withDefaults whether the defaults of its namespace count */
  async decide(holder: AccessHolder, withDefaults = true): Promise<Allowed | undefined> {
    const links = linksKey(holder, withDefaults);
    if (links !== undefined && this.#byLinks.has(links)) return this.#byLinks.get(links);
    const allowed = await this.#decideAnew(holder, withDefaults);
    if (links !== undefined && this.#byLinks.size < MOST_KEPT) this.#byLinks.set(links, allowed);
    return allowed;
  }

  async #decideAnew(holder: AccessHolder, withDefaults: boolean): Promise<Allowed | undefined> {
    const defaults = withDefaults ? await this.#held.defaultsOf(holder.scope) : [];
    // In a namespace that is being deleted nothing counts.
    if (defaults === undefined) return undefined;
    const direct = this.#held.of(holder);
    const key = `${keyOf(direct)}|${keyOf(defaults)}`;
    if (this.#decided.has(key)) return this.#decided.get(key);
    const allowed = await inTurns(this.#explain(direct, defaults));
    this.#decided.set(key, allowed);
    return allowed;
  }

  *#explain(direct: Held, defaults: Held): Steps<Allowed | undefined> {
    const rights = yield* compileInSteps({ direct, defaults, defaultPolicy: this.#options.defaultPolicy });
    const { allow, decidedBy, policies = [] } = explainAuthorization(rights, this.#question, NO_FACTS);
    if (!allow) return undefined;
    const isByDefault = decidedBy === "default";
    return { decidedBy, policies: policies.map(({ ID, Name }) => ({ id: ID, name: Name, isByDefault })) };
  }
}

/** Sets of links whose decision is kept. */
const MOST_KEPT = 20_000;

function* speaksOf(policy: PolicyRules, question: RightsQuestion, { defaultPolicy }: DeciderOptions): Steps<boolean> {
  const { resource, segment, access } = question;
  // More than one rule decides whether a namespace is visible, and about intentions of all services.
  if ((resource === "namespace" && access === "read") || (resource === "intention" && segment === "*")) return true;
  const alone = yield* compileInSteps({ direct: [policy], defaults: [], defaultPolicy });
  return decide(alone, question, NO_FACTS).decidedBy === "direct";
}
