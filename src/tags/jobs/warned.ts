/** Rules for tags that only advise, as jobs count them: how much of what was changed breaks each. */
import type { Verdict } from "../rules/enforce.ts";
import type { CountsByReason } from "./job.ts";

/** Names of the rules that something breaks, each once. @param id as in the verdict */
export function brokenRules({ broken }: Verdict, id: string): string[] {
  return [...new Set((broken.get(id) ?? []).map(({ rule }) => rule))];
}

/** How many of these break each rule. @param changed ids as in the verdict; all of it, unless given */
export function warnedOf(verdict: Verdict, changed: Iterable<string> = verdict.broken.keys()): CountsByReason {
  return countEach([...changed].flatMap((id) => brokenRules(verdict, id)));
}

/** How often each text is there. */
export function countEach(texts: Iterable<string>): CountsByReason {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  // Clients chose these texts. None of them is a name that every object has.
  return Object.fromEntries(counts);
}
