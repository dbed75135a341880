/**
 * Computes the questions that show every effect of a change of rules. A rule that is added or removed changes decisions
 * only where it is the closest one: at its name, or at the names that begin with its text and that no other rule is
 * about. One question at its name, or at an unused name, represents all of them. Pure.
 */
import { keyOfPlaced, NOBODY, placedRules, type PlacedRule } from "./names.ts";
import { fold } from "../../fold.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import { ACCESSES, SCALARS, type PolicyRules, type Resource } from "../../rights/rules/rule.ts";

/** A right as answers name it; plain data. */
export interface Right {
  resource: Resource;
  segment: string;
  /** Whether it is to all that begins with the segment, as far as no other rule is about that. */
  isPrefix: boolean;
  access: string;
  /** Place: each is a name, or the beginning of names. */
  namespace: string;
  isNamespacePrefix: boolean;
  partition: string;
  isPartitionPrefix: boolean;
}

/** A question with the right that it is about. */
export interface Point {
  question: RightsQuestion;
  right: Right;
}

/** Questions that one comparison asks. */
export const MOST_POINTS = 256;

const FOLDED: ReadonlySet<string> = new Set<Resource>(["namespace", "partition", "organization", "workspace"]);
/** The right to a whole prefix of keys follows from those to the keys. */
const DERIVED = "write-prefix";

/** The questions that changed sets of rules may answer in another way than before. */
export class Points {
  readonly #points = new Map<string, Point>();
  readonly #changed = new Map<string, PlacedRule>();
  readonly #rules = new WeakMap<PolicyRules, ReadonlyMap<string, PlacedRule>>();
  /** Whether there were no more than are asked. */
  isComplete = true;

  /** Adds what a change from one set to another makes to ask; nothing where there was too much already. */
  add(before: readonly PolicyRules[], after: readonly PolicyRules[]): void {
    if (!this.isComplete) return;
    const [old, next] = [this.#rulesOf(before), this.#rulesOf(after)];
    const changed = [...old, ...next].filter(([key]) => old.has(key) !== next.has(key));
    for (const [said, placed] of changed) {
      this.#changed.set(said, placed);
      for (const point of pointsOf(placed)) {
        const key = JSON.stringify(point.question);
        if (this.#points.has(key)) continue;
        if (this.#points.size >= MOST_POINTS) {
          this.isComplete = false;
          return;
        }
        this.#points.set(key, point);
      }
    }
  }

  #rulesOf(policies: readonly PolicyRules[]): Map<string, PlacedRule> {
    const found = new Map<string, PlacedRule>();
    for (const policy of policies) {
      const known = this.#rules.get(policy) ?? rulesIn(policy);
      this.#rules.set(policy, known);
      for (const [key, placed] of known) found.set(key, placed);
    }
    return found;
  }

  all(): Point[] {
    return [...this.#points.values()];
  }

  /** The changed rules: a holder's other rules may be about a part of what they are about. */
  changed(): PlacedRule[] {
    return [...this.#changed.values()];
  }
}

/** The rules by all that they say. */
function rulesIn(policy: PolicyRules): ReadonlyMap<string, PlacedRule> {
  return new Map(placedRules(policy).map((placed) => [keyOfPlaced(policy, placed), placed]));
}

function pointsOf({ rule, namespace, partition }: PlacedRule): Point[] {
  const where = {
    namespace: namespace.name,
    isNamespacePrefix: namespace.prefix,
    partition: partition.name,
    isPartitionPrefix: partition.prefix,
  };
  const { resource, prefix, segment: written } = rule;
  const isScalar = (SCALARS as readonly string[]).includes(resource);
  const segment = isScalar ? "" : FOLDED.has(resource) ? fold(written) : written;
  const about = (asked: Resource): Point[] =>
    (ACCESSES.get(asked) ?? [])
      .filter((access) => access !== DERIVED)
      .map((access) => ({
        question: {
          resource: asked,
          segment: prefix ? nobodyIn(asked, segment) : segment,
          access,
          scope: {
            namespace: where.namespace + (where.isNamespacePrefix ? NOBODY : ""),
            partition: where.partition + (where.isPartitionPrefix ? NOBODY : ""),
          },
        },
        right: { resource: asked, segment, isPrefix: prefix, access, ...where },
      }));
  return resource === "service" ? [...about("service"), ...about("intention")] : about(resource);
}

/** A name with this prefix that no other rule is about. A workspace is asked for with its organization in front. */
export function nobodyIn(resource: Resource, prefix: string): string {
  return resource === "workspace" && !prefix.includes("/") ? `${prefix}${NOBODY}/${NOBODY}` : prefix + NOBODY;
}
