/**
 * Why logins were refused, for the operator's log: the client is told nothing
 * of rules. A record has the rules that were candidates and why each gave
 * nothing, within caps: whoever can be refused can be so a thousand times a second.
 */
import type { AppError } from "../../errors.ts";
import { explainRules } from "../binding-rules/explain-rule.ts";
import type { Progress } from "./service.ts";
import type { LoginContext } from "./settings.ts";

const MOST_RULES = 20;
/** Of the rules of a record together, in characters of JSON. */
const MOST_LENGTH = 8 * 1024;
const INTERVAL_MS = 1000;
/** Methods whose last record is remembered. */
const MOST_METHODS = 10_000;
/** Of each variable of the identity. */
const MOST_VALUE_LENGTH = 128;
const MOST_VARIABLES = 20;

export interface RefusalLog {
  /** Notes a refusal; in full at most once a second for each method. */
  note(ctx: LoginContext, progress: Progress, refusal: AppError): Promise<void>;
}

/** @param monotonicNow milliseconds */
export function createRefusalLog(monotonicNow: () => number): RefusalLog {
  /** By the IDs of methods, the oldest first. */
  const last = new Map<string, number>();

  function isDue(methodId: string): boolean {
    const now = monotonicNow();
    if (now - (last.get(methodId) ?? -Infinity) < INTERVAL_MS) return false;
    last.delete(methodId);
    last.set(methodId, now);
    const [oldest] = last.keys();
    if (last.size > MOST_METHODS && oldest !== undefined) last.delete(oldest);
    return true;
  }

  return {
    async note(ctx, progress, refusal) {
      const { method, identity, rules } = progress;
      const { partition, namespace } = method.scope;
      const line = {
        requestId: ctx.requestId,
        authMethod: method.name,
        partition,
        namespace,
        address: ctx.address,
        reason: refusal.message,
      };
      if (!isDue(method.id)) {
        ctx.log.warn(line, "a login was refused");
        return;
      }
      const record = {
        ...line,
        variables: identity && shownVariables(identity.variables),
        candidates: identity && rules && (await explainedWithin(progress)),
        rules: rules?.rules.length,
      };
      ctx.log.warn(record, "a login was refused");
    },
  };
}

async function explainedWithin({ identity, rules }: Progress): Promise<object[]> {
  if (identity === undefined || rules === undefined) return [];
  const explained = await explainRules(rules, identity, { candidatesOnly: true, most: MOST_RULES });
  const shown: object[] = [];
  let length = 0;
  for (const { id, verdict, reason } of explained) {
    const entry = { id, verdict, reason };
    length += JSON.stringify(entry).length;
    if (length > MOST_LENGTH) break;
    shown.push(entry);
  }
  return shown;
}

function shownVariables(variables: ReadonlyMap<string, string>): [name: string, value: string][] {
  return [...variables]
    .slice(0, MOST_VARIABLES)
    .map(([name, value]) => [name.slice(0, MOST_VALUE_LENGTH), value.slice(0, MOST_VALUE_LENGTH)]);
}
