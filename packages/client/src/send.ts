import { type Operation, type Query, urlOf, type Value } from "./address.ts";
import { connectionError, ConnectionError, TesseraError } from "./errors.ts";
import { withRetries } from "./retries.ts";
import { MOST_REFUSAL_BYTES, textWithin, tooLong } from "./whole.ts";

/** Request to an operation. */
export interface RequestOptions {
  /** Parts of its path, by their names in the server's document. */
  readonly path?: Readonly<Record<string, Value>> | undefined;
  readonly query?: Query | undefined;
  /** Sent as JSON, but for texts and bytes, which are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one try may take, instead of the client's. */
  readonly timeout?: number | undefined;
  /** How often it is tried again, instead of the client's. */
  readonly retries?: number | undefined;
}

/** Response of the server. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else its text; undefined where there is none. */
  readonly body: T;
  /** Index of the data, for reads under `/v1`. A 64-bit number, so it is a string. */
  readonly index: string | undefined;
  /**
   * Directory of declared files that owns the written object, for writes. Several are separated by commas; undefined
   * for an object without an owner.
   */
  readonly owner: string | undefined;
}

/** How a client reaches its server, with every choice made. */
export interface Settings {
  /** Without a slash at its end. */
  readonly address: string;
  readonly token: string | (() => string | Promise<string>) | undefined;
  readonly namespace: string | undefined;
  readonly partition: string | undefined;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly timeout: number;
  readonly retries: number;
  readonly mostBytes: number;
}

const JSON_API = "application/vnd.api+json";

/** Operations that only ask, though they send a body to do it. */
const QUESTIONS = /^(authorize|explain|check|preview|findLeaked)/;

/**
 * Asks, again where that is safe, and gives the answer.
 *
 * @throws TesseraError when the server refuses
 * @throws ConnectionError when it gives no answer that can be read
 */
export async function ask<T>(settings: Settings, operation: Operation, options: RequestOptions): Promise<Answer<T>> {
  return withRetries(isRead(operation), options.retries ?? settings.retries, options.signal, () =>
    attempt(settings, operation, options, (response) => answerOf<T>(response, settings)),
  );
}

/**
 * Requests an operation and returns the response before its body is read. Failures after the first byte of the body are
 * not retried.
 */
export async function open(settings: Settings, operation: Operation, options: RequestOptions): Promise<Response> {
  return withRetries(isRead(operation), options.retries ?? settings.retries, options.signal, () =>
    attempt(settings, operation, options, (response) => Promise.resolve(response)),
  );
}

function isRead({ method, id }: Operation): boolean {
  return method === "GET" || QUESTIONS.test(id);
}

/** One try. What ends it early is its time, or the caller's signal. */
async function attempt<R>(
  settings: Settings,
  operation: Operation,
  options: RequestOptions,
  read: (response: Response) => Promise<R>,
): Promise<R> {
  const { signal, timeout = settings.timeout } = options;
  const url = urlOf(settings.address, operation, options.path ?? {}, queryOf(settings, operation, options));
  const headers = await headersOf(settings, operation, options);
  const body = bodyOf(options.body);
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeout);
  signal?.addEventListener("abort", abort);
  let isStream = false;
  try {
    const { fetch } = settings;
    const response = await fetch(url, {
      method: operation.method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: controller.signal,
    });
    if (!response.ok && response.status !== 304) await refuse(operation, response, settings.address);
    const result = await read(response);
    isStream = result === response;
    return result;
  } catch (thrown) {
    if (thrown instanceof TesseraError || thrown instanceof ConnectionError) throw thrown;
    signal?.throwIfAborted();
    if (!controller.signal.aborted) throw connectionError(settings.address, thrown);
    throw new ConnectionError("timeout", `${settings.address}: no response within ${timeout} ms`, { cause: thrown });
  } finally {
    clearTimeout(timer);
    // An unread body keeps the listener: the caller can end it by its signal.
    if (!isStream) signal?.removeEventListener("abort", abort);
  }
}

function queryOf({ namespace, partition }: Settings, { flags }: Operation, { query }: RequestOptions): Query {
  return {
    ...(flags.includes("n") ? { ns: namespace } : {}),
    ...(flags.includes("p") ? { partition } : {}),
    ...query,
  };
}

/** Plain, by names in lower case: in Node a `Headers` takes 35 ms to load, which a command-line tool waits for. */
async function headersOf(settings: Settings, operation: Operation, options: RequestOptions) {
  const headers: Record<string, string> = {
    accept: operation.isJsonApi ? `${JSON_API}, */*;q=0.1` : "application/json, */*;q=0.1",
  };
  const token = typeof settings.token === "function" ? await settings.token() : settings.token;
  if (token !== undefined && token !== "") {
    // The error of fetch for such a header would contain the token.
    if (/[^\x21-\x7e]/.test(token)) throw new TypeError("the token contains an invalid character, such as a space");
    headers["authorization"] = `Bearer ${token}`;
  }
  // Under /api/v2 also where there is no body.
  if (operation.isJsonApi && operation.method !== "GET") headers["content-type"] = JSON_API;
  else if (options.body !== undefined) headers["content-type"] = "application/json";
  for (const [name, value] of Object.entries({ ...settings.headers, ...options.headers })) {
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  return headers;
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === "string") return body;
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
}

/** @throws TesseraError or, where a proxy sends the client elsewhere, ConnectionError */
async function refuse({ method, path }: Operation, response: Response, address: string): Promise<never> {
  const { status, headers } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const target = headers.get("location");
    throw new ConnectionError(
      "protocol",
      `${address}: the server redirects the client${target === null ? "" : ` to ${target}`}; use that address`,
    );
  }
  throw new TesseraError(
    `${method} ${path}`,
    status,
    headers,
    (await textWithin(response, MOST_REFUSAL_BYTES)) ?? tooLong(MOST_REFUSAL_BYTES),
  );
}

async function answerOf<T>(response: Response, { address, mostBytes }: Settings): Promise<Answer<T>> {
  const { status, headers } = response;
  const text = await textWithin(response, mostBytes);
  if (text === undefined) throw new ConnectionError("protocol", `${address}: ${tooLong(mostBytes)}`);
  const type = headers.get("content-type") ?? "";
  let body: unknown = text === "" ? undefined : text;
  if (/html/.test(type))
    throw new ConnectionError(
      "protocol",
      `${address}: the response is a web page, not from Tessera; check the address`,
    );
  if (text !== "" && /json/.test(type) && !/ndjson/.test(type)) {
    try {
      body = JSON.parse(text);
    } catch (cause) {
      throw new ConnectionError("protocol", `${address}: the response is not valid JSON, despite its content type`, {
        cause,
      });
    }
  }
  return { status, headers, body: body as T, ...notesOf(headers) };
}

/** The headers of an answer that say something of its body. */
export function notesOf(headers: Headers): Pick<Answer, "index" | "owner"> {
  return {
    index: headers.get("x-service-index") ?? undefined,
    owner: headers.get("x-tessera-owner") ?? undefined,
  };
}
