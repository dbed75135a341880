import type { Operation } from "./address.ts";
import { TesseraError } from "./errors.ts";
import { mayPass, rest, restAfter } from "./retries.ts";
import { ask, notesOf, type Answer, type RequestOptions, type Settings } from "./send.ts";

/** Request to a read that waits for changes. */
export interface WatchOptions extends RequestOptions {
  /** Seconds that one request waits, from 1 to 600. Set it below the timeouts of proxies in between. Default: 50. */
  readonly wait?: number | undefined;
  /** Called after each failure from which the client recovers. */
  readonly onReconnect?: ((error: Error) => void) | undefined;
}

/**
 * Time in milliseconds. A faster response did not wait on the server; without changes in it, the next request is
 * delayed.
 */
const SHORTEST_WAIT = 1000;

const LONGEST_REST = 30_000;

/**
 * Yields the response of a read: immediately, and again each time it changes. Continues through temporary failures,
 * however long they last, except during its first request. Under `/v1` it waits for a missing object, and yields a
 * response with status 404 and no body for it.
 *
 * @throws TesseraError when the server denies or rejects the request, as when the token is revoked, or under `/api/v2`
 * when the object is deleted
 * @throws ConnectionError when the first request gets no response
 * @throws TypeError when the operation does not support waiting
 */
export async function* watch<T>(
  settings: Settings,
  operation: Operation,
  options: WatchOptions,
): AsyncGenerator<Answer<T | undefined>> {
  if (!operation.flags.includes("w")) throw new TypeError(`${operation.id} cannot wait`);
  let seen: Answer<T | undefined> | undefined;
  // Undefined when the next request is answered at once: at first, and after what may have been another server's past.
  let known: Answer<T | undefined> | undefined;
  for (let failures = 0, idle = 0; ;) {
    const started = Date.now();
    let answer: Answer<T | undefined>;
    try {
      answer = await askBehind<T>(settings, operation, options, known, seen !== undefined);
      failures = 0;
    } catch (error) {
      if (seen === undefined || !mayPass(error)) throw error;
      options.onReconnect?.(error as Error);
      known = undefined;
      await rest(Math.min(LONGEST_REST, restAfter(error, ++failures, LONGEST_REST)), options.signal);
      continue;
    }
    const wasAsked = known;
    if (answer.status !== 304) known = hasGoneBack(answer, known) ? undefined : answer;
    if (answer.status !== 304 && !isSame(answer, seen)) {
      idle = 0;
      seen = answer;
      yield answer;
    } else if (wasAsked === undefined || Date.now() - started >= SHORTEST_WAIT) {
      idle = 0;
    } else {
      await rest(restAfter(undefined, ++idle, LONGEST_REST), options.signal);
    }
  }
}

async function askBehind<T>(
  settings: Settings,
  operation: Operation,
  options: WatchOptions,
  known: Answer | undefined,
  isAgain: boolean,
): Promise<Answer<T | undefined>> {
  const { wait = 50, timeout = settings.timeout } = options;
  const asked: RequestOptions = {
    ...options,
    ...waiting(operation, known, wait, options),
    // Up to a sixteenth is added by the server.
    timeout: timeout + (known === undefined ? 0 : wait * 1063),
    // Once there is something to go on from, failures are this loop's.
    ...(isAgain ? { retries: 0 } : {}),
  };
  try {
    return await ask<T>(settings, operation, asked);
  } catch (error) {
    if (operation.isJsonApi || !(error instanceof TesseraError) || error.status !== 404) throw error;
    const { status, headers } = error;
    return { status, headers, body: undefined, ...notesOf(headers) };
  }
}

function waiting(operation: Operation, known: Answer | undefined, wait: number, { query, headers }: WatchOptions) {
  if (known === undefined) return {};
  if (!operation.isJsonApi) {
    return known.index === undefined ? {} : { query: { ...query, index: known.index, wait: `${wait}s` } };
  }
  const etag = known.headers.get("etag");
  return etag === null ? {} : { headers: { ...headers, "if-none-match": etag, prefer: `wait=${wait}` } };
}

/**
 * Checks whether the index decreased. It then comes from another database, such as a restored one, and new changes
 * there have indexes below the known one.
 */
function hasGoneBack(answer: Answer, known: Answer | undefined): boolean {
  if (known?.index === undefined || answer.index === undefined) return false;
  return BigInt(answer.index) < BigInt(known.index);
}

function isSame(answer: Answer, seen: Answer | undefined): boolean {
  return answer.status === seen?.status && JSON.stringify(answer.body) === JSON.stringify(seen.body);
}
