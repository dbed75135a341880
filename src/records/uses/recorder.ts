/** Notes what one request uses, each permission once: a list asks for each of its rows, and is one use of a rule. */
import type { Actor, UseRecorder } from "../../rights/actor.ts";
import type { LayerGrant } from "../../rights/rules/layer.ts";
import type { Access, Resource } from "../../rights/rules/rule.ts";
import type { Scope } from "../../rights/scope.ts";
import type { PermissionUse, UseColumn } from "../../rights/uses.ts";
import type { UseMemory } from "./memory.ts";
import { NAMES_OF_GROUP } from "./row.ts";
import { isSameQuestion, questionOf } from "./subjects.ts";

/** Longest name that is kept, in characters. A question can have any; rules have shorter ones. */
const LONGEST_NAME = 512;
/** Uses that are compared one by one: most requests have fewer. */
const FEW = 8;

/** Counter of uses. */
export type CountsUses = Pick<UseMemory, "count">;

/** Gives an actor a recorder of its own. @param memory undefined where no ledger is kept */
export function withRecorder(memory: CountsUses | undefined, actor: Actor): Actor {
  return memory === undefined ? actor : { ...actor, uses: new RequestUses(memory, actor) };
}

class RequestUses implements UseRecorder {
  readonly of: Actor;
  readonly #memory: CountsUses;
  readonly #noted: PermissionUse[] = [];
  /** Names of many uses: those of each group, by the rule. */
  #groups: Map<PermissionUse["by"], Map<string, Set<string | undefined>>> | undefined;

  constructor(memory: CountsUses, of: Actor) {
    this.#memory = memory;
    this.of = of;
  }

  get forQuestions(): UseRecorder | undefined {
    return this.of.session === undefined ? this : undefined;
  }

  note(
    by: LayerGrant | readonly LayerGrant[] | undefined,
    resource: Resource,
    access: Access,
    scope: Scope,
    name: string | undefined,
    column: UseColumn = "enforced",
    askedBy = "",
  ): void {
    const kept = name === undefined || name.length > LONGEST_NAME ? undefined : name;
    if (this.#groups === undefined) {
      for (const each of this.#noted) {
        if (each.by !== by || each.name !== kept || each.access !== access) continue;
        if (each.resource !== resource || each.column !== column || each.askedBy !== askedBy) continue;
        if (isSame(each.scope, scope)) return;
      }
    }
    this.#add({ by, resource, access, scope, column, askedBy, name: kept });
  }

  #add(asked: PermissionUse): void {
    let use = asked;
    if (this.#noted.length >= FEW || this.#groups !== undefined) {
      const names = this.#namesOf(use);
      const isFolded = !names.has(use.name) && use.name !== undefined && names.size >= NAMES_OF_GROUP;
      const name = isFolded ? undefined : use.name;
      if (names.has(name)) return;
      names.add(name);
      if (isFolded) use = { ...use, name };
    }
    this.#noted.push(use);
    this.#memory.count(this.of, use);
  }

  #namesOf(use: PermissionUse): Set<string | undefined> {
    if (this.#groups === undefined) {
      this.#groups = new Map();
      for (const each of this.#noted) this.#namesOf(each).add(each.name);
    }
    let groups = this.#groups.get(use.by);
    if (groups === undefined) this.#groups.set(use.by, (groups = new Map()));
    const question = questionOf(use);
    let names = groups.get(question);
    if (names === undefined) groups.set(question, (names = new Set()));
    return names;
  }

  noted(): readonly PermissionUse[] {
    return [...this.#noted];
  }

  noteAll(uses: readonly PermissionUse[]): void {
    for (const use of uses) {
      const isNoted = this.#groups === undefined && this.#noted.some((each) => each === use || isEqual(each, use));
      if (!isNoted) this.#add(use);
    }
  }
}

function isEqual(one: PermissionUse, other: PermissionUse): boolean {
  return one.name === other.name && isSameQuestion(one, other);
}

function isSame(one: Scope, other: Scope): boolean {
  return one === other || (one.namespace === other.namespace && one.partition === other.partition);
}
