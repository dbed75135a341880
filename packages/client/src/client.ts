import { operationOf } from "./address.ts";
import { OPERATIONS, type OperationId } from "./operations.ts";
import { type Pages, pagesOf } from "./pages.ts";
import { ask, open, type Answer, type RequestOptions, type Settings } from "./send.ts";
import { watch, type WatchOptions } from "./watch.ts";

/** Where the server is, who asks, and how. */
export interface ClientOptions {
  /** Such as `https://tessera.example`, or with a path below which a proxy has the server. */
  readonly address: string | URL;
  /** The token's secret, or what gives it: asked before each try, so that it may give a newer one. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Of requests under `/v1` that name none themselves. */
  readonly namespace?: string | undefined;
  readonly partition?: string | undefined;
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds that one try may take. 60,000 when left out. */
  readonly timeout?: number | undefined;
  /** How often a request is tried again where that is safe. 3 when left out. */
  readonly retries?: number | undefined;
}

/** Asks the operations of one server, as one token. */
export interface Client {
  /**
   * Asks an operation. A read is tried again after failures that may pass; a write only if it is known not to have been done.
   *
   * @throws TesseraError when the server refuses
   * @throws ConnectionError when there is no answer that can be read; whether a write was done is not known then
   * @throws TypeError when the operation, or a part of its path, is missing
   */
  request<T = unknown>(operation: OperationId, options?: RequestOptions): Promise<Answer<T>>;
  /** As `request`, but gives the answer before its body was read: exports, and lists as lines of JSON. */
  open(operation: OperationId, options?: RequestOptions): Promise<Response>;
  /** The pages of a list. */
  pages<Item = unknown, Body = unknown>(operation: OperationId, options?: RequestOptions): Pages<Item, Body>;
  /** What a read answers, again whenever that changes. */
  watch<T = unknown>(operation: OperationId, options?: WatchOptions): AsyncIterableIterator<Answer<T | undefined>>;
}

/**
 * A client of one server. It connects when it is asked something.
 *
 * @throws TypeError when the address is no URL of `http` or `https`
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const find = (id: OperationId) => operationOf(OPERATIONS, id);
  return {
    request: async (id, asked = {}) => ask(settings, find(id), asked),
    open: async (id, asked = {}) => open(settings, find(id), asked),
    pages: (id, asked = {}) => pagesOf(settings, find(id), asked),
    watch: (id, asked = {}) => watch(settings, find(id), asked),
  };
}

function settingsOf(options: ClientOptions): Settings {
  const { token, namespace, partition, headers = {}, timeout = 60_000, retries = 3 } = options;
  const { protocol, origin, pathname, username } = new URL(options.address);
  if (!/^https?:$/.test(protocol)) throw new TypeError("the address has to begin with http:// or https://");
  // Nor would fetch take it; and it would say so with the secret in it.
  if (username !== "") throw new TypeError("the address must not hold a user's name: give the token as such");
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
  };
}
