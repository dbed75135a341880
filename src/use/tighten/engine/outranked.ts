/** Rules that names in place of a prefix would have precedence over. Pure. */
import { lookupSpelling } from "../../../rights/rules/layer.ts";
import type { PolicyRules, ResourceRule } from "../../../rights/rules/rule.ts";
import type { Steps } from "../../../rights/rules/scanner.ts";
import type { RightsSet } from "./holder.ts";
import { placedRules, type PlacedRule } from "../../../explain/effect/names.ts";
import { nameOf } from "./source.ts";
import type { OtherRule } from "./wanted.ts";

/** A rule and the policy that it is of. */
interface Owned {
  policy: PolicyRules;
  rule: ResourceRule;
}

/** The rules of one holder by what they are about: an exact name, or a beginning of names. */
export class RankedRules {
  readonly #policyId: string;
  /** Rules of its own policies, and of the defaults. */
  readonly #layers: ReadonlyMap<string, Owned[]>[] = [];
  readonly #places: Map<number, PlacedRule[]>[] = [];

  constructor(policyId: string) {
    this.#policyId = policyId;
  }

  *add({ direct, defaults }: RightsSet): Steps<void> {
    for (const policies of [direct, defaults]) {
      const layer = new Map<string, Owned[]>();
      const places = new Map<number, PlacedRule[]>();
      for (const policy of policies) {
        for (const placed of placedRules(policy)) {
          const { rule } = placed;
          const key = keyOf(placed, rule.prefix, lookupSpelling(rule.resource, rule.segment));
          const found = layer.get(key);
          if (found === undefined) layer.set(key, [{ policy, rule }]);
          else found.push({ policy, rule });
          if (policy.id === this.#policyId && rule.at !== undefined)
            places.set(rule.at, [...(places.get(rule.at) ?? []), placed]);
        }
        yield;
      }
      this.#layers.push(layer);
      this.#places.push(places);
    }
  }

  /**
   * Returns a rule that an exact name in place of the rule at this position would have precedence over: one about the name itself
   * or a longer part of it, or another one about the same part.
   */
  outranked(at: number, name: string): OtherRule | undefined {
    for (const [index, layer] of this.#layers.entries()) {
      for (const placed of this.#places[index]?.get(at) ?? []) {
        const own = lookupSpelling(placed.rule.resource, placed.rule.segment);
        const asked = lookupSpelling(placed.rule.resource, name);
        const keys = [keyOf(placed, false, asked)];
        for (let length = asked.length; length >= own.length; length--)
          keys.push(keyOf(placed, true, asked.slice(0, length)));
        for (const key of keys) {
          const other = layer.get(key)?.find(({ policy, rule }) => policy.id !== this.#policyId || rule.at !== at);
          if (other !== undefined) return { name: nameOf(other.rule), policies: [other.policy.name] };
        }
      }
    }
    return undefined;
  }
}

function keyOf({ rule, partition, namespace }: PlacedRule, isPrefix: boolean, segment: string): string {
  return JSON.stringify([partition, namespace, rule.resource, isPrefix, segment]);
}
