/** Finds the subjects that have an access. Runs with other long reads. */
import { listKey } from "../../storage/reads/conditions.ts";
import type { ApartSource, ApartWork, Reader } from "../../storage/database.ts";
import { isComputed } from "../../templates/template.ts";
import { startTurn } from "../../turns.ts";
import { methodStore } from "../../acl/auth-methods/store.ts";
import { BindingError, planBinding, type BindingPlan } from "../../acl/bindings/binding.ts";
import { bindingRuleStore, type BindingRule } from "../../acl/binding-rules/store.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import type { ListScope } from "../../rights/permission.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { roleStore } from "../../acl/roles/store.ts";
import { isIn, type Scope } from "../../rights/scope.ts";
import { listTokens } from "../../acl/tokens/store.ts";
import { mostGiven, type ComputedRule } from "./computed.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import { AccessDecider, type Allowed, type DeciderOptions, type AccessHolder } from "./decider.ts";

/** In the order of the list: whoever has the access comes before rules whose grants depend on the identity. */
export const SUBJECTS = ["role", "token", "binding-rule"] as const;
export type SubjectKind = (typeof SUBJECTS)[number];

/** Position at which a list continues: after this subject. */
export interface AccessPlace {
  kind: SubjectKind;
  partition: string;
  /** Key by which lists of the kind are paged. */
  after: string;
}

/** Subject that has the access; plain data. */
export interface AccessEntry {
  kind: SubjectKind;
  id: string;
  /** Name of a role, description of a token. */
  name: string;
  scope: Scope;
  decidedBy: string;
  policies: Allowed["policies"];
  /** Only for a binding rule: its description, its condition, and whether its grants follow from the identity. */
  description?: string;
  selector?: string;
  authMethod?: string;
  isComputed?: boolean;
  place: AccessPlace;
}

/** Input of a search. The server has already decided which lists the caller may see. */
export interface AccessSearch {
  question: RightsQuestion;
  options: DeciderOptions;
  lists: readonly ListScope[];
  kinds: readonly SubjectKind[];
  after: AccessPlace | undefined;
  size: number;
  now: number;
}

/** Rows that one statement reads; fewer where they are parsed, and their proofs looked at, beside all other requests. */
function sliceOf({ engine }: Pick<ApartSource, "engine">): number {
  return engine === "postgres" ? 500 : 1000;
}

/** Number of candidates between two looks at the clock. */
const BETWEEN = 32;

export const WHO_MAY: ApartWork<AccessSearch, AccessEntry[]> = {
  name: "who may do something",
  async run(source, search) {
    const decider = new AccessDecider(source, search.question, search.options);
    const entries: AccessEntry[] = [];
    const turn = startTurn();
    for await (const { kind, list, found } of slicesOf(source, search)) {
      for (const candidates of byScope(found))
        await decider.prepare(
          candidates[0]?.holder.scope ?? list,
          candidates.map(({ holder }) => holder),
        );
      for (const [index, candidate] of found.entries()) {
        if (index % BETWEEN === 0 && turn.isOver()) await turn.next();
        const { holder, entry, isOwn } = candidate;
        const allowed =
          candidate.computed === undefined
            ? await decider.decide(holder, !isOwn)
            : await decideComputed(decider, search.question, candidate.computed);
        if (allowed === undefined) continue;
        const { key: _key, ...shown } = entry;
        entries.push({ kind, ...shown, scope: holder.scope, ...allowed, place: placeOf(kind, list, candidate) });
        if (entries.length > search.size) return entries;
      }
    }
    return entries;
  },
};

/** Candidates of one kind in one list, so many as are read at once. */
export interface CandidateSlice {
  kind: SubjectKind;
  list: ListScope;
  found: Candidate[];
}

/** All who are to be looked at, in the order of the list, from a place on. */
export async function* slicesOf(
  source: ApartSource,
  search: Pick<AccessSearch, "lists" | "kinds" | "after" | "options" | "now">,
): AsyncGenerator<CandidateSlice> {
  const { after } = search;
  for (const kind of search.kinds) {
    for (const list of search.lists) {
      if (after !== undefined && isBefore({ kind, partition: list.partition }, after, search.lists)) continue;
      let at = after?.kind === kind && after.partition === list.partition ? after.after : "";
      for (;;) {
        const found = await SLICES[kind](source, list, at, search);
        yield { kind, list, found };
        const last = found.at(-1);
        if (found.length < sliceOf(source) || last === undefined) break;
        at = placeOf(kind, list, last).after;
      }
    }
  }
}

/** Position at which a list continues after a candidate. */
export function placeOf(kind: SubjectKind, list: ListScope, { holder, entry }: Candidate): AccessPlace {
  const after = listKey(list, holder.scope.namespace, entry.key ?? entry.id);
  return { kind, partition: list.partition, after };
}

const UNDECIDED: Allowed = { decidedBy: "computed", policies: [] };

