/** Subjects of effective permissions as they were at a moment, rebuilt from audit records. */
import { AppError } from "../../../errors.ts";
import type { Context } from "../../../context.ts";
import { checkEffective, grantOf, type Effective, type LinkHolder } from "../../../acl/effective.ts";
import { NO_GRANTS } from "../../../acl/grants.ts";
import { missing } from "../../../acl/namespaces/service.ts";
import type { NamespaceDefaults } from "../../../acl/namespaces/store.ts";
import type { PolicyText } from "../../../acl/policies/stored-rules.ts";
import { findIds } from "../../../acl/kit/link-store.ts";
import type { AccessOptions } from "../../../acl/tokens/resolve.ts";
import { fold } from "../../../fold.ts";
import { checkListScope } from "../../../rights/permission.ts";
import { homeOf, type Scope } from "../../../rights/scope.ts";
import { checkUuid, isUuid } from "../../../rights/uuid.ts";
import { placeOf, type EffectiveSubject, type SubjectName } from "../subject.ts";
import { PastObjects, type PastRole } from "./objects.ts";
import { PastWalk, type ChainDamage } from "./walk.ts";

/** State of the records of a partition from which an answer was made. */
export interface PastRecords {
  /** How many there are since the moment. */
  count: number;
  damage: ChainDamage | undefined;
}

/** Attempts before somebody who writes the same objects all the time is waited for no longer. */
const MOST_TRIES = 5;

/**
 * Finds subjects as they were. Whoever asks may read them, as for the subjects of now.
 *
 * @param at ISO 8601 in UTC with milliseconds
 * @throws AppError `not_recorded` when the records do not tell it, `not_found` when there was no such subject
 */
export async function findPast(
  ctx: Context,
  access: AccessOptions,
  scope: Scope,
  names: readonly SubjectName[],
  at: string,
): Promise<{ subjects: EffectiveSubject[]; records: PastRecords }> {
  const places = names.map((name) => ({ ...name, ...placeOf(ctx, scope, name) }));
  // Records of a namespace require read access to its objects, also for the caller's own token.
  for (const { where } of places) checkListScope(ctx, where);
  const partitions = new Set(places.map(({ where }) => where.partition));
  if (partitions.size > 1) throw new AppError("bad_parameter", "Subjects must be in one partition");
  const walk = await PastWalk.since(ctx.db.long, places[0]?.where.partition ?? scope.partition, at);
  await walk.toEnd();
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const objects = new PastObjects(ctx.db, walk, access.edition);
    const subjects: EffectiveSubject[] = [];
    for (const place of places) subjects.push(await subjectAt(ctx, access, objects, place, at));
    // An object that was written meanwhile may have been read in its new state, without its record.
    const written = await walk.toEnd();
    const { records: count, damage } = walk;
    if ([...written].every((key) => !objects.read.has(key))) return { subjects, records: { count, damage } };
  }
  throw new AppError("conflict", "The subject is being changed; retry");
}

async function subjectAt(
  ctx: Context,
  { datacenter }: AccessOptions,
  objects: PastObjects,
  { kind, name, where: scope, isOwn }: SubjectName & ReturnType<typeof placeOf>,
  at: string,
): Promise<EffectiveSubject> {
  const id = isOwn ? ctx.actor.accessorId : name;
  const { holder, shown } = await holderAt(ctx, objects, { kind, name: id, scope }, at);
  const defaults = await objects.namespace(scope);
  if (defaults === undefined) throw missing(scope.namespace);
  const effective = await effectiveAt(objects, holder, defaults, datacenter);
  return { shown, scope, effective, boundBy: undefined, computed: [], isOwn };
}

async function holderAt(
  ctx: Context,
  objects: PastObjects,
  { kind, name, scope }: SubjectName & { scope: Scope },
  at: string,
): Promise<{ holder: LinkHolder; shown: EffectiveSubject["shown"] }> {
  switch (kind) {
    case "accessor": {
      const accessorId = checkUuid(name, "token");
      const token = await objects.token(scope, accessorId);
      if (token === undefined) throw new AppError("not_found", `token did not exist at ${at}: ACL not found`);
      const { expiresAt, authMethod: _, ...grants } = token;
      if (expiresAt !== undefined && expiresAt <= Date.parse(at))
        throw new AppError("not_found", `token had expired at ${at}: ACL not found`);
      return { holder: { ...grants, scope }, shown: { AccessorID: accessorId } };
    }
    case "role": {
      const id = isUuid(name) ? name.toLowerCase() : await idOfRole(ctx, scope, name);
      const role = id === undefined ? undefined : await objects.role(scope, id);
      if (role === undefined) throw new AppError("not_found", `role did not exist at ${at}: ACL not found`);
      return {
        holder: { ...NO_GRANTS, scope, roles: [role.id] },
        shown: { Role: { ID: role.id, Name: role.name } },
      };
    }
    case "namespace-defaults":
      return { holder: { ...NO_GRANTS, scope, roles: [] }, shown: {} };
    case "auth-method":
      throw new AppError("bad_parameter", 'The parameter "at" is not available for auth methods');
  }
}

/** A role that has the name now. One that is gone is found by its ID. */
async function idOfRole(ctx: Context, scope: Scope, name: string): Promise<string | undefined> {
  const found = await findIds(ctx.db, "roles", scope, [fold(name)]);
  return found.get(fold(name))?.id;
}

async function effectiveAt(
  objects: PastObjects,
  holder: LinkHolder,
  defaults: NamespaceDefaults,
  datacenter: string,
): Promise<Effective> {
  const { partition, namespace } = holder.scope;
  const own = await grantAt(objects, holder, { datacenter, defaultsOf: undefined });
  const given = { ...NO_GRANTS, ...defaults, scope: homeOf(partition) };
  const behind = await grantAt(objects, given, { datacenter, defaultsOf: namespace });
  checkEffective([...own.policies, ...behind.policies]);
  // Explanations look at policies alone.
  return { policies: own.policies, roles: [], defaults: { policies: behind.policies, roles: [] } };
}

async function grantAt(
  objects: PastObjects,
  holder: LinkHolder,
  as: { datacenter: string; defaultsOf: string | undefined },
) {
  const roles: PastRole[] = [];
  for (const id of holder.roles) {
    const role = await objects.role(holder.scope, id);
    if (role !== undefined) roles.push(role);
  }
  const ids = new Set([...holder.policies, ...roles.flatMap(({ policies }) => policies)]);
  const stored = new Map<string, PolicyText>();
  for (const id of ids) {
    const policy = await objects.policy(holder.scope, id);
    if (policy !== undefined) stored.set(id, policy);
  }
  return grantOf(holder, roles, stored, as);
}
