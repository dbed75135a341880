/** Lists the differences between the decisions of two readings of one text. Pure. */
import { fold } from "../../fold.ts";
import { impliedIntentions, outweighs, type ResourceRule, type Rule, type Said, type ScopeRule } from "./rule.ts";
import { shorten, type Steps } from "./scanner.ts";

/** Values that a text contains for one thing. */
interface Sayings {
  policy?: Said;
  intentions?: Said;
}

/** Number of rules between two pauses. */
const BETWEEN = 256;

/**
 * Each thing of which the second reading says something else than the first, in words, such as `acl: write becomes nothing`; as
 * work that can pause.
 */
export function* differencesBetween(first: readonly Rule[], second: readonly Rule[]): Steps<string[]> {
  const [before, after] = [yield* sayingsOf(first), yield* sayingsOf(second)];
  const found: string[] = [];
  for (const thing of new Set([...before.keys(), ...after.keys()])) {
    if (found.length % BETWEEN === BETWEEN - 1) yield;
    const [one = {}, other = {}] = [before.get(thing), after.get(thing)];
    const shown = shownAs(thing);
    found.push(...difference(shown, one.policy, other.policy));
    const intentions = [intentionsOf(thing, one), intentionsOf(thing, other)] as const;
    found.push(...difference(`intentions of ${shown}`, ...intentions));
  }
  return found;
}

function difference(thing: string, before: Said | undefined, after: Said | undefined): string[] {
  if (before?.permission !== after?.permission)
    return [`${thing}: ${before?.permission ?? "nothing"} becomes ${after?.permission ?? "nothing"}`];
  if (after === undefined || after.permission === "deny" || before?.isLoose === after.isLoose) return [];
  return [`${thing}: other rules in lower case override ${after.permission}`];
}

function intentionsOf(thing: string, { policy, intentions }: Sayings): Said | undefined {
  if (intentions !== undefined || policy === undefined || !thing.startsWith("service")) return intentions;
  return { permission: impliedIntentions(policy) };
}

function* sayingsOf(rules: readonly Rule[]): Steps<Map<string, Sayings>> {
  const found = new Map<string, Sayings>();
  let count = 0;
  function* add(some: readonly Rule[], where: string): Steps<void> {
    for (const rule of some) {
      if (++count % BETWEEN === 0) yield;
      const name = nameOf(rule);
      const thing = name + where;
      const { policy, intentions, loose } = rule;
      const sayings = found.get(thing) ?? {};
      put(sayings, "policy", policy && { permission: policy, isLoose: loose?.policy === true });
      put(sayings, "intentions", intentions && { permission: intentions, isLoose: loose?.intentions === true });
      found.set(thing, sayings);
      if ("kind" in rule) yield* add(rule.rules, ` in ${name}${where}`);
    }
  }
  yield* add(rules, "");
  return found;
}

function put(sayings: Sayings, field: keyof Sayings, said: Said | undefined): void {
  const before = sayings[field];
  if (said !== undefined && (before === undefined || outweighs(said, before))) sayings[field] = said;
}

/** Things that are the same in any case of their names. */
const FOLDED: ReadonlySet<string> = new Set(["namespace", "organization", "partition", "workspace"]);

function nameOf(rule: ResourceRule | ScopeRule): string {
  const kind = "kind" in rule ? rule.kind : rule.resource;
  const label = FOLDED.has(kind) ? fold(rule.segment) : rule.segment;
  if (rule.prefix) return `${kind}_prefix ${JSON.stringify(label)}`;
  return label === "" && !("kind" in rule) ? kind : `${kind} ${JSON.stringify(label)}`;
}

/** As it is told: with labels up to some length, which two things may share. */
function shownAs(thing: string): string {
  return thing.replaceAll(/"(?:[^"\\]|\\.)*"/g, (label) => JSON.stringify(shorten(JSON.parse(label) as string)));
}