/** Returns undefined when the rule can grant the access to no identity. */
async function decideComputed(
  decider: AccessDecider,
  question: RightsQuestion,
  rule: ComputedRule,
): Promise<Allowed | undefined> {
  const most = mostGiven(question, rule);
  if (most === "anything") return UNDECIDED;
  for (const holder of most) if ((await decider.decide(holder)) !== undefined) return UNDECIDED;
  return undefined;
}

export interface Candidate {
  holder: AccessHolder;
  entry: Pick<AccessEntry, "id" | "name" | "description" | "selector" | "authMethod" | "isComputed"> & { key?: string };
  /** Only for a rule whose name or place follows from the identity. */
  computed?: ComputedRule;
  /** Whether it is asked by itself, without what a namespace gives to all. */
  isOwn: boolean;
}

export function isBefore(
  { kind, partition }: { kind: SubjectKind; partition: string },
  after: AccessPlace,
  lists: readonly ListScope[],
): boolean {
  const [here, there] = [SUBJECTS.indexOf(kind), SUBJECTS.indexOf(after.kind)];
  if (here !== there) return here < there;
  const at = (name: string) => lists.findIndex((list) => list.partition === name);
  return at(partition) < at(after.partition);
}

export function byScope(found: readonly Candidate[]): Candidate[][] {
  return [...Map.groupBy(found, ({ holder: { scope } }) => `${scope.partition}/${scope.namespace}`).values()];
}

type Slice = (
  source: ApartSource,
  list: ListScope,
  after: string,
  search: Pick<AccessSearch, "options" | "now">,
) => Promise<Candidate[]>;

const NO_FILTER = {
  policy: "",
  role: "",
  serviceName: "",
  authMethod: "",
  authMethodNamespace: "",
  description: "",
  unusedSince: "",
  expiresBefore: undefined,
};

const SLICES: Readonly<Record<SubjectKind, Slice>> = {
  async token(source, list, after, { now }) {
    const tokens = await listTokens(
      source,
      list,
      { ...NO_FILTER, isEnabled: true },
      { after, search: "", size: sliceOf(source) },
      now,
    );
    return tokens.map((token) => ({
      holder: token,
      entry: { id: token.accessorId, name: token.description },
      isOwn: false,
    }));
  },
  async role(source, list, after) {
    const roles = await roleStore.list(source, list, { after, search: "", size: sliceOf(source) });
    return roles.map(({ id, name, scope, ...role }) => ({
      holder: { ...NO_GRANTS, ...role, roles: [], scope },
      entry: { id, name, key: roleStore.sortKey({ id, name, scope, ...role }) },
      isOwn: true,
    }));
  },
  async "binding-rule"(source, list, after, { options }) {
    const rules = await bindingRuleStore.list(source, list, { after, search: "", size: sliceOf(source) });
    const candidates: Candidate[] = [];
    for (const rule of rules) candidates.push(await candidateOf(source, rule, options.datacenter));
    return candidates;
  },
};

/** Returns the candidate of a binding rule: its logins have the grants of the rule and of their namespace. */
export async function candidateOf(source: Reader, rule: BindingRule, datacenter: string): Promise<Candidate> {
  const { id, description, selector, authMethod, scope, bindName, bindType } = rule;
  const entry = { id, name: `${bindType}/${bindName}`, description, selector, authMethod };
  const nothing: AccessHolder = { ...NO_GRANTS, roles: [], scope };
  const plan = planOf(rule);
  const method = await methodStore.anywhere(source, rule.methodId);
  if (plan === undefined || method === undefined) return { holder: nothing, entry, isOwn: true };
  const names = [plan.name, ...(plan.variable === undefined ? [] : [plan.variable])];
  // If its tokens may be in another namespace, the target of the name depends on the identity as well.
  const isPlaced = method.namespaceRules.length > 0 || !isIn(method.scope, scope);
  if (isPlaced || names.some(isComputed)) {
    const computed = { plan, scope, isPlaced, datacenter };
    return { holder: nothing, entry: { ...entry, isComputed: true }, computed, isOwn: true };
  }
  const name = plan.name.text;
  const given = (grants: Partial<AccessHolder>): Candidate => ({
    holder: { ...nothing, ...grants },
    entry,
    isOwn: false,
  });
  switch (plan.bindType) {
    case "role": {
      const role = await roleStore.byName(source, scope, name);
      return role === undefined ? { holder: nothing, entry, isOwn: true } : given({ roles: [role.id] });
    }
    case "policy": {
      const policy = await policyStore.byName(source, scope, name);
      return policy === undefined ? { holder: nothing, entry, isOwn: true } : given({ policies: [policy.id] });
    }
    case "service":
      return given({ serviceIdentities: [{ serviceName: name, datacenters: [] }] });
    case "node":
      return given({ nodeIdentities: [{ nodeName: name, datacenter }] });
    case "templated-policy":
      return given({ templatedPolicies: [{ templateName: name, variableName: plan.variable?.text, datacenters: [] }] });
  }
}

function planOf(rule: BindingRule): BindingPlan | undefined {
  try {
    return planBinding(rule);
  } catch (error) {
    if (error instanceof BindingError) return undefined;
    throw error;
  }
}
