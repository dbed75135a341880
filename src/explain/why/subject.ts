/** About whom a decision is explained: what gives them their rights, and by what they came to it. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { listOfPartition } from "../../records/store.ts";
import { methodStore } from "../../acl/auth-methods/store.ts";
import { authorize } from "../../rights/authorize.ts";
import { bindingRuleStore, type BindingRule } from "../../acl/binding-rules/store.ts";
import { checkEffective, readEffective, type Effective, type LinkHolder } from "../../acl/effective.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import { explainLogin } from "../../acl/login/explain.ts";
import type { LoginServices } from "../../acl/login/services.ts";
import { findLiving } from "../../acl/namespaces/living.ts";
import { checkPermission } from "../../rights/permission.ts";
import { countOf, type PolicyEdition } from "../../acl/policies/service.ts";
import { thoughtPolicy } from "../../acl/policies/stored-rules.ts";
import { readRole, readRoleByName } from "../../acl/roles/service.ts";
import type { Scope } from "../../rights/scope.ts";
import { isDisabled } from "../../acl/tokens/disabled.ts";
import { isExpired } from "../../acl/tokens/reads.ts";
import { tokenStore, type Token } from "../../acl/tokens/store.ts";
import { checkUuid } from "../../rights/uuid.ts";

/** Subject of the questions; exactly one of the first five, the identity with one of the last two. */
export interface SubjectRequest {
  accessorId: string | undefined;
  roleId: string | undefined;
  roleName: string | undefined;
  authMethod: string | undefined;
  /** Rules of a draft policy: the subject has nothing else. */
  rules: string | undefined;
  bearerToken: string | undefined;
  identity: unknown;
}

/** Subject with permissions. */
export interface Subject {
  /** Name of the subject in answers: contains nothing that the caller may not read. */
  shown: Readonly<Record<string, unknown>>;
  scope: Scope;
  effective: Effective;
  /** The binding rules of the login that it came by; undefined where that is none, or not known any more. */
  boundBy: BoundBy | undefined;
}

/** The rules that gave a login what it has, where the caller may read them. */
export type BoundBy = "hidden" | readonly BindingRule[];

/** Login that would be denied, or a disabled token: neither has permissions. */
export interface NoSubject {
  shown: Readonly<Record<string, unknown>>;
  refusal: string;
  decidedBy: "login" | "disabled";
}

/**
 * Finds whom a request asks about, in the scope where it works.
 *
 * @throws AppError `forbidden` without acl:read there, `not_found`, `invalid` when it is not said who, and for rules that no policy
 * there may hold
 */
export async function findSubject(
  ctx: Context,
  services: LoginServices,
  scope: Scope,
  asked: SubjectRequest,
  edition: PolicyEdition,
): Promise<Subject | NoSubject> {
  checkPermission(ctx, scope, "acl", "read");
  const { accessorId, roleId, roleName, authMethod, rules } = asked;
  if ([accessorId, roleId, roleName, authMethod, rules].filter((each) => each !== undefined).length !== 1) {
    throw invalid("Set exactly one of AccessorID, RoleID, RoleName, AuthMethod and Rules");
  }
  if (rules !== undefined) return subjectOfDraft(ctx, services.datacenter, scope, rules, edition);
  if (accessorId !== undefined) return subjectOfToken(ctx, services.datacenter, scope, accessorId);
  if (authMethod !== undefined) return subjectOfIdentity(ctx, services, scope, { ...asked, authMethod });
  const role =
    roleId === undefined ? await readRoleByName(ctx, scope, roleName ?? "") : await readRole(ctx, scope, roleId);
  const shown = { Role: { ID: role.id, Name: role.name } };
  return subjectWith(ctx, services.datacenter, shown, { ...NO_GRANTS, scope, roles: [role.id] }, undefined);
}

