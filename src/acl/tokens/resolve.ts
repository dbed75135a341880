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
import { AUTH_METHODS } from "../auth-methods/lookup.ts";
import { findLiving, NAMESPACES, type Namespace } from "../namespaces/lookup.ts";
import { PARTITIONS } from "../partitions/lookup.ts";
import { POLICIES } from "../policies/lookup.ts";
import { ROLES } from "../roles/lookup.ts";
import { compileAuthorizer, type Authorizer } from "../rules/authorizer.ts";
import type { PolicyRules } from "../rules/policy-rules.ts";
import { parseRules } from "../rules/parse.ts";
import type { Rule } from "../rules/rule.ts";
import { fold } from "../rules/fold.ts";
import { RulesError } from "../rules/rules-error.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import { ANONYMOUS } from "./reserved.ts";
import { TOKENS } from "./lookup.ts";
import { isExpired } from "./service.ts";
import { findTokenBySecret, type Token } from "./store.ts";

/** What decides beside stored policies. */
export interface AccessSettings {
  /** Name of this server, as clients see it. */
  nodeName: string;
  datacenter: string;
  /** What is allowed where no rule speaks. */
  defaultPolicy: "allow" | "deny";
  /** Whether rules can speak of namespaces and partitions. */
  edition: "enterprise" | "community";
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
    const { accessorId, expiresAt, scope } = token;
    // From the write that marks its namespace for deletion on, a token counts for nothing.
    const namespace = await findLiving(db, scope);
    if (namespace === undefined) return NOBODY;
    let effective: Effective;
    try {
      effective = await readEffective(db, token, namespace.defaults, settings.datacenter);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      // Which policies are too much is not known one by one, so any change of them may have mended it.
      const dependencies = [{ partition: scope.partition }];
      return { actor: undefined, rights: undefined, expiresAt, dependencies, refusal: error };
    }
    const rightsKey = keyOfRights(effective);
    const rights = await rightsOf(rightsKey, effective);
    const anonymous = accessorId === ANONYMOUS.accessorId;
    const actor = { accessorId, anonymous, rights, rightsKey, scope, expiresAt, method: methodOf(token) };
    return { actor, rights, expiresAt, dependencies: dependenciesOf(token, namespace, effective), refusal: undefined };
  }

  function rightsOf(key: string, effective: Effective): Promise<Authorizer> {
    const known = rightsCache.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return rightsCache.fill(
      key,
      () => compilePolicies(withoutLinks(effective), settings),
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

function methodOf({ scope, authMethod, authMethodNamespace }: Token): Actor["method"] {
  if (authMethod === "") return undefined;
  return { partition: scope.partition, namespace: authMethodNamespace, key: fold(authMethod) };
}

/** The token, the method that made it, its namespace and partition, and whatever it links to, directly and by roles and defaults. */
function dependenciesOf(token: Token, { defaults }: Namespace, effective: Effective): Dependency[] {
  const { partition, namespace } = token.scope;
  const roles = [...effective.roles, ...effective.defaults.roles];
  const of = (table: string, keys: readonly string[]): Dependency[] => keys.map((key) => ({ partition, table, key }));
  return [
    ...of(TOKENS, [token.accessorId]),
    ...of(AUTH_METHODS, token.authMethod === "" ? [] : [fold(token.authMethod)]),
    ...of(NAMESPACES, [namespace]),
    // The default partition is always there.
    ...of(PARTITIONS, partition === DEFAULT_SCOPE.partition ? [] : [partition]),
    ...of(ROLES, [...token.roles, ...(defaults?.roles ?? [])]),
    ...of(POLICIES, [...token.policies, ...(defaults?.policies ?? []), ...roles.flatMap((role) => role.policies)]),
  ];
}

/**
 * Says all that the rights follow from, so a value kept under it is never wrong, only of no use any more. The ways
 * that lead to the policies are each token's own and left out.
 */
function keyOfRights({ policies, defaults }: Effective): string {
  const key = [policies, defaults.policies].map((list) => list.map(revisionOf).toSorted().join()).join("\n");
  return createHash("sha256").update(key).digest("base64url");
}

/** Where a policy lies decides where its rules act; two from identities are alike but for that. */
function revisionOf({ policy }: EffectivePolicy): string {
  const { partition, namespace } = policy.scope;
  return [policy.id, policy.modifyIndex, partition, namespace].join("@");
}

function withoutLinks({ policies, roles, defaults }: Effective): Effective {
  const alone = (list: EffectivePolicy[]): EffectivePolicy[] => list.map((each) => ({ ...each, links: [] }));
  return { policies: alone(policies), roles, defaults: { ...defaults, policies: alone(defaults.policies) } };
}

/** Texts are parsed for so long in one turn of the event loop. */
const TURN_MS = 5;

/** Compiles policies as they are stored, with the ways that lead to them. */
export async function compilePolicies(
  { policies, defaults }: Effective,
  { defaultPolicy, edition }: Pick<AccessSettings, "defaultPolicy" | "edition">,
): Promise<Authorizer> {
  return compileAuthorizer({
    direct: await parseAll(policies, edition),
    defaults: await parseAll(defaults.policies, edition),
    defaultPolicy,
  });
}

async function parseAll(
  policies: readonly EffectivePolicy[],
  edition: AccessSettings["edition"],
): Promise<PolicyRules[]> {
  const parsed: PolicyRules[] = [];
  let began = performance.now();
  for (const { policy, isSynthetic, links } of policies) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate();
      began = performance.now();
    }
    const { id, name, scope: home } = policy;
    parsed.push({ id, name, rules: parseStored(policy.rules, edition), home, links, isSynthetic });
  }
  return parsed;
}

/** A community server takes anything for a block that it does not know: what cannot be one then has no effect. */
function parseStored(text: string, edition: AccessSettings["edition"]): Rule[] {
  try {
    return parseRules(text, edition);
  } catch (error) {
    if (edition === "community" || !(error instanceof RulesError)) throw error;
    return parseRules(text, "community");
  }
}
