/** From what a request thinks of to what is compared: by IDs, and with all that stays as it is stored. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { seesNamespace } from "../../rights/authorize.ts";
import { checkCount, checkIdentities, NO_GRANTS, type GrantsInput, type GrantLink } from "../../acl/grants.ts";
import { findIds, findNames, nameIn, type LinkedTable } from "../../acl/kit/link-store.ts";
import { resolveLinks } from "../../acl/kit/links.ts";
import { findLiving } from "../../acl/namespaces/living.ts";
import type { NamespaceDefaults } from "../../acl/namespaces/store.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { thoughtPolicy, type PolicyText } from "../../acl/policies/stored-rules.ts";
import { countOf, type PolicyEdition } from "../../acl/policies/service.ts";
import { roleStore, type RoleGrants } from "../../acl/roles/store.ts";
import { fold } from "../../fold.ts";
import { homeOf, isIn, type Scope } from "../../rights/scope.ts";
import { tokenStore } from "../../acl/tokens/store.ts";
import type { ResolvedGrants } from "../../acl/tokens/service.ts";
import { checkUuid } from "../../rights/uuid.ts";
import type { DraftLists } from "./drafts.ts";

/** Which one is meant: by its ID, or by its name, which may be that of a new one. */
interface Named {
  id: string;
  name: string;
  isDeleted: boolean;
}

export interface PolicyDraft extends Named {
  /** Undefined where it stays. */
  rules: string | undefined;
  datacenters: readonly string[] | undefined;
}

/** Each list is undefined where it stays. */
export type GrantsDraft = { [Member in keyof GrantsInput]: GrantsInput[Member] | undefined };

export type RoleDraft = Named & GrantsDraft;

export interface TokenDraft extends GrantsDraft {
  accessorId: string;
  roles: readonly GrantLink[] | undefined;
}

/** Grants that a namespace would make to all its tokens; each list is undefined when it stays. */
export interface NamespaceDraft {
  name: string;
  policies: readonly GrantLink[] | undefined;
  roles: readonly GrantLink[] | undefined;
}

export interface DraftInput {
  policies: readonly PolicyDraft[];
  roles: readonly RoleDraft[];
  tokens: readonly TokenDraft[];
  namespaces: readonly NamespaceDraft[];
}

/** @throws AppError `not_found` for an ID that nothing has, `invalid` for rules and links that no write would take */
export async function resolveDrafts(
  ctx: Context,
  scope: Scope,
  input: DraftInput,
  edition: PolicyEdition,
): Promise<DraftLists> {
  const resolver = new Resolver(ctx, scope, edition);
  const policies = await resolver.policies(input.policies);
  const roles = await resolver.roles(input.roles);
  const tokens = await resolver.tokens(input.tokens);
  return { policies, roles, tokens, defaults: await resolver.namespaces(input.namespaces) };
}

class Resolver {
  readonly #ctx: Context;
  readonly #scope: Scope;
  readonly #edition: PolicyEdition;
  /** IDs of drafts of new objects by their names, in each table. */
  readonly #made = { policies: new Map<string, string>(), roles: new Map<string, string>() };

  constructor(ctx: Context, scope: Scope, edition: PolicyEdition) {
    this.#ctx = ctx;
    this.#scope = scope;
    this.#edition = edition;
  }

