/**
 * From a secret to the actor behind it, for both API families. What is derived
 * (secret → actor, set of policies → compiled rules) is kept in caches that
 * rest on the change feed; tokens with the same policies share their rights.
 */
import { createHash } from "node:crypto";
import { AppError, isOfDisabledToken } from "../../errors.ts";
import type { Database } from "../../storage/database.ts";
import { createDerivedCache, type Dependency } from "../../storage/reads/derived-cache.ts";
import type { Actor } from "../../rights/actor.ts";
import type { Scope } from "../../rights/scope.ts";
import { readEffective, type Effective, type EffectivePolicy } from "../effective.ts";
import { findLiving } from "../namespaces/living.ts";
import { MANAGEMENT_POLICY } from "../policies/builtin.ts";
import type { Authorizer } from "../../rights/rules/authorizer.ts";
import type { Policy } from "../policies/store.ts";
import { isDisabled, tokenDisabled } from "./disabled.ts";
import { findLoginSubject } from "./login-subject.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { compilePolicies } from "./compile.ts";
import { isExpired } from "./reads.ts";
import { dependenciesOf, watchedOf } from "./rests-on.ts";
import { findOldSecret } from "./old-secrets.ts";
import { findTokenBySecret, tokenStore, type Token } from "./store.ts";
import { dayOf, type TokenUses } from "./uses.ts";

/** Settings that affect decisions besides stored policies. */
export interface AccessOptions {
  /** Name of this server, as clients see it. */
  nodeName: string;
  datacenter: string;
  /** Decision when no rule matches. */
  defaultPolicy: "allow" | "deny";
  /** Whether rules can be about namespaces and partitions. */
  edition: "enterprise" | "community";
}

/**
 * Returns the actor behind a SecretID, for any text from a client; undefined when no token has that secret, or it has
 * expired. Answers in the same turn when it is known.
 *
 * @param isCurrent whether it must be as of now, with all earlier writes of any server; else it may be a second old
 */
export type ResolveToken = (secretId: string, isCurrent?: boolean) => Promise<Actor | undefined> | Actor | undefined;

/** Result of a lookup of a secret. All members are absent when no token matches. */
export interface Resolved {
  actor?: Actor;
  rights?: Authorizer;
  expiresAt?: number | undefined;
  dependencies?: readonly Dependency[];
  /** Reason why the token exists but cannot be used. */
  refusal?: AppError;
  createIndex?: number;
  /** The day on which its use was noted last. */
  usedOn?: number;
}

const TOKEN_CACHE_BYTES = 24 * 1024 * 1024;
const RIGHTS_CACHE_BYTES = 16 * 1024 * 1024;
/** Tokens that questions name. */
const SUBJECT_CACHE_BYTES = 8 * 1024 * 1024;
/** Size of each of the two caches for jobs: few jobs run at a time. */
const JOB_CACHE_BYTES = 2 * 1024 * 1024;
/** Approximate memory of a resolved token, in bytes. */
export const RESOLVED_BYTES = 300;

/** @param now milliseconds since the epoch @param uses told of each token that is found */
export function createTokenResolver(
  db: Database,
  options: AccessOptions,
  now: () => number,
  uses?: Pick<TokenUses, "note">,
): ResolveToken {
  const load = createLookupLoader(db, options, { name: "rights", maxBytes: RIGHTS_CACHE_BYTES });
  const size = { name: "tokens", maxBytes: TOKEN_CACHE_BYTES };
  return createResolver(db, size, now, (secretId) => load(db.keyring.lookup(secretId)), uses);
}

/** Makes what finds who has a secret, by what the keyring makes of that. */
export function createLookupLoader(
  db: Database,
  options: AccessOptions,
  rights: CacheSize,
): (lookup: string) => Promise<Resolved> {
  const load = createLoader(db, options, rights);
  return async (lookup) => {
    const token = await findTokenBySecret(db, lookup);
    if (token !== undefined) return load(token);
    // Not before: a rotation in between makes an old secret of one that was the token's, and never the other way round.
    const old = await findOldSecret(db, lookup);
    return old === undefined ? {} : endingAt(await load(await tokenStore.anywhere(db, old.accessorId)), old.expiresAt);
  };
}

