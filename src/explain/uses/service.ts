/**
 * Finds the uses of an object, which show the objects that a change or a deletion affects. Implements `/v1/acl/uses`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { aclNamespaces, authorize, questionOf, seesNamespace, visibleNamespaces } from "../../rights/authorize.ts";
import { methodStore, type AuthMethod } from "../../acl/auth-methods/store.ts";
import { type BindingRule, sortedBindingRules } from "../../acl/binding-rules/store.ts";
import { findNamespace } from "../../acl/namespaces/store.ts";
import { missing as missingNamespace } from "../../acl/namespaces/service.ts";
import { readObject } from "../../acl/kit/objects.ts";
import { type ListScope, lacking, OPERATOR_READ } from "../../rights/permission.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { roleStore, sortedRoles } from "../../acl/roles/store.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import type { SortedObjects } from "../../acl/kit/scoped-objects.ts";
import { type EntryFilter, MOST_COUNTED, type SortedList, type SortRequest } from "../../lists/sorted.ts";
import { sortedTokens, type TokenFilter } from "../../acl/tokens/store.ts";
import { checkUuid } from "../../rights/uuid.ts";
import { giftsOf } from "./gifts.ts";
import * as store from "./store.ts";
import type { CountedUses, ObjectUse } from "./use.ts";

/** Kinds of objects whose uses a request may ask for. */
export const ASKED = ["policy", "role", "auth-method", "namespace"] as const;
export type UsedKind = (typeof ASKED)[number];

/** First objects of a kind that use the object, and their number; more than `MOST_COUNTED` are not counted. */
export interface UsesOfKind extends CountedUses {
  first: ObjectUse[];
}

export type UsingKind = "tokens" | "roles" | "bindingRules" | "namespaces";

export interface ObjectUses {
  kinds: Partial<Record<UsingKind, UsesOfKind>>;
  /** Tokens that have a policy by roles, each once. Only for a policy. */
  throughRoles?: CountedUses;
  /** Contents of a namespace: number of rows, by tables. Only for a namespace. */
  content: ReadonlyMap<string, number> | undefined;
  /** Whether other objects use it that the caller may not see. */
  hasHidden: boolean;
}

const FIRST: SortRequest = { size: 100, field: "", isDescending: false, after: "", at: "", search: "", idPrefix: "" };
const ANY: TokenFilter = {
  policy: "",
  role: "",
  serviceName: "",
  authMethod: "",
  authMethodNamespace: "",
  description: "",
  unusedSince: "",
  expiresBefore: undefined,
};

/**
 * Finds the uses of an object: of a policy or role the tokens, roles and binding rules of its namespace, and namespaces
 * that grant it to all their tokens; of an auth method its rules and tokens; of a namespace its contents.
 *
 * @param key ID or name of the object, in any case
 * @throws AppError `forbidden`, `not_found`
 */
export function findUses(ctx: Context, scope: Scope, asked: UsedKind, key: string): Promise<ObjectUses> {
  switch (asked) {
    case "policy":
      return usesOfPolicy(ctx, scope, key);
    case "role":
      return usesOfRole(ctx, scope, key);
    case "auth-method":
      return usesOfMethod(ctx, scope, key);
    case "namespace":
      return contentOf(ctx, { ...scope, namespace: fold(key) });
  }
}

async function usesOfPolicy(ctx: Context, scope: Scope, id: string): Promise<ObjectUses> {
  const policy = await readObject(ctx, scope, "policy", () => policyStore.find(ctx.db, scope, checkUuid(id, "policy")));
  const [roles, uses] = await Promise.all([
    firstOf(ctx, scope, sortedRoles({ policy: policy.id }), ofNamed),
    usesOfLinked(ctx, scope, "policies", policy),
  ]);
  const ids = roles.first.map(({ id: role }) => role);
  const { total, byRole } = await store.countRoleHolders(ctx.db.long, scope, ids, ctx.now());
  const withTokens = roles.first.map((role) => ({ ...role, tokens: counted(byRole.get(role.id) ?? 0) }));
  const all = counted(total);
  // Tokens of roles that are not among the first are not counted.
  const throughRoles = { ...all, hasMore: all.hasMore || roles.count > withTokens.length };
  return { ...uses, kinds: { ...uses.kinds, roles: { ...roles, first: withTokens } }, throughRoles };
}

async function usesOfRole(ctx: Context, scope: Scope, id: string): Promise<ObjectUses> {
  const role = await readObject(ctx, scope, "role", () => roleStore.find(ctx.db, scope, checkUuid(id, "role")));
  return usesOfLinked(ctx, scope, "roles", role);
}

async function usesOfLinked(
  ctx: Context,
  scope: Scope,
  table: "policies" | "roles",
  { id, name }: { id: string; name: string },
): Promise<ObjectUses> {
  const filter = { ...ANY, [table === "policies" ? "policy" : "role"]: id };
  const [tokens, bindingRules, given] = await Promise.all([
    firstOf(
      ctx,
      scope,
      sortedTokens(filter, ctx.now(), () => Promise.resolve(true)),
      ofToken,
    ),
    firstOf(ctx, scope, store.rulesThatBind(table, fold(name)), ofRule),
    usesOfDefaults(ctx, scope, table, id),
  ]);
  const { namespaces, hasHidden } = given;
  return { kinds: { tokens, bindingRules, ...(namespaces && { namespaces }) }, content: undefined, hasHidden };
}

