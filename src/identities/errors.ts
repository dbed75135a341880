import { OutboundError } from "../outbound/outbound.ts";

/**
 * Errors of the proof of an identity. Clients see the messages: none quotes a credential, or a response of a provider.
 */

/** The configuration of an auth method is not one that its type takes. */
export class MethodConfigError extends Error {}

/** The credential proves no identity that the method accepts. */
export class IdentityError extends Error {}

/**
 * The identity provider could not be reached, or did not respond as expected. The error says nothing about the
 * credential.
 */
export class ProviderError extends Error {}

/** Does work whose refusal of a credential is told with these words in front. @throws what the work throws */
export function prefixed<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof IdentityError ? new IdentityError(prefix + error.message) : error;
  }
}

/** Reads a value that is not proven. Returns an empty text when the value is rejected. */
export function unproven(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof IdentityError) return "";
    throw error;
  }
}

/** Returns the error for a faulty response of a URL. It names the host, and nothing of the response. */
export function answerProblem(url: string, message: string): ProviderError {
  return new ProviderError(`${new URL(url).host}: ${message}`);
}

/** Asks a server. @throws ProviderError when no answer could be had */
export async function answerOf<T>(asking: Promise<T>): Promise<T> {
  return asking.catch((error: unknown) => {
    throw error instanceof OutboundError ? new ProviderError(error.message, { cause: error }) : error;
  });
}