/** A token by its AccessorID. @throws AppError `not_found` */
export async function subjectOfToken(
  ctx: Context,
  datacenter: string,
  scope: Scope,
  accessorId: string,
): Promise<Subject | NoSubject> {
  const token = await tokenStore.find(ctx.db, scope, checkUuid(accessorId, "token"));
  if (token === undefined) throw new AppError("not_found", "token does not exist: ACL not found");
  if (isExpired(token, ctx.now())) throw new AppError("not_found", "token has expired: ACL not found");
  if (isDisabled(token)) {
    const refusal = `The token was disabled at ${token.disabledAt}`;
    return { shown: { AccessorID: token.accessorId }, refusal, decidedBy: "disabled" };
  }
  const boundBy = await rulesOfLogin(ctx, token);
  const AuthMethod = boundBy === "hidden" ? boundBy : token.authMethod || undefined;
  return subjectWith(ctx, datacenter, { AccessorID: token.accessorId, AuthMethod }, token, boundBy);
}

/** Returns the subject that has a draft policy, and besides it only the grants of its namespace to all tokens. */
async function subjectOfDraft(
  ctx: Context,
  datacenter: string,
  scope: Scope,
  rules: string,
  edition: PolicyEdition,
): Promise<Subject> {
  const ruleCount = await countOf(rules, scope, edition);
  const policy = thoughtPolicy(DRAFT, scope, rules, ruleCount);
  const subject = await subjectWith(ctx, datacenter, {}, { ...NO_GRANTS, scope, roles: [] }, undefined);
  const policies = [{ policy, isSynthetic: false, links: [{ kind: "direct" as const }] }];
  checkEffective([...policies, ...subject.effective.defaults.policies]);
  return { ...subject, effective: { ...subject.effective, policies } };
}

/** ID and name of a draft policy in the paths that lead over it; no stored policy has this ID. */
const DRAFT = "draft";

async function subjectOfIdentity(
  ctx: Context,
  services: LoginServices,
  scope: Scope,
  { authMethod, bearerToken, identity }: SubjectRequest & { authMethod: string },
): Promise<Subject | NoSubject> {
  const explained = await explainLogin(ctx, services, { scope, authMethod, bearerToken, identity, draft: undefined });
  const { method, token, refusal = "" } = explained;
  const shown = { AuthMethod: method.name };
  if (token === undefined) return { shown, refusal, decidedBy: "login" };
  const ids = explained.bindingRules.flatMap(({ id, bound }) => (bound === undefined ? [] : [id]));
  const boundBy = await bindingRuleStore.all(ctx.db, method.scope, ids);
  return subjectWith(ctx, services.datacenter, shown, { ...token.grants, scope: token.scope }, boundBy);
}

/** Returns a holder of these grants, with the defaults of their namespace. @throws AppError `not_found` where it is being deleted */
export async function subjectWith(
  { db }: Context,
  datacenter: string,
  shown: Subject["shown"],
  holder: LinkHolder,
  boundBy: BoundBy | undefined,
): Promise<Subject> {
  const namespace = await findLiving(db, holder.scope);
  // Grants in a namespace that is being deleted have no effect.
  if (namespace === undefined) throw new AppError("not_found", "ACL not found");
  const effective = await readEffective(db, holder, namespace.defaults, datacenter);
  return { shown, scope: holder.scope, effective, boundBy };
}

/** Binding rules that made the grants of a login's token, from the record of the login; hidden like its method's name. */
async function rulesOfLogin(
  ctx: Context,
  token: Pick<Token, "accessorId" | "methodId" | "scope">,
): Promise<BoundBy | undefined> {
  if (token.methodId === "") return undefined;
  const method = await methodStore.anywhere(ctx.db, token.methodId);
  if (method === undefined) return undefined;
  if (!authorize(ctx.actor, "acl", "", "read", method.scope)) return "hidden";
  const nothing = { actor: undefined, outcome: undefined, requestId: undefined, from: undefined, to: undefined };
  const filter = { ...nothing, kind: "token", object: token.accessorId, action: "login" };
  const page = { filter, search: "", after: undefined, size: 1 };
  const { records } = await listOfPartition(ctx.db, token.scope, page);
  const detail = JSON.parse(records[0]?.detail ?? "{}") as { bindingRules?: unknown };
  const ids = Array.isArray(detail.bindingRules) ? detail.bindingRules.filter((id) => typeof id === "string") : [];
  return ids.length === 0 ? undefined : bindingRuleStore.all(ctx.db, method.scope, ids);
}
