import { operationOf, type Operation } from "./address.ts";
import { callsOf } from "./calls.ts";
import { OPERATIONS, type OperationId } from "./operations.ts";
import { type Pages, pagesOf } from "./pages.ts";
import { ask, open, type Answer, type RequestOptions, type Settings } from "./send.ts";
import { linesOf, streamOf, type StreamedEvent, type StreamOptions } from "./streams.ts";
import type { Surface } from "./surface.ts";
import type { BodyOf, ItemOf } from "./types.ts";
import { watch, type WatchOptions } from "./watch.ts";
import { MOST_BYTES } from "./whole.ts";

/** Address of the server, credentials, and defaults for requests. */
export interface ClientOptions {
  /** Base URL, such as `https://tessera.example`. It may contain a path that a proxy adds. */
  readonly address: string | URL;
  /**
   * SecretID of the token, or a function that returns it. The client calls the function before each try, so it can
   * return a newer secret.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Namespace for requests under `/v1` that set none. */
  readonly namespace?: string | undefined;
  readonly partition?: string | undefined;
  /** Replacement for the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Timeout of one try in milliseconds. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** Maximum number of retries of a request, where a retry is safe. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * Maximum size in bytes of a response that is read whole, or of one line of a streamed response. A larger one causes
   * a ConnectionError. Default: 67,108,864.
   */
  readonly mostBytes?: number | undefined;
}

/** Type for an operation whose name is known at compile time; `unknown` for others. */
type Known<K extends OperationId, T> = OperationId extends K ? unknown : T;

/**
 * Client for the operations of one server, with one token. Each operation has a call of its own, such as
 * `client.tags.list({ organization })`, or is requested by its name in the server's OpenAPI document.
 */
export interface Client extends Surface {
  /**
   * Requests an operation. Reads are retried after temporary failures. Writes are retried only when the server has
   * certainly not executed them.
   *
   * @throws TesseraError when the server denies or rejects the request
   * @throws ConnectionError when there is no readable response; the outcome of a write is unknown then
   * @throws TypeError when the operation, or a part of its path, is missing
   */
  request<K extends OperationId>(operation: K, options?: RequestOptions): Promise<Answer<Known<K, BodyOf<K>>>>;
  request<T>(operation: OperationId, options?: RequestOptions): Promise<Answer<T>>;
  /** Requests an operation as `request` does, but returns the response before its body is read. */
  open(operation: OperationId, options?: RequestOptions): Promise<Response>;
  /** Returns the lines of a response as they arrive: exports; audit records if `accept` is `application/x-ndjson`. */
  lines(operation: OperationId, options?: RequestOptions): AsyncIterableIterator<string>;
  /** The pages of a list. */
  pages<K extends OperationId>(operation: K, options?: RequestOptions): Pages<Known<K, ItemOf<K>>, Known<K, BodyOf<K>>>;
  pages<Item, Body = unknown>(operation: OperationId, options?: RequestOptions): Pages<Item, Body>;
  /** Returns the response of a read, and again each time it changes. */
  watch<K extends OperationId>(
    operation: K,
    options?: WatchOptions,
  ): AsyncIterableIterator<Answer<Known<K, BodyOf<K>> | undefined>>;
  watch<T>(operation: OperationId, options?: WatchOptions): AsyncIterableIterator<Answer<T | undefined>>;
  /** Returns the events of a stream. After a lost connection it reconnects and continues after the last event. */
  stream<T = unknown>(operation: OperationId, options?: StreamOptions): AsyncIterableIterator<StreamedEvent<T>>;
}

/** Characters of an address that a message repeats. */
const MOST_SHOWN = 200;

/**
 * A client of one server. It connects when it is asked something.
 *
 * @throws TypeError when the address is not a URL of `http` or `https`; its message has the address
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const find = (id: OperationId) => operationOf(OPERATIONS, id);
  const asking: Pick<Client, "open" | "lines" | "stream"> & Record<"request" | "pages" | "watch", unknown> = {
    request: async (id: OperationId, asked: RequestOptions = {}) => ask(settings, find(id), asked),
    open: async (id, asked = {}) => open(settings, find(id), asked),
    lines: (id, asked = {}) => lines(settings, find(id), asked),
    pages: (id: OperationId, asked: RequestOptions = {}) => pagesOf(settings, find(id), asked),
    watch: (id: OperationId, asked: WatchOptions = {}) => watch(settings, find(id), asked),
    stream: (id, asked = {}) => streamOf(settings, find(id), asked),
  };
  // The types of responses are trusted: the client does not validate responses against them.
  return { ...callsOf(settings), ...asking } as Client;
}

async function* lines(settings: Settings, operation: Operation, asked: RequestOptions): AsyncGenerator<string> {
  const { timeout = settings.timeout } = asked;
  yield* linesOf(settings, await open(settings, operation, asked), asked.signal, timeout);
}

function settingsOf(options: ClientOptions): Settings {
  const { token, namespace, partition, headers = {}, timeout = 60_000, retries = 3, mostBytes = MOST_BYTES } = options;
  const { origin, pathname } = addressOf(options.address);
  return {
    address: origin + pathname.replace(/\/+$/, ""),
    token,
    namespace,
    partition,
    // A browser's own is called as the window's.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers,
    timeout,
    retries,
    mostBytes,
  };
}

/** @throws TypeError with the address, but for one that may hold a secret */
function addressOf(given: string | URL): URL {
  const text = String(given);
  const [named = ""] = text.split(/[?#]/);
  const shown = text.includes("@") ? "the address" : `the address ${JSON.stringify(named.slice(0, MOST_SHOWN))}`;
  if (!/^\s*https?:/i.test(text)) throw new TypeError(`${shown} must start with http:// or https://`);
  if (!URL.canParse(text)) throw new TypeError(`${shown} is not a valid URL`);
  const url = new URL(text);
  // Nor would fetch take it; and it would say so with the secret in it.
  if (url.username !== "" || url.password !== "")
    throw new TypeError("the address must not contain a user name or a password; set the token in its own option");
  return url;
}