/** Only what lies in the partition's namespace `default` can be given to all tokens of another. */
async function usesOfDefaults(ctx: Context, scope: Scope, table: "policies" | "roles", id: string) {
  const { partition, namespace } = scope;
  if (namespace !== DEFAULT_SCOPE.namespace) return { namespaces: undefined, hasHidden: false };
  const wanted = { table, id, seen: visibleNamespaces(ctx.actor, partition) };
  const [namespaces, hasHidden] = await Promise.all([
    first(store.namespacesThatGive(ctx.db.long, partition, wanted), ({ name }) => ({
      id: name,
      name,
      scope: { partition, namespace: name },
    })),
    store.hasHiddenNamespaces(ctx.db.long, partition, wanted),
  ]);
  return { namespaces, hasHidden };
}

async function usesOfMethod(ctx: Context, scope: Scope, name: string): Promise<ObjectUses> {
  const method = await readObject(ctx, scope, "auth method", () => methodStore.byName(ctx.db, scope, name));
  // Its rules may put tokens into any namespace of the partition.
  const { partition } = scope;
  const seen = aclNamespaces(ctx.actor, partition);
  const [bindingRules, tokens, hasHidden] = await Promise.all([
    rulesOfMethod(ctx, scope, method),
    firstOf(ctx, { ...scope, visible: seen }, store.tokensOfMethod(method.id, ctx.now()), ofToken),
    store.hasHiddenTokens(ctx.db.long, { partition, methodId: method.id, seen, now: ctx.now() }),
  ]);
  return { kinds: { ...bindingRules, tokens }, content: undefined, hasHidden };
}

/** The first binding rules of a method with what they give, and the roles among that. */
async function rulesOfMethod(ctx: Context, scope: Scope, { name, namespaceRules }: AuthMethod) {
  const bound = new Map<string, BindingRule>();
  const bindingRules = await firstOf(ctx, scope, sortedBindingRules(name), (rule) => {
    bound.set(rule.id, rule);
    return ofRule(rule);
  });
  // In the namespaces that the method puts tokens into, its names are those of other objects.
  const given = await giftsOf(ctx.db.long, scope, namespaceRules.length > 0 ? [] : [...bound.values()]);
  const withLinks = bindingRules.first.map((use) => {
    const rule = bound.get(use.id);
    return rule === undefined ? use : { ...use, links: [given.linkOf(rule)] };
  });
  const { roles } = given;
  return {
    bindingRules: { ...bindingRules, first: withLinks },
    roles: { count: roles.length, hasMore: false, first: roles },
  };
}

/**
 * Returns the contents of a namespace. A caller who may see it but not read in it learns only whether it has contents.
 */
async function contentOf(ctx: Context, scope: Scope): Promise<ObjectUses> {
  if (!seesNamespace(ctx.actor, scope)) {
    throw lacking(ctx, questionOf("namespace", scope.namespace, "read", scope), OPERATOR_READ);
  }
  if ((await findNamespace(ctx.db, scope)) === undefined) throw missingNamespace(scope.namespace);
  const isRead = authorize(ctx.actor, "acl", "", "read", scope);
  const counts = await store.countsIn(ctx.db, `${scope.partition}/${scope.namespace}`);
  return { kinds: {}, content: isRead ? counts : new Map(), hasHidden: !isRead && counts.size > 0 };
}

function firstOf<T>(
  ctx: Context,
  scope: ListScope,
  list: SortedObjects<T>,
  useOf: (entry: T) => ObjectUse,
): Promise<UsesOfKind> {
  const { long } = ctx.db;
  const ofScope = {
    slice: (page: SortRequest) => list.list(long, scope, page),
    count: (wanted: EntryFilter) => list.count(long, scope, wanted),
  };
  return first(ofScope, useOf);
}

async function first<T>(list: SortedList<T>, useOf: (entry: T) => ObjectUse): Promise<UsesOfKind> {
  const found = await list.slice(FIRST);
  const count = found.length < FIRST.size ? found.length : await list.count(FIRST);
  return { ...counted(count), first: found.map(({ entry }) => useOf(entry)) };
}

/** @param count up to `MOST_COUNTED` and one more */
function counted(count: number): CountedUses {
  return { count: Math.min(count, MOST_COUNTED), hasMore: count > MOST_COUNTED };
}

const ofNamed = ({ id, name, scope }: ObjectUse): ObjectUse => ({ id, name, scope });
const ofToken = ({
  accessorId,
  description,
  scope,
}: {
  accessorId: string;
  description: string;
  scope: Scope;
}): ObjectUse => ({
  id: accessorId,
  name: description,
  scope,
});
/** A rule without a description is called by what it gives, as where one asks who may. */
const ofRule = ({ id, description, bindType, bindName, scope }: BindingRule): ObjectUse => ({
  id,
  name: description || `${bindType}/${bindName}`,
  scope,
});

/** Reads what a request asks of. @throws AppError `bad_parameter` unless it is one thing */
export function readAsked(query: Readonly<Record<string, string | undefined>>): { asked: UsedKind; key: string } {
  const given = ASKED.filter((each) => (query[each] ?? "") !== "");
  const [asked] = given;
  if (asked === undefined || given.length > 1) {
    throw new AppError("bad_parameter", `Set exactly one of ${ASKED.join(", ")}`);
  }
  return { asked, key: query[asked] ?? "" };
}
