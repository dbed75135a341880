/** Permissions of the subjects that AuthZEN requests name. */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { methodStore } from "../acl/auth-methods/store.ts";
import { readEffective } from "../acl/effective.ts";
import { NO_GRANTS } from "../acl/grants.ts";
import { identityKey } from "../acl/login/limits.ts";
import { findLiving } from "../acl/namespaces/living.ts";
import { roleStore } from "../acl/roles/store.ts";
import { compilePolicies } from "../acl/tokens/compile.ts";
import { createSubjectResolver, type AccessOptions } from "../acl/tokens/resolve.ts";
import { listTokensOfIdentity } from "../acl/tokens/identity-store.ts";
import type { Database } from "../storage/database.ts";
import type { AskedAbout } from "../rights/authorize.ts";
import type { UseMemory } from "../records/uses/memory.ts";
import { withRecorder } from "../records/uses/recorder.ts";
import type { Scope } from "../rights/scope.ts";
import { isUuid } from "../rights/uuid.ts";
import type { AuthzenEntity } from "./request.ts";

/** Tokens of an identity whose permissions are asked; one that logs in more often has the newest. */
export const MAX_TOKENS = 16;

export interface Subjects {
  /**
   * Finds the permissions of a subject in a scope. A subject may do what any of them allows; an unknown subject, or one of
   * another scope, has none.
   */
  rightsOf(ctx: Context, scope: Scope, subject: AuthzenEntity): Promise<readonly AskedAbout[]>;
}

/** Types of subjects: `token` by AccessorID, `role` by name, `identity` by `METHOD/SUBJECT` of its logins. */
export function createSubjects(
  db: Database,
  options: AccessOptions,
  now: () => number,
  memory: UseMemory | undefined,
): Subjects {
  const find = createSubjectResolver(db, options, now);
  const resolve: Resolve = async (scope, accessorId) => {
    const actor = await find(scope, accessorId);
    return actor && withRecorder(memory, actor);
  };
  const types: Readonly<Record<string, Find>> = {
    token: async (_ctx, scope, id) => (isUuid(id) ? oneOf(await byAccessor(resolve, scope, id.toLowerCase())) : []),
    role: (ctx, scope, id) => ofRole(ctx, options, scope, id),
    identity: (ctx, scope, id) => ofIdentity(ctx, resolve, scope, id),
  };
  return {
    rightsOf: async (ctx, scope, { type, id }) =>
      Object.hasOwn(types, type) ? (types[type]?.(ctx, scope, id) ?? []) : [],
  };
}

type Resolve = ReturnType<typeof createSubjectResolver>;

type Find = (ctx: Context, scope: Scope, id: string) => Promise<readonly AskedAbout[]>;

function oneOf(rights: AskedAbout | undefined): readonly AskedAbout[] {
  return rights === undefined ? [] : [rights];
}

async function byAccessor(resolve: Resolve, scope: Scope, id: string): Promise<AskedAbout | undefined> {
  return resolve(scope, id);
}

async function ofRole({ db }: Context, options: AccessOptions, scope: Scope, name: string) {
  const [role, namespace] = await Promise.all([roleStore.byName(db, scope, name), findLiving(db, scope)]);
  if (role === undefined || namespace === undefined) return [];
  const holder = { ...NO_GRANTS, scope, roles: [role.id] };
  const effective = await readEffective(db, holder, namespace.defaults, options.datacenter);
  // Nobody in particular has a role.
  return [{ rights: await compilePolicies(effective, options) }];
}

async function ofIdentity({ db, now }: Context, resolve: Resolve, scope: Scope, id: string) {
  const slash = id.indexOf("/");
  if (slash <= 0) return [];
  const method = await methodStore.byName(db, scope, id.slice(0, slash));
  if (method === undefined) return [];
  const key = identityKey(method.id, id.slice(slash + 1));
  const accessors = await listTokensOfIdentity(db, scope, key, MAX_TOKENS, now());
  const found = await Promise.all(accessors.map((accessor) => byAccessor(resolve, scope, accessor)));
  return found.filter((rights) => rights !== undefined);
}

/** @throws AppError `rate_limited`, `unavailable`; other faults of a subject's stored policies deny */
export function orNone(error: unknown): readonly AskedAbout[] {
  if (error instanceof AppError && error.code === "invalid") return [];
  throw error;
}
