/** Searches of the decision point that go through many objects. They run with other long reads. */
import { AccessDecider, type DeciderOptions } from "../explain/access/decider.ts";
import { placeOf, slicesOf, type SubjectKind } from "../explain/access/find.ts";
import { inTurns } from "../explain/access/held.ts";
import type { PolicyEdition } from "../acl/policies/service.ts";
import { policyStore } from "../acl/policies/store.ts";
import { readStoredRules } from "../acl/policies/stored-rules.ts";
import type { RightsQuestion } from "../rights/rules/question.ts";
import type { Resource, Rule } from "../rights/rules/rule.ts";
import type { Steps } from "../rights/rules/scanner.ts";
import type { Scope } from "../rights/scope.ts";
import { idIn, type IdPlace } from "../templates/name-template.ts";
import type { ApartWork } from "../storage/database.ts";
import { startTurn } from "../turns.ts";

/** Input of a search for tokens or roles of a scope that have an access. */
export interface SubjectSearch {
  question: RightsQuestion;
  options: DeciderOptions;
  scope: Scope;
  kind: Extract<SubjectKind, "token" | "role">;
  /** Position of the ID in names of the type; undefined for a built-in type. */
  place: IdPlace | undefined;
  /** Key of the last subject that is known; empty for the first page. */
  after: string;
  size: number;
  now: number;
}

export interface FoundSubject {
  /** AccessorID of a token, name of a role; of an own type the ID in it. */
  id: string;
  /** Start of the next page. */
  key: string;
}

/** Candidates between two looks at the clock. */
const BETWEEN = 32;

export const SUBJECTS_WITH_ACCESS: ApartWork<SubjectSearch, FoundSubject[]> = {
  name: "subjects with an access",
  async run(source, { question, options, scope, kind, place: idPlace, after, size, now }) {
    const decider = new AccessDecider(source, question, options);
    const place = after === "" ? undefined : { kind, partition: scope.partition, after };
    const found: FoundSubject[] = [];
    const turn = startTurn();
    for await (const slice of slicesOf(source, { lists: [scope], kinds: [kind], after: place, options, now })) {
      const holders = slice.found.map(({ holder }) => holder);
      await decider.prepare(scope, holders);
      for (const [index, candidate] of slice.found.entries()) {
        if (index % BETWEEN === 0 && turn.isOver()) await turn.next();
        const { id: accessor, name } = candidate.entry;
        const stored = kind === "role" ? name : accessor;
        const id = idPlace === undefined ? stored : idIn(idPlace, stored);
        if (id === undefined || (await decider.decide(candidate.holder)) === undefined) continue;
        found.push({ id, key: placeOf(kind, slice.list, candidate).after });
        if (found.length >= size) return found;
      }
    }
    return found;
  },
};

/** Input of a search for names that rules of a scope's policies are about, exactly. */
export interface NameSearch {
  resource: Resource;
  scope: Scope;
  edition: PolicyEdition;
}

/** Policies that one statement reads. */
const POLICIES = 50;
/** Maximum number of names that are known of a resource. */
const MAX_NAMES = 100_000;

/** Returns the names in order, each once. */
export const EXACT_NAMES: ApartWork<NameSearch, string[]> = {
  name: "names in exact rules",
  async run(source, { resource, scope, edition }) {
    const names = new Set<string>();
    for (let after = ""; ;) {
      const listed = await policyStore.list(source, scope, { after, search: "", size: POLICIES });
      const ids = listed.map(({ id }) => id);
      for (const policy of await policyStore.all(source, scope, ids)) {
        await inTurns(addNames(names, resource, readStoredRules(policy, edition)));
        if (names.size >= MAX_NAMES) return inOrder(names);
      }
      const last = listed.at(-1);
      if (last === undefined || listed.length < POLICIES) return inOrder(names);
      after = policyStore.sortKey(last);
    }
  },
};

function inOrder(names: ReadonlySet<string>): string[] {
  return [...names].toSorted();
}

/** Rules in blocks for namespaces and partitions are about other scopes. */
function* addNames(names: Set<string>, resource: Resource, reading: Steps<Rule[]>): Steps<void> {
  const ruled = resource === "intention" ? "service" : resource;
  for (const rule of yield* reading) {
    if (!("kind" in rule) && rule.resource === ruled && !rule.prefix) names.add(rule.segment);
  }
}