  async policies(drafts: readonly PolicyDraft[]): Promise<[string, PolicyText | null][]> {
    const ids = await this.#idsOf("policies", drafts);
    const stored = new Map((await policyStore.all(this.#ctx.db, this.#scope, ids)).map((each) => [each.id, each]));
    const resolved: [string, PolicyText | null][] = [];
    for (const [index, { name, rules, datacenters, isDeleted }] of drafts.entries()) {
      const id = ids[index] ?? "";
      const current: PolicyText = stored.get(id) ?? thoughtPolicy(name, this.#scope, "", 0);
      // As a write would leave it: rules that the draft does not contain are read as before. Also of what goes: it is refused alike.
      const read = rules === undefined ? current : await this.#readAnew(current, rules);
      resolved.push([id, isDeleted ? null : { ...read, id, datacenters: datacenters ?? current.datacenters }]);
    }
    return resolved;
  }

  async roles(drafts: readonly RoleDraft[]): Promise<[string, RoleGrants | null][]> {
    const ids = await this.#idsOf("roles", drafts);
    const stored = new Map((await roleStore.all(this.#ctx.db, this.#scope, ids)).map((each) => [each.id, each]));
    const resolved: [string, RoleGrants | null][] = [];
    for (const [index, draft] of drafts.entries()) {
      const id = ids[index] ?? "";
      if (draft.isDeleted) resolved.push([id, null]);
      else resolved.push([id, { id, ...(await this.#grants(draft, stored.get(id) ?? NO_GRANTS, "role")) }]);
    }
    return resolved;
  }

  async tokens(drafts: readonly TokenDraft[]): Promise<[string, ResolvedGrants][]> {
    const resolved: [string, ResolvedGrants][] = [];
    for (const draft of drafts) {
      const token = await tokenStore.find(this.#ctx.db, this.#scope, checkUuid(draft.accessorId, "token"));
      if (token === undefined) throw new AppError("not_found", "token does not exist: ACL not found");
      checkCount(draft.roles ?? [], "Roles");
      const roles = draft.roles === undefined ? token.roles : await this.#links("roles", draft.roles);
      resolved.push([token.accessorId, { ...(await this.#grants(draft, token, "token")), roles }]);
    }
    return resolved;
  }

  /**
   * Resolves the defaults of namespaces, which are in the namespace `default`. A namespace that does not exist, or that
   * the caller may not see, grants nothing.
   */
  async namespaces(drafts: readonly NamespaceDraft[]): Promise<[string, NamespaceDefaults][]> {
    const { partition } = this.#scope;
    if (drafts.length > 0 && !isIn(homeOf(partition), this.#scope))
      throw invalid("Namespaces can only be compared in the namespace default");
    const names = drafts.map(({ name }) => fold(name));
    if (new Set(names).size < names.length) throw invalid("a namespace is listed more than once");
    const resolved: [string, NamespaceDefaults][] = [];
    for (const { name, policies, roles } of drafts) {
      const scope = { partition, namespace: fold(name) };
      checkCount(policies ?? [], "PolicyDefaults");
      checkCount(roles ?? [], "RoleDefaults");
      const given = {
        policies: policies && (await this.#links("policies", policies)),
        roles: roles && (await this.#links("roles", roles)),
      };
      const current = seesNamespace(this.#ctx.actor, scope) ? await findLiving(this.#ctx.db, scope) : undefined;
      if (current === undefined) continue;
      const { defaults = { policies: [], roles: [] } } = current;
      const draft = { policies: given.policies ?? defaults.policies, roles: given.roles ?? defaults.roles };
      resolved.push([scope.namespace, draft]);
    }
    return resolved;
  }

  async #grants(
    draft: GrantsDraft,
    current: Omit<ResolvedGrants, "roles">,
    owner: "token" | "role",
  ): Promise<Omit<ResolvedGrants, "roles">> {
    const identities = checkIdentities(
      {
        policies: draft.policies ?? [],
        serviceIdentities: draft.serviceIdentities ?? current.serviceIdentities,
        nodeIdentities: draft.nodeIdentities ?? current.nodeIdentities,
        templatedPolicies: draft.templatedPolicies ?? current.templatedPolicies,
      },
      owner,
      false,
      this.#scope,
    );
    const policies = draft.policies === undefined ? current.policies : await this.#links("policies", draft.policies);
    return { ...identities, policies };
  }

  /** The IDs of what drafts are of; a name that nothing has is that of a new one. */
  async #idsOf(table: LinkedTable, drafts: readonly Named[]): Promise<string[]> {
    const noun = table === "policies" ? "policy" : "role";
    const given = drafts.flatMap(({ id }) => (id === "" ? [] : [checkUuid(id, noun)]));
    const [names, found] = await Promise.all([
      findNames(this.#ctx.db, table, given),
      findIds(
        this.#ctx.db,
        table,
        this.#scope,
        drafts.map(({ name }) => fold(name)),
      ),
    ]);
    const ids = drafts.map(({ id, name }) => {
      if (id !== "") {
        if (nameIn(names, this.#scope, id.toLowerCase()) === undefined)
          throw new AppError("not_found", `${noun} does not exist: ACL not found`);
        return id.toLowerCase();
      }
      if (name === "") throw invalid(`each ${noun} requires an ID or a Name`);
      const key = fold(name);
      const stored = found.get(key)?.id;
      // No stored ID looks like this.
      if (stored === undefined) this.#made[table].set(key, `new ${key}`);
      return stored ?? `new ${key}`;
    });
    if (new Set(ids).size < ids.length) throw invalid(`a ${noun} is listed more than once`);
    return ids;
  }

  async #links(table: LinkedTable, links: readonly GrantLink[]): Promise<string[]> {
    const made = this.#made[table];
    const thought = (link: GrantLink) => (link.id === undefined ? made.get(fold(link.name ?? "")) : undefined);
    const others = links.filter((link) => thought(link) === undefined);
    const stored = await resolveLinks(this.#ctx.db, table, this.#scope, others);
    return [...new Set([...links.flatMap((link) => thought(link) ?? []), ...stored])];
  }

  async #readAnew({ name }: PolicyText, rules: string): Promise<PolicyText> {
    return thoughtPolicy(name, this.#scope, rules, await countOf(rules, this.#scope, this.#edition));
  }
}
