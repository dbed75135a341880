/**
 * From a secret to the actor behind it, for both API families. What is derived
 * (secret → actor, set of policies → compiled rules) is kept in caches that
 * rest on the change feed; tokens with the same policies share their rights.
 */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { Database } from "../../storage/database.ts";
import { createDerivedCache, type Dependency } from "../../storage/derived-cache.ts";
import type { Actor } from "../actor.ts";
import { readEffective, type Effective, type EffectivePolicy } from "../effective.ts";
import { POLICIES } from "../policies/lookup.ts";
import { ROLES } from "../roles/lookup.ts";
import { compileAuthorizer, type Authorizer, type PolicyRules } from "../rules/authorizer.ts";
import { parseRules } from "../rules/parse.ts";
import { isRootScope } from "../scope.ts";
import { ANONYMOUS } from "./reserved.ts";
import { TOKENS } from "./lookup.ts";
import { isExpired } from "./service.ts";
import { findTokenBySecret } from "./store.ts";

/** What decides beside stored policies. */
export interface AccessSettings {
  /** Name of this server, as clients see it. */
  nodeName: string;
  datacenter: string;
  /** What is allowed where no rule speaks. */
  defaultPolicy: "allow" | "deny";
}

/**
 * The actor behind a SecretID, in whatever text a client sent; undefined when no
 * token has that secret, or it has expired.
 */
export type ResolveToken = (secretId: string) => Promise<Actor | undefined>;

interface Resolved {
  actor: Actor | undefined;
  rights: Authorizer | undefined;
  expiresAt: number | undefined;
  dependencies: readonly Dependency[] | undefined;
  /** Why it cannot be used, though it exists. */
  refusal: AppError | undefined;
}

const NOBODY: Resolved = {
  actor: undefined,
  rights: undefined,
  expiresAt: undefined,
  dependencies: undefined,
  refusal: undefined,
};

const TOKEN_CACHE_BYTES = 24 * 1024 * 1024;
const RIGHTS_CACHE_BYTES = 16 * 1024 * 1024;
/** Of a resolved token, about. */
const RESOLVED_BYTES = 300;

/** @param now milliseconds since the epoch */
export function createTokenResolver(db: Database, settings: AccessSettings, now: () => number): ResolveToken {
  const rightsCache = createDerivedCache<Authorizer>({
    feed: db.feed,
    name: "rights",
    maxBytes: RIGHTS_CACHE_BYTES,
    sizeOf: (rights) => rights.bytes,
  });
  const tokenCache = createDerivedCache<Resolved>({
    feed: db.feed,
    name: "tokens",
    maxBytes: TOKEN_CACHE_BYTES,
    // Rights are counted here too, though tokens share them: they stay for as long as one of the tokens does.
    sizeOf: ({ rights }) => RESOLVED_BYTES + (rights?.bytes ?? 0),
  });

  async function load(secretId: string): Promise<Resolved> {
    const token = await findTokenBySecret(db, db.keyring.lookup(secretId));
    if (token === undefined) return NOBODY;
    const { accessorId, expiresAt } = token;
    const { partition } = token.scope;
    let effective: Effective;
    try {
      effective = await readEffective(db, token, settings.datacenter);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      // Which policies are too much is not known one by one, so any change of them may have mended it.
      const dependencies = [TOKENS, ROLES, POLICIES].map((table) => ({ partition, table }));
      return { actor: undefined, rights: undefined, expiresAt, dependencies, refusal: error };
    }
    const { policies, roles } = effective;
    const dependencies = [
      { partition, table: TOKENS, key: accessorId },
      ...token.roles.map((key) => ({ partition, table: ROLES, key })),
      ...token.policies.map((key) => ({ partition, table: POLICIES, key })),
      ...roles.flatMap((role) => role.policies.map((key) => ({ partition, table: POLICIES, key }))),
    ];
    const rightsKey = keyOfRights(policies);
    const rights = await rightsOf(rightsKey, policies);
    const anonymous = accessorId === ANONYMOUS.accessorId;
    const actor = { accessorId, anonymous, rights, rightsKey, scope: token.scope, expiresAt };
    return { actor, rights, expiresAt, dependencies, refusal: undefined };
  }

  function rightsOf(key: string, policies: readonly EffectivePolicy[]): Promise<Authorizer> {
    const known = rightsCache.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return rightsCache.fill(
      key,
      () => compilePolicies(withoutLinks(policies), settings.defaultPolicy),
      () => [],
    );
  }

  return async (secretId) => {
    const resolved =
      tokenCache.get(secretId) ??
      (await tokenCache.fill(
        secretId,
        () => load(secretId),
        (value) => value.dependencies,
      ));
    if (isExpired(resolved, now())) return undefined;
    if (resolved.refusal !== undefined) throw resolved.refusal;
    return resolved.actor;
  };
}

/**
 * Says all that the rights follow from, so a value kept under it is never wrong, only of no use any more. The ways
 * that lead to the policies are each token's own and left out.
 */
function keyOfRights(policies: readonly EffectivePolicy[]): string {
  const revisions = policies.map(({ policy }) => [policy.id, policy.modifyIndex, isRootScope(policy.scope)].join("@"));
  return createHash("sha256").update(revisions.toSorted().join()).digest("base64url");
}

function withoutLinks(policies: readonly EffectivePolicy[]): EffectivePolicy[] {
  return policies.map(({ policy }) => ({ policy, links: [] }));
}

/** Texts are parsed for so long in one turn of the event loop. */
const TURN_MS = 5;

/** Compiles policies as they are stored, with the ways that lead to them. */
export async function compilePolicies(
  policies: readonly EffectivePolicy[],
  defaultPolicy: AccessSettings["defaultPolicy"],
): Promise<Authorizer> {
  const direct: PolicyRules[] = [];
  let began = performance.now();
  for (const { policy, links } of policies) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate();
      began = performance.now();
    }
    // Blocks of namespaces and partitions decide nothing yet, and a community server may have stored what they cannot be.
    const rules = parseRules(policy.rules, "community");
    direct.push({ id: policy.id, name: policy.name, rules, home: policy.scope, links });
  }
  return compileAuthorizer({ direct, defaults: [], defaultPolicy });
}
