/**
 * What goes wrong while an identity is proven. The messages are shown to
 * clients: none quotes a credential, or what a provider answered.
 */

/** The configuration of an auth method is not one that its type takes. */
export class ConfigError extends Error {}

/** The credential proves no identity that the method accepts. */
export class IdentityError extends Error {}

/** What vouches for identities could not be asked, or did not answer as it should: nothing is said about the credential. */
export class ProviderError extends Error {}
