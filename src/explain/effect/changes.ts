/** Groups the decisions about one name: how its access changes, from `deny` to `write`. Pure. */
import { createHash } from "node:crypto";
import { ACCESSES } from "../../rights/rules/rule.ts";
import type { Right } from "./points.ts";

/** Change of the access to one name, or to the names with one prefix; plain data. */
export interface AccessChange extends Omit<Right, "access"> {
  /** Digest of all other members: equal changes have equal IDs in every response. */
  id: string;
  /** Highest access before, or `deny`. */
  from: string;
  /** Highest access after, or `deny`. */
  to: string;
}

const ID_LENGTH = 16;

/** A decision before and after. */
export interface Decided {
  readonly right: Right;
  readonly could: boolean;
  readonly can: boolean;
}

/** Returns the key of a right's name: rights with equal keys differ in their access only. */
export function nameKey({ access: _access, ...name }: Right): string {
  return JSON.stringify(name);
}

/** Collects decisions before and after, and returns equal changes as one object. */
export class ChangeGroups {
  readonly #known = new Map<string, AccessChange>();

  /** @param decisions all accesses of each name */
  changesOf(decisions: readonly Decided[]): AccessChange[] {
    const names = new Map<string, { right: Right; asked: Set<string>; before: string[]; after: string[] }>();
    for (const { right, could, can } of decisions) {
      const key = nameKey(right);
      const name = names.get(key) ?? { right, asked: new Set<string>(), before: [], after: [] };
      names.set(key, name);
      // Other rules of a holder can ask about the same name once more.
      if (name.asked.has(right.access)) continue;
      name.asked.add(right.access);
      if (could) name.before.push(right.access);
      if (can) name.after.push(right.access);
    }
    return [...names.values()].flatMap(({ right, before, after }) => {
      const [from, to] = [highest(right, before), highest(right, after)];
      return from === to ? [] : [this.#change(right, from, to)];
    });
  }

  #change({ access: _access, ...name }: Right, from: string, to: string): AccessChange {
    const key = JSON.stringify([name, from, to]);
    let change = this.#known.get(key);
    if (change === undefined) {
      const id = createHash("sha256").update(key).digest("hex").slice(0, ID_LENGTH);
      this.#known.set(key, (change = { ...name, id, from, to }));
    }
    return change;
  }
}

/** Returns the highest access where it includes the lower ones, as every policy grants them; else all of them. */
function highest({ resource }: Right, allowed: readonly string[]): string {
  const order: readonly string[] = ACCESSES.get(resource) ?? [];
  const isWhole = order.slice(0, allowed.length).every((access) => allowed.includes(access));
  return (
    (isWhole ? allowed.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).at(-1) : allowed.join("+")) ?? "deny"
  );
}
