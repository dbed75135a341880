/** Validators of auth methods, kept for as long as their configurations stand. */
import { AppError } from "../../errors.ts";
import type { RawConfig, Reading, Validator, CreateValidator, ProvenIdentity } from "../../identities/validator.ts";
import { laterPart } from "../../later-part.ts";
import { createAsk } from "../../outbound/exchange.ts";
import { boundedAsk, createLookups, type Lookups } from "../../outbound/lookups.ts";
import { MethodConfigError } from "../../identities/errors.ts";
import { createProvenTokens } from "../../identities/jwt/proven-tokens.ts";
import type { Cidr } from "../../outbound/cidr.ts";
import { createResolve } from "../../outbound/resolver.ts";
import { createTrust } from "../../outbound/trust.ts";
import type { Database } from "../../storage/database.ts";
import { isRootScope, type Scope } from "../../rights/scope.ts";
import { openWithReading } from "./config.ts";
import type { AuthMethod } from "./store.ts";
import { fold } from "../../fold.ts";

export interface ValidatorOptions {
  db: Pick<Database, "keyring">;
  /** Networks to which methods may connect besides public addresses. */
  outboundAllow: readonly Cidr[];
  /** Name servers. Default: those of the system. */
  nameServers?: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Receives errors of background work. */
  onTrouble: (message: string, details: object) => void;
}

export interface Validators {
  /**
   * Makes the validator of a configuration that is not stored yet; the caller closes it.
   *
   * @param type one of those that there are
   * @throws ConfigError
   */
  create(type: string, config: RawConfig, scope: Scope, name: string): Promise<Validator>;
  /**
   * The validator of a stored method, made once for each configuration of it.
   *
   * @throws AppError `invalid` when it cannot be made: an older version of this program took what this one does not
   */
  of(method: AuthMethod): Promise<Validator>;
  close(): void;
}

interface Kept {
  configSealed: string;
  modifyIndex: number;
  validator: Promise<Validator>;
  /** Once it is there. */
  made: Validator | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Memory of a validator with its entry, without the part that depends on the length of its configuration. */
const ENTRY_BYTES = 4096;

/** Memory of an entry: the configuration, encrypted and parsed, and the validator that is made of it. */
function bytesOf({ configSealed, made }: Kept): number {
  return ENTRY_BYTES + 4 * configSealed.length + (made?.bytes?.() ?? 0);
}

export function createValidators(options: ValidatorOptions): Validators {
  return new KeptValidators(options);
}

class KeptValidators implements Validators {
  /** By the IDs of the methods; the last used is at the end. */
  readonly #kept = new Map<string, Kept>();
  readonly #options: ValidatorOptions;
  readonly #lookups: Lookups;
  readonly #trust = createTrust();
  readonly #provenTokens = createProvenTokens<ProvenIdentity>();

  constructor(options: ValidatorOptions) {
    this.#options = options;
    this.#lookups = createLookups(createResolve({ servers: options.nameServers ?? [] }));
  }

