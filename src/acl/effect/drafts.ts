/** What is thought of in the place of what is stored, and what has to be asked to know what that changes. */
import type { Reader } from "../../storage/database.ts";
import { parsePolicy, type DeciderOptions } from "../access/held.ts";
import { syntheticPolicies } from "../effective.ts";
import { NO_GRANTS, type Grants } from "../grants.ts";
import { policyStore, type Policy } from "../policies/store.ts";
import { roleStore, type Role } from "../roles/store.ts";
import type { PolicyRules } from "../rules/rule.ts";
import type { Scope } from "../scope.ts";
import { tokenStore } from "../tokens/store.ts";
import type { ResolvedGrants } from "../tokens/service.ts";
import { Points } from "./points.ts";

/** By ID; null for what would be gone. Plain data. */
export interface DraftLists {
  policies: readonly (readonly [string, Policy | null])[];
  roles: readonly (readonly [string, Role | null])[];
  /** By AccessorID. */
  tokens: readonly (readonly [string, ResolvedGrants])[];
}

/** The questions that the drafts, all of which lie in one scope, may answer in another way than what is stored. */
export async function pointsOfDrafts(
  db: Reader,
  scope: Scope,
  drafts: DraftLists,
  options: DeciderOptions,
): Promise<Points> {
  const reader = new LinkReader(db, scope, drafts, options);
  const points = new Points();
  const stored = byId(await policyStore.all(db, scope, idsOf(drafts.policies)));
  for (const [id, draft] of drafts.policies) {
    const parsed = (policy: Policy | null | undefined) => (policy ? reader.parse(policy, false) : []);
    points.add(parsed(stored.get(id)), parsed(draft));
  }
  const roles = byId(await roleStore.all(db, scope, idsOf(drafts.roles)));
  for (const [id, draft] of drafts.roles) await reader.addLinks(points, roles.get(id), draft ?? undefined);
  const tokens = await tokenStore.all(db, scope, idsOf(drafts.tokens));
  const given = new Map(drafts.tokens);
  for (const token of tokens) {
    const draft = given.get(token.accessorId) ?? token;
    await reader.addLinks(points, token, draft);
    const [gone, come] = [without(token.roles, draft.roles), without(draft.roles, token.roles)];
    for (const role of await roleStore.all(db, scope, gone)) await reader.addLinks(points, role, undefined);
    const thought = new Map(drafts.roles);
    for (const id of come) await reader.addLinks(points, undefined, thought.get(id) ?? undefined);
    const others = come.filter((id) => !thought.has(id));
    for (const role of await roleStore.all(db, scope, others)) await reader.addLinks(points, undefined, role);
  }
  return points;
}

class LinkReader {
  readonly #db: Reader;
  readonly #scope: Scope;
  readonly #drafts: ReadonlyMap<string, Policy | null>;
  readonly #options: DeciderOptions;

  constructor(db: Reader, scope: Scope, { policies }: DraftLists, options: DeciderOptions) {
    this.#db = db;
    this.#scope = scope;
    this.#drafts = new Map(policies);
    this.#options = options;
  }

  parse(policy: Policy, isSynthetic: boolean): PolicyRules[] {
    return [parsePolicy(policy, this.#options, isSynthetic) ?? []].flat();
  }

  /** What comes and goes because something else is linked to. */
  async addLinks(points: Points, before: Grants = NO_GRANTS, after: Grants = NO_GRANTS): Promise<void> {
    points.add(await this.#linked(without(before.policies, after.policies), false), []);
    points.add([], await this.#linked(without(after.policies, before.policies), true));
    points.add(this.#expanded(before), this.#expanded(after));
  }

  async #linked(ids: readonly string[], isThought: boolean): Promise<PolicyRules[]> {
    const drafts = isThought ? ids.flatMap((id) => this.#drafts.get(id) ?? []) : [];
    const thought = new Set(drafts.map(({ id }) => id));
    const stored = await policyStore.all(
      this.#db,
      this.#scope,
      ids.filter((id) => !thought.has(id)),
    );
    return [...drafts, ...stored].flatMap((policy) => this.parse(policy, false));
  }

  #expanded(grants: Grants): PolicyRules[] {
    return Array.from(syntheticPolicies(grants), ({ policy }) =>
      this.parse({ ...policy, scope: this.#scope, createIndex: 0, modifyIndex: 0 }, true),
    ).flat();
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