/** Result for an old secret: as for the token, but only until the end of the old secret. */
function endingAt(resolved: Resolved, end: number): Resolved {
  const { actor } = resolved;
  const expiresAt = Math.min(resolved.expiresAt ?? Infinity, end);
  if (actor === undefined) return { ...resolved, expiresAt };
  // It is shown less, so it shares no answer with who has the same rights otherwise.
  const rightsKey = `${actor.rightsKey} by an old secret`;
  return { ...resolved, expiresAt, actor: { ...actor, rightsKey, expiresAt, byOldSecret: true } };
}

/**
 * The same by AccessorID, for work that goes on when the request that asked for it is over. It gives no more than the token
 * has at each time, and nothing once that is gone.
 */
export function createAccessorResolver(db: Database, options: AccessOptions, now: () => number): ResolveToken {
  const load = createLoader(db, options, { name: "job-rights", maxBytes: JOB_CACHE_BYTES });
  return createResolver(db, { name: "job-tokens", maxBytes: JOB_CACHE_BYTES }, now, async (accessorId) =>
    orNobody(await load(await tokenStore.anywhere(db, accessorId))),
  );
}

/**
 * The same for a token that a question names, within a scope. A token of another scope costs what a missing one does.
 *
 * @returns a function of the scope and the AccessorID, lower case
 */
export function createSubjectResolver(
  db: Database,
  options: AccessOptions,
  now: () => number,
): (scope: Scope, accessorId: string) => Promise<Actor | undefined> | Actor | undefined {
  const load = createLoader(db, options, { name: "subject-rights", maxBytes: RIGHTS_CACHE_BYTES });
  const size = { name: "subject-tokens", maxBytes: SUBJECT_CACHE_BYTES };
  const resolve = createResolver(db, size, now, async (key) => {
    const [partition = "", namespace = "", accessorId = ""] = key.split("/");
    return orNobody(await load(await tokenStore.find(db, { partition, namespace }, accessorId)));
  });
  return ({ partition, namespace }, accessorId) => resolve(`${partition}/${namespace}/${accessorId}`);
}

/** A disabled token is nobody where no request presents it. */
function orNobody(resolved: Resolved): Resolved {
  return isOfDisabledToken(resolved.refusal) ? { dependencies: resolved.dependencies ?? [] } : resolved;
}

export interface CacheSize {
  name: string;
  maxBytes: number;
}

function createResolver(
  db: Database,
  size: CacheSize,
  now: () => number,
  load: (key: string) => Promise<Resolved>,
  uses?: Pick<TokenUses, "note">,
): ResolveToken {
  const cache = createDerivedCache<Resolved>({
    feed: db.feed,
    ...size,
    // Rights are counted here too, though tokens share them: they stay for as long as one of the tokens does.
    sizeOf: ({ rights }) => RESOLVED_BYTES + (rights?.bytes ?? 0),
  });

  function actorOf(resolved: Resolved): Actor | undefined {
    const time = now();
    if (isExpired(resolved, time)) return undefined;
    if (resolved.refusal !== undefined) throw resolved.refusal;
    // Hot path: one comparison, except for the first use on a day.
    const day = dayOf(time);
    if (uses !== undefined && resolved.usedOn !== day) noteUse(uses, resolved, time, day);
    return resolved.actor;
  }

  const find = (key: string, how: "fill" | "current"): Promise<Resolved> =>
    cache[how](
      key,
      () => load(key),
      (value) => value.dependencies,
    );
  return (key, isCurrent) => {
    if (isCurrent === true) return find(key, "current").then(actorOf);
    const known = cache.get(key);
    return known === undefined ? find(key, "fill").then(actorOf) : actorOf(known);
  };
}