  of(method: AuthMethod): Promise<Validator> {
    const { id, modifyIndex, configSealed } = method;
    const known = this.#kept.get(id);
    if (known?.configSealed === configSealed) {
      this.#kept.delete(id);
      this.#kept.set(id, known);
      return known.validator;
    }
    // A reader that is behind shall not push out what the newer version is proven by. Its own is for this once, and not kept:
    // nobody closes it, which nothing comes of, since what a validator has open ends by itself.
    if (known !== undefined && known.modifyIndex > modifyIndex) return this.#load(method);
    this.#drop(id);
    const entry: Kept = { modifyIndex, configSealed, validator: this.#load(method), made: undefined };
    this.#kept.set(id, entry);
    entry.validator.then(
      (validator) => {
        entry.made = validator;
        this.#trim();
      },
      () => {
        if (this.#kept.get(id) === entry) this.#kept.delete(id);
      },
    );
    return entry.validator;
  }

  close(): void {
    for (const id of this.#kept.keys()) this.#drop(id);
  }

  async create(
    type: string,
    config: RawConfig,
    scope: Scope,
    name: string,
    reading: Reading = "present",
  ): Promise<Validator> {
    const make = await validatorOfType(type);
    if (make === undefined) throw new MethodConfigError(`unknown type "${type}"`);
    // A caller who may write in the root scope runs the whole server; other tenants must not reach its network.
    const mayUsePrivate = isRootScope(scope);
    const { outboundAllow, now, onTrouble } = this.#options;
    return make(config, {
      ask: boundedAsk(
        createAsk({ allow: outboundAllow, mayUsePrivate, resolve: this.#lookups.of(scope), trust: this.#trust }),
      ),
      reading,
      now,
      onTrouble: (message) => onTrouble(message, { authMethod: name, ...scope }),
      provenTokens: this.#provenTokens,
    });
  }

  async #load(method: AuthMethod): Promise<Validator> {
    const { type, scope, name } = method;
    try {
      const { config, reading } = await openWithReading(this.#options.db, method);
      return await this.create(type, config, scope, name, reading);
    } catch (error) {
      if (!(error instanceof MethodConfigError)) throw error;
      const text = `auth method validator for "${name}" could not be initialized: ${error.message}`;
      throw new AppError("invalid", text, { cause: error });
    }
  }

  #drop(id: string): void {
    const entry = this.#kept.get(id);
    this.#kept.delete(id);
    void entry?.validator.then(
      (validator) => validator.close(),
      () => undefined,
    );
  }

  /** Forgets those that were used the longest time ago. */
  #trim(): void {
    let total = [...this.#kept.values()].reduce((bytes, entry) => bytes + bytesOf(entry), 0);
    for (const [id, entry] of this.#kept) {
      if (total <= MAX_BYTES || this.#kept.size === 1) return;
      total -= bytesOf(entry);
      this.#drop(id);
    }
  }
}

/** Loaded when a method is of the type: most servers have one or two, and their libraries take memory. */
const TYPES: ReadonlyMap<string, () => Promise<CreateValidator>> = new Map([
  [
    "aws-iam",
    async () => (await laterPart(async () => import("../../identities/aws-iam/validator.ts"))).createAwsIamValidator,
  ],
  ["jwt", async () => (await laterPart(async () => import("../../identities/jwt/validator.ts"))).createJwtValidator],
  [
    "kubernetes",
    async () =>
      (await laterPart(async () => import("../../identities/kubernetes/validator.ts"))).createKubernetesValidator,
  ],
  ["oidc", async () => (await laterPart(async () => import("../../identities/oidc/validator.ts"))).createOidcValidator],
]);

/** The type whose logins go by way of a browser. */
export const OIDC = "oidc";

/** Names of the types that an edition has, in order. */
export function typeNames(edition: "enterprise" | "community"): string[] {
  return [...TYPES.keys()].filter((name) => edition === "enterprise" || name !== OIDC);
}

/** Returns the function that creates validators of a type; undefined for an unknown type. */
export async function validatorOfType(type: string): Promise<CreateValidator | undefined> {
  return TYPES.get(type)?.();
}

/** Keys of `Config`, folded, that have a meaning only with namespaces, or with the type `oidc`. */
const ENTERPRISE_KEYS: ReadonlySet<string> = new Set([
  "mapnamespaces",
  "consulnamespaceprefix",
  "consulnamespaceoverrides",
  "oidcclientid",
  "oidcclientsecret",
  "oidcscopes",
  "oidcacrvalues",
  "allowedredirecturis",
  "verboseoidclogging",
  "oidcclientassertion",
  "oidcclientusepkce",
]);

/**
 * Checks that the community edition knows all keys of a configuration.
 *
 * @throws ConfigError in the words in which any unknown key is refused
 */
export function checkCommunityKeys(config: RawConfig): void {
  const unknown = Object.keys(config).filter((key) => ENTERPRISE_KEYS.has(fold(key)));
  if (unknown.length === 0) return;
  const keys = unknown.toSorted().join(", ");
  throw new MethodConfigError(`error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: ${keys}`);
}
