/** Drafts in place of stored objects, and the questions that find the effect of the drafts. */
import type { Reader } from "../../storage/database.ts";
import { parsePolicy, type DeciderOptions, type RunInTurns } from "../access/held.ts";
import { syntheticPolicies } from "../../acl/effective.ts";
import { NO_GRANTS, type Grants } from "../../acl/grants.ts";
import { findLiving } from "../../acl/namespaces/living.ts";
import type { NamespaceDefaults } from "../../acl/namespaces/store.ts";
import { policyStore } from "../../acl/policies/store.ts";
import type { PolicyText } from "../../acl/policies/stored-rules.ts";
import { roleStore, type RoleGrants } from "../../acl/roles/store.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import { tokenStore } from "../../acl/tokens/store.ts";
import type { ResolvedGrants } from "../../acl/tokens/service.ts";
import { atOnce, startTurn } from "../../turns.ts";
import { Points } from "./points.ts";

/** By ID; null for what would be gone. Plain data. */
export interface DraftLists {
  policies: readonly (readonly [string, PolicyText | null])[];
  roles: readonly (readonly [string, RoleGrants | null])[];
  /** By AccessorID. */
  tokens: readonly (readonly [string, ResolvedGrants])[];
  /** Defaults of namespaces of the partition that are not being deleted, by folded name. */
  defaults: readonly (readonly [string, NamespaceDefaults])[];
}

/** Returns the questions to which the drafts, all in one scope, may give other answers than the stored objects. */
export async function pointsOfDrafts(
  db: Reader,
  scope: Scope,
  drafts: DraftLists,
  options: DeciderOptions,
  run: RunInTurns,
): Promise<Points> {
  const points = new Points();
  const reader = new LinkReader(db, scope, drafts, { options, points, run });
  const stored = byId(await policyStore.all(db, scope, idsOf(drafts.policies)));
  for (const [id, draft] of drafts.policies) await reader.addPolicy(stored.get(id), draft);
  const roles = byId(await roleStore.all(db, scope, idsOf(drafts.roles)));
  for (const [id, draft] of drafts.roles) await reader.addLinks(roles.get(id), draft ?? undefined);
  if (!points.isComplete) return points;
  const tokens = await tokenStore.all(db, scope, idsOf(drafts.tokens));
  const given = new Map(drafts.tokens);
  for (const token of tokens) {
    await reader.addGrant(token, given.get(token.accessorId) ?? token);
    if (!points.isComplete) return points;
  }
  for (const [namespace, draft] of drafts.defaults) {
    const living = await findLiving(db, { partition: scope.partition, namespace });
    const before = living?.defaults ?? { policies: [], roles: [] };
    await reader.addGrant({ ...NO_GRANTS, ...before }, { ...NO_GRANTS, ...draft });
    if (!points.isComplete) return points;
  }
  return points;
}

interface Asking {
  readonly options: DeciderOptions;
  readonly points: Points;
  readonly run: RunInTurns;
}

/** Each policy is read and parsed once, however many are linked to it, and in turns. */
class LinkReader {
  readonly #db: Reader;
  readonly #scope: Scope;
  readonly #drafts: ReadonlyMap<string, PolicyText | null>;
  readonly #roles: ReadonlyMap<string, RoleGrants | null>;
  readonly #options: DeciderOptions;
  readonly #points: Points;
  readonly #run: RunInTurns;
  readonly #turn = startTurn();
  readonly #thought = new Map<string, PolicyRules[]>();
  readonly #stored = new Map<string, PolicyRules[]>();

  constructor(db: Reader, scope: Scope, { policies, roles }: DraftLists, { options, points, run }: Asking) {
    this.#db = db;
    this.#scope = scope;
    this.#drafts = new Map(policies);
    this.#roles = new Map(roles);
    this.#options = options;
    this.#points = points;
    this.#run = run;
  }

  /** A policy that becomes another one, or comes or goes. */
  async addPolicy(before: PolicyText | undefined, after: PolicyText | null): Promise<void> {
    if (!(await this.#goesOn())) return;
    const old = before === undefined ? [] : await this.#once(this.#stored, before);
    this.#points.add(old, after === null ? [] : await this.#once(this.#thought, after));
  }

  /** Adds the rules that are added or removed because other policies and roles are linked. */
  async addGrant(before: ResolvedGrants, after: ResolvedGrants): Promise<void> {
    await this.addLinks(before, after);
    if (!this.#points.isComplete) return;
    const [gone, come] = [without(before.roles, after.roles), without(after.roles, before.roles)];
    for (const role of await roleStore.all(this.#db, this.#scope, gone)) await this.addLinks(role, undefined);
    for (const id of come) await this.addLinks(undefined, this.#roles.get(id) ?? undefined);
    const others = come.filter((id) => !this.#roles.has(id));
    for (const role of await roleStore.all(this.#db, this.#scope, others)) await this.addLinks(undefined, role);
  }

  /** Adds the rules that are added or removed because of other links. */
  async addLinks(before: Grants = NO_GRANTS, after: Grants = NO_GRANTS): Promise<void> {
    if (!(await this.#goesOn())) return;
    this.#points.add(await this.#linked(without(before.policies, after.policies), false), []);
    this.#points.add([], await this.#linked(without(after.policies, before.policies), true));
    this.#points.add(this.#expanded(before), this.#expanded(after));
  }

  /** Yields the turn to other work. @returns whether to continue: beyond the limit nothing is added */
  async #goesOn(): Promise<boolean> {
    if (this.#turn.isOver()) await this.#turn.next();
    return this.#points.isComplete;
  }

  async #linked(ids: readonly string[], isThought: boolean): Promise<PolicyRules[]> {
    const drafts = isThought ? ids.flatMap((id) => this.#drafts.get(id) ?? []) : [];
    const thought = new Set(drafts.map(({ id }) => id));
    const stored = ids.filter((id) => !thought.has(id));
    const unread = stored.filter((id) => !this.#stored.has(id));
    for (const policy of await policyStore.all(this.#db, this.#scope, unread)) await this.#once(this.#stored, policy);
    for (const policy of drafts) await this.#once(this.#thought, policy);
    return [
      ...drafts.flatMap(({ id }) => this.#thought.get(id) ?? []),
      ...stored.flatMap((id) => this.#stored.get(id) ?? []),
    ];
  }

  async #once(known: Map<string, PolicyRules[]>, policy: PolicyText): Promise<PolicyRules[]> {
    let parsed = known.get(policy.id);
    if (parsed === undefined) known.set(policy.id, (parsed = await this.#run(this.#parse(policy, false))));
    return parsed;
  }

  #expanded(grants: Grants): PolicyRules[] {
    return Array.from(syntheticPolicies(grants), ({ policy }) =>
      atOnce(this.#parse({ ...policy, scope: this.#scope }, true)),
    ).flat();
  }

  *#parse(policy: PolicyText, isSynthetic: boolean): Steps<PolicyRules[]> {
    return [(yield* parsePolicy(policy, this.#options, isSynthetic)) ?? []].flat();
  }
}

function idsOf(drafts: readonly (readonly [string, unknown])[]): string[] {
  return drafts.map(([id]) => id);
}

function byId<T extends { id: string }>(found: readonly T[]): Map<string, T> {
  return new Map(found.map((each) => [each.id, each]));
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}
