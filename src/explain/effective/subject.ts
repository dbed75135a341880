/** Subjects of effective permissions: a token, a role, all logins of an auth method, or what a namespace gives to all. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { readMethod } from "../../acl/auth-methods/service.ts";
import { type BindingRule, listBindingRules } from "../../acl/binding-rules/store.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import { findLiving } from "../../acl/namespaces/living.ts";
import { missing } from "../../acl/namespaces/service.ts";
import { readRole, readRoleByName } from "../../acl/roles/service.ts";
import { fold } from "../../fold.ts";
import { checkPermission } from "../../rights/permission.ts";
import { isScopeName, type Scope } from "../../rights/scope.ts";
import { isUuid } from "../../rights/uuid.ts";
import type { AccessHolder } from "../access/decider.ts";
import { candidateOf } from "../access/find.ts";
import { subjectOfToken, subjectWith, type Subject } from "../why/subject.ts";

/** Kinds of subjects, by their parameters. */
export const SUBJECT_KINDS = ["accessor", "role", "auth-method", "namespace-defaults"] as const;
export type EffectiveKind = (typeof SUBJECT_KINDS)[number];

/** A subject as a request names it. */
export interface SubjectName {
  kind: EffectiveKind;
  /** AccessorID, ID or name of a role, or name. `self` is the caller's own token. */
  name: string;
}

/** The caller's own token. */
export const SELF = "self";

/** A subject with the binding rules of an auth method whose grants follow from the identity, which it is shown without. */
export interface EffectiveSubject extends Subject {
  computed: readonly BindingRule[];
  /** Whether it is the caller itself, which needs no permission to see what it may do. */
  isOwn: boolean;
}

/** Most binding rules of a method: more give more policies than a token may have. */
const MOST_RULES = 1024;

/**
 * Finds a subject in the scope of the request.
 *
 * @throws AppError `forbidden` without acl:read there, unless it is the caller's own token; `not_found`; `invalid` when it has too
 * many policies
 */
export async function findEffective(
  ctx: Context,
  datacenter: string,
  scope: Scope,
  { kind, name }: SubjectName,
): Promise<EffectiveSubject> {
  const { where, isOwn } = placeOf(ctx, scope, { kind, name });
  if (isOwn) {
    const own = await livingToken(ctx, datacenter, where, ctx.actor.accessorId);
    return { ...own, computed: [], isOwn };
  }
  const found = await SUBJECTS[kind](ctx, datacenter, where, name);
  return { computed: [], isOwn, ...found };
}

/**
 * Returns where a subject lies, and whether it is the caller's own token.
 *
 * @throws AppError `forbidden` without acl:read there, unless it is
 */
export function placeOf(ctx: Context, scope: Scope, { kind, name }: SubjectName): { where: Scope; isOwn: boolean } {
  const { accessorId, scope: ownScope } = ctx.actor;
  if (kind === "accessor" && (name === SELF || name.toLowerCase() === accessorId))
    return { where: ownScope, isOwn: true };
  const where = kind === "namespace-defaults" ? namespaceIn(scope, name) : scope;
  checkPermission(ctx, where, "acl", "read");
  return { where, isOwn: false };
}

function namespaceIn({ partition }: Scope, name: string): Scope {
  const namespace = fold(name);
  if (!isScopeName(namespace)) throw invalid("Invalid namespace name");
  return { partition, namespace };
}

type Find = (
  ctx: Context,
  datacenter: string,
  scope: Scope,
  name: string,
) => Promise<Subject & { computed?: readonly BindingRule[] }>;

const SUBJECTS: Readonly<Record<EffectiveKind, Find>> = {
  accessor: livingToken,
  async role(ctx, datacenter, scope, name) {
    const role = isUuid(name) ? await readRole(ctx, scope, name) : await readRoleByName(ctx, scope, name);
    const shown = { Role: { ID: role.id, Name: role.name } };
    return subjectWith(ctx, datacenter, shown, { ...NO_GRANTS, scope, roles: [role.id] }, undefined);
  },
  async "auth-method"(ctx, datacenter, scope, name) {
    const method = await readMethod(ctx, scope, name);
    const page = { after: "", search: "", size: MOST_RULES + 1 };
    const rules = await listBindingRules(ctx.db, method.scope, method.name, page);
    if (rules.length > MOST_RULES) throw invalid(`Too many binding rules: at most ${MOST_RULES} can be merged`);
    const literal: { rule: BindingRule; holder: AccessHolder }[] = [];
    const computed: BindingRule[] = [];
    for (const rule of rules) {
      const { holder, entry } = await candidateOf(ctx.db, rule, datacenter);
      if (entry.isComputed === true) computed.push(rule);
      else literal.push({ rule, holder });
    }
    const holder = merged(
      scope,
      literal.map((each) => each.holder),
    );
    const boundBy = literal.map(({ rule }) => rule);
    return { ...(await subjectWith(ctx, datacenter, { AuthMethod: method.name }, holder, boundBy)), computed };
  },
  async "namespace-defaults"(ctx, datacenter, scope) {
    if ((await findLiving(ctx.db, scope)) === undefined) throw missing(scope.namespace);
    return subjectWith(ctx, datacenter, {}, { ...NO_GRANTS, scope, roles: [] }, undefined);
  },
};

/** A disabled token has no permissions to show. @throws AppError `invalid` for one */
async function livingToken(ctx: Context, datacenter: string, scope: Scope, accessorId: string): Promise<Subject> {
  const found = await subjectOfToken(ctx, datacenter, scope, accessorId);
  if ("refusal" in found) throw invalid(found.refusal);
  return found;
}

/** The grants of all of these together. */
function merged(scope: Scope, holders: readonly AccessHolder[]): AccessHolder {
  return {
    scope,
    policies: distinct(holders.flatMap(({ policies }) => policies)),
    roles: distinct(holders.flatMap(({ roles }) => roles)),
    serviceIdentities: distinct(holders.flatMap(({ serviceIdentities }) => serviceIdentities)),
    nodeIdentities: distinct(holders.flatMap(({ nodeIdentities }) => nodeIdentities)),
    templatedPolicies: distinct(holders.flatMap(({ templatedPolicies }) => templatedPolicies)),
  };
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((entry) => [JSON.stringify(entry), entry])).values()];
}
