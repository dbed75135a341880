/**
 * Writes the reasons of denied logins to the operator's log: the client learns nothing about rules. A record contains
 * the rules that were candidates, and why each granted nothing, within limits: one client can cause a thousand denials
 * a second.
 */
import { LRUCache } from "lru-cache";
import { explainBindingRules, type BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";
import { type LoginContext, type Trace, withMissingLinks } from "./decide.ts";

const MOST_RULES = 20;
/** Maximum size of a record, as JSON in UTF-8, in bytes. */
const MOST_BYTES = 8 * 1024;
/** Bytes that are reserved for fields of the logger. */
const RESERVED_BYTES = 512;
const MOST_VARIABLES = 20;
const MOST_VARIABLE_BYTES = 2 * 1024;
/** Maximum length of each name and value of a variable of the identity. */
const MOST_VALUE_LENGTH = 128;
const MOST_REASON_LENGTH = 512;
const INTERVAL_MS = 1000;
/** Maximum number of methods whose last record is remembered. */
const MOST_METHODS = 10_000;

/** Reason why a login got no token. */
export interface LoginRefusal {
  reason: string;
  /** The binding rule that it is about; undefined when it is about none. */
  bindingRuleId: string | undefined;
}

export interface RefusalLog {
  /** Notes a refusal; in full at most once a second for each method. */
  note(ctx: LoginContext, trace: Trace, refusal: LoginRefusal): Promise<void>;
}

/** @param monotonicNow milliseconds */
export function createRefusalLog(monotonicNow: () => number, datacenter: string): RefusalLog {
  /** By the IDs of methods. */
  const last = new LRUCache<string, number>({ max: MOST_METHODS });

  function isDue(methodId: string): boolean {
    const now = monotonicNow();
    if (now - (last.peek(methodId) ?? -Infinity) < INTERVAL_MS) return false;
    last.set(methodId, now);
    return true;
  }

  return {
    async note(ctx, trace, { reason, bindingRuleId }) {
      const { method, identity, bindingRules } = trace;
      const { partition, namespace } = method.scope;
      const line = {
        requestId: ctx.requestId,
        authMethod: method.name,
        partition,
        namespace,
        address: ctx.address,
        reason: reason.slice(0, MOST_REASON_LENGTH).toWellFormed(),
        bindingRule: bindingRuleId,
      };
      if (!isDue(method.id)) {
        ctx.log.warn(line, "login denied");
        return;
      }
      const variables = identity && shownVariables(identity.variables);
      const record = { ...line, variables, rules: bindingRules?.bindingRules.length };
      const left = MOST_BYTES - RESERVED_BYTES - bytesOf(record);
      const candidates = (await explainCandidates(ctx, trace, datacenter))?.map(({ id, verdict, reason: why }) => ({
        id,
        verdict,
        reason: why,
      }));
      ctx.log.warn({ ...record, candidates: candidates && firstWithin(candidates, left) }, "login denied");
    },
  };
}

async function explainCandidates(
  { db }: LoginContext,
  { method, identity, bindingRules, target = method.scope }: Trace,
  datacenter: string,
): Promise<BindingRuleExplanation[] | undefined> {
  if (identity === undefined || bindingRules === undefined) return undefined;
  const candidates = await explainBindingRules(bindingRules, identity, { candidatesOnly: true, most: MOST_RULES });
  // When few rules are candidates, the cause may be that the others are not.
  const others =
    candidates.length < MOST_RULES
      ? await explainBindingRules(bindingRules, identity, { candidatesOnly: false, most: MOST_RULES })
      : [];
  const known = new Set(candidates.map(({ id }) => id));
  const explained = [...candidates, ...others.filter(({ id }) => !known.has(id))].slice(0, MOST_RULES);
  // A storage failure must not change the client's error.
  return withMissingLinks(db, target, explained, datacenter).catch(() => explained);
}

function shownVariables(variables: ReadonlyMap<string, string>): [name: string, value: string][] {
  const shown = [...variables]
    .slice(0, MOST_VARIABLES)
    .map(([name, value]): [string, string] => [cut(name), cut(value)]);
  return firstWithin(shown, MOST_VARIABLE_BYTES);
}

function cut(text: string): string {
  return text.slice(0, MOST_VALUE_LENGTH).toWellFormed();
}

/** As many from the start as have room. */
function firstWithin<T>(entries: readonly T[], bytes: number): T[] {
  let used = 0;
  const end = entries.findIndex((entry) => (used += bytesOf(entry) + 1) > bytes);
  return end === -1 ? [...entries] : entries.slice(0, end);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