/** Notes the first use on a day. */
export function noteUse(uses: Pick<TokenUses, "note">, resolved: Resolved, time: number, day: number): void {
  const { actor, createIndex } = resolved;
  if (actor === undefined || createIndex === undefined) return;
  if (uses.note([actor.accessorId, createIndex, time])) resolved.usedOn = day;
}

function createLoader(db: Database, options: AccessOptions, size: CacheSize) {
  const rightsCache = createDerivedCache<Authorizer>({ feed: db.feed, ...size, sizeOf: (rights) => rights.bytes });

  async function load(token: Token | undefined): Promise<Resolved> {
    if (token === undefined) return {};
    const { accessorId, createIndex, expiresAt, scope } = token;
    // From the write that marks its namespace for deletion on, a token counts for nothing.
    const namespace = await findLiving(db, scope);
    if (namespace === undefined) return {};
    // Its namespace and the method that made it may end too, so any change of the partition has it looked up anew.
    if (isDisabled(token)) {
      return { expiresAt, dependencies: [{ partition: scope.partition }], refusal: tokenDisabled(token) };
    }
    let effective: Effective<Policy>;
    let login: Actor["login"];
    try {
      [effective, login] = await Promise.all([
        readEffective(db, token, namespace.defaults, options.datacenter),
        loginOf(db, token),
      ]);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      // Which policies are too much is not known one by one, so any change of them may have mended it.
      const dependencies = [{ partition: scope.partition }];
      return { expiresAt, dependencies, refusal: error };
    }
    const rightsKey = keyOfRights(effective);
    const rights = await rightsOf(rightsKey, effective);
    const anonymous = accessorId === ANONYMOUS.accessorId;
    const dependencies = dependenciesOf(token, namespace, effective);
    const restsOn = watchedOf(dependencies);
    const isManagement = effective.policies.some(({ policy }) => policy.id === MANAGEMENT_POLICY);
    const actor: Actor = { accessorId, anonymous, rights, rightsKey, scope, expiresAt, login, restsOn, createIndex };
    if (isManagement) actor.isManagement = true;
    return { actor, rights, expiresAt, dependencies, createIndex };
  }

  function rightsOf(key: string, effective: Effective): Promise<Authorizer> {
    const known = rightsCache.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return rightsCache.fill(
      key,
      () => compilePolicies(withoutLinks(effective), options),
      () => [],
    );
  }

  return load;
}

/** Login that made the token; a digest when its subject is not known. */
async function loginOf(db: Database, token: Token): Promise<Actor["login"]> {
  const { authMethod, methodId, loginIdentity, roles } = token;
  if (authMethod === "") return undefined;
  const identity = (await findLoginSubject(db, token)) ?? loginIdentity;
  return { authMethod, methodId, identity, roles: roles.toSorted() };
}

/**
 * Contains all inputs of the rights: a value kept under it is never wrong, only no longer used. The links to
 * the policies differ between tokens and are left out.
 */
function keyOfRights({ policies, defaults }: Effective<Policy>): string {
  const key = [policies, defaults.policies].map((list) => list.map(revisionOf).toSorted().join()).join("\n");
  return createHash("sha256").update(key).digest("base64url");
}

/**
 * Revision of a policy in its scope: the scope decides where its rules act. Policies from identities can differ in
 * scope only.
 */
function revisionOf({ policy }: EffectivePolicy<Policy>): string {
  const { partition, namespace } = policy.scope;
  return [policy.id, policy.modifyIndex, partition, namespace].join("@");
}

function withoutLinks({ policies, roles, defaults }: Effective): Effective {
  const alone = (list: EffectivePolicy[]): EffectivePolicy[] => list.map((each) => ({ ...each, links: [] }));
  return { policies: alone(policies), roles, defaults: { ...defaults, policies: alone(defaults.policies) } };
}
