import type { Ask } from "../outbound/outbound.ts";
import type { ProvenTokensRoom } from "./jwt/proven-tokens.ts";
import type { Identity } from "../selectors/identity.ts";
import type { Structure } from "../selectors/shape.ts";

/** Proven facts about the client that logs in. */
export interface VerifiedIdentity {
  /** Fields that selectors are matched against. */
  readonly fields: Identity;
  /**
   * Variables that templates may name, such as `value.team`. Every name of the form is there, empty where nothing is
   * known.
   */
  readonly variables: ReadonlyMap<string, string>;
}

/** An identity that was not only written down. */
export interface ProvenIdentity extends VerifiedIdentity {
  /** Name that distinguishes it from all others of its method, in any form. Logins are counted by it. */
  readonly subject: string;
  /** Entry of a credential that is valid for one use. */
  readonly singleUse?: SingleUse | undefined;
}

/** Entry that remembers a credential that is valid for one use. */
export interface SingleUse {
  /** Unique within its method. */
  readonly id: string;
  /** Milliseconds since the epoch: it proves nothing afterwards in any case. */
  readonly until: number;
}

/** Form of the identities of a method, as its configuration defines it. */
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
   * Returns the subject that a credential claims, which is not proven: failures are counted by it. It makes no request
   * and never fails.
   *
   * @returns empty when it says nothing
   */
  claimedSubject(bearerToken: string): string;
  /**
   * Returns the namespace for the tokens of an identity by the configuration itself, beside the namespace rules of the
   * method. Undefined when the configuration does not define one. Whether such a namespace exists is not known.
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

/** Services and settings that a validator works with. */
export interface ValidatorEnvironment {
  ask: Ask;
  /** How the configuration is read; as of now unless said. */
  reading?: Reading;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Called with failures in the background, in words that may be logged. */
  onTrouble: (message: string) => void;
  /** Cache of recently proven tokens. Without it, every token is verified. */
  provenTokens?: ProvenTokensRoom<ProvenIdentity>;
}

/**
 * Makes the validator of a configuration, without asking anybody.
 *
 * @throws ConfigError
 */
export type CreateValidator = (config: RawConfig, environment: ValidatorEnvironment) => Validator;
