/**
 * Responses that are read whole. Their size is limited: a response can contain anything, and must not exhaust the
 * caller's memory.
 */

/** The most bytes of an answer, unless the client was made with another number. */
export const MOST_BYTES = 64 * 1024 * 1024;
/** Maximum size in bytes of an error response. */
export const MOST_REFUSAL_BYTES = 64 * 1024;

/**
 * Returns the text of a response. Returns undefined, and closes the connection, when it is larger than the maximum in
 * bytes.
 *
 * @throws what the platform throws
 */
export async function textWithin({ body }: Response, most: number): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let left = most; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    left -= value.byteLength;
    if (left < 0) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Returns the error message for a response over the maximum size. */
export function tooLong(most: number): string {
  return `the response is longer than ${most / 1024} KiB`;
}
