import type { Ask } from "../outbound/outbound.ts";
import type { ProvenTokensRoom } from "./jwt/proven-tokens.ts";
import type { Identity } from "../selectors/identity.ts";
import type { Structure } from "../selectors/shape.ts";

/** What was proven about who wants to log in. */
export interface VerifiedIdentity {
  /** What selectors are matched against. */
  readonly fields: Identity;
  /** What templates may name, such as `value.team`. Every name of the form is there, empty where nothing is known. */
  readonly variables: ReadonlyMap<string, string>;
}

/** An identity that was not only written down. */
export interface ProvenIdentity extends VerifiedIdentity {
  /** What tells it from all others of its method, in any form. Logins are counted by it. */
  readonly subject: string;
  /** Of a credential that counts once. */
  readonly singleUse?: SingleUse | undefined;
}

/** What a credential that counts once is remembered by. */
export interface SingleUse {
  /** Unique within its method. */
  readonly id: string;
  /** Milliseconds since the epoch: it proves nothing afterwards in any case. */
  readonly until: number;
}

/** What the identities of a method hold, as its configuration says it. */
export interface IdentityForm {
  readonly shape: Structure;
  /** Names that templates may use, such as `serviceaccount.name`. */
  readonly variables: ReadonlySet<string>;
}

/** Proves identities as one configuration of an auth method says. It is kept for as long as that stands. */
export interface Validator {
  readonly form: IdentityForm;
  /**
   * Asks what the configuration names for what it needs, so that a mistake is seen when it is written.
   *
   * @throws ConfigError
   */
  probe(): Promise<void>;
  /**
   * @param bearerToken what the client sent; of any content, up to 32 KiB
   * @throws IdentityError when it proves nothing, ProviderError when that cannot be known now
   */
  verify(bearerToken: string): Promise<ProvenIdentity>;
  /**
   * Whose a credential says that it is, which nobody has proven: failures are counted by it. Asks nobody and never fails.
   *
   * @returns empty when it says nothing
   */
  claimedSubject(bearerToken: string): string;
  /**
   * Where the tokens of an identity go by the configuration itself, beside the namespace rules of the method; undefined
   * when it does not say. Whether there is such a namespace is not known.
   */
  mapNamespace?(identity: VerifiedIdentity): MappedNamespace | undefined;
  /** Memory of what it has read from its provider, about; nothing unless it says. */
  bytes?(): number;
  /** Ends what it does in the background. */
  close(): void;
}

/** A namespace that a configuration leads to. */
export interface MappedNamespace {
  /** Any text. */
  readonly name: string;
  /** Whether the identity had a part in the name. */
  readonly isComputed: boolean;
}

/** `Config` of an auth method, as the request had it; its keys are a client's, so only own ones count. */
export type RawConfig = Readonly<Record<string, unknown>>;

/**
 * How a configuration is read: `earlier` for one that was stored before this version and not written since. There `JWTSupportedAlgs`
 * holds for discovered providers alone, and a claim that is a number with a fraction is cut to its whole part.
 */
export type Reading = "present" | "earlier";

/** What a validator works with. */
export interface Environment {
  ask: Ask;
  /** How the configuration is read; as of now unless said. */
  reading?: Reading;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told of failures in the background, in words that may be logged. */
  onTrouble: (message: string) => void;
  /** Where tokens are remembered that were proven just now; every one is verified without it. */
  provenTokens?: ProvenTokensRoom<ProvenIdentity>;
}

/**
 * Makes the validator of a configuration, without asking anybody.
 *
 * @throws ConfigError
 */
export type CreateValidator = (config: RawConfig, environment: Environment) => Validator;
