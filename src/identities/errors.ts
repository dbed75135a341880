import { OutboundError } from "../outbound/outbound.ts";

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

/** Does work whose refusal of a credential is told with these words in front. @throws what the work throws */
export function prefixed<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof IdentityError ? new IdentityError(prefix + error.message) : error;
  }
}

/** What is said of something that nobody has proven; empty when it is refused. */
export function unproven(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof IdentityError) return "";
    throw error;
  }
}

/** What is wrong with the answer of a URL: its host is named, and nothing of the answer. */
export function answerProblem(url: string, message: string): ProviderError {
  return new ProviderError(`${new URL(url).host}: ${message}`);
}

/** Asks a server. @throws ProviderError when no answer could be had */
export async function answerOf<T>(asking: Promise<T>): Promise<T> {
  return asking.catch((error: unknown) => {
    throw error instanceof OutboundError ? new ProviderError(error.message, { cause: error }) : error;
  });
}
