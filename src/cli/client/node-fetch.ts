/**
 * As much of `fetch` as the client uses, by `node:http` and `node:https`. Node's own takes 50 ms to load, which is more than a
 * whole command takes, and knows no client certificates.
 */
import type { Agent as HttpAgent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import process from "node:process";
import { readVersion } from "../../config/version.ts";
import { Readable } from "node:stream";

let named: string | undefined;

/** By which audit records know what was written by a command. Its file is read with the first request, once. */
function agentName(): string {
  return (named ??= `tessera/${readVersion()} (${process.platform})`);
}

/** Asked for when they are needed: an import of `node:http` has Node read all its members, and load a client that nobody uses. */
const http = () => process.getBuiltinModule("node:http");
const https = () => process.getBuiltinModule("node:https");

/** Certificates, in PEM. */
export interface Certificates {
  /** Authorities beside those that Node trusts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Makes a `fetch` that keeps its connections for the next request, none of which keeps the process alive. */
export function createNodeFetch({ ca, ...own }: Certificates = {}): typeof fetch {
  let agent: HttpAgent | HttpsAgent | undefined;
  const agentFor = (isTls: boolean) => {
    if (!isTls) return new (http().Agent)({ keepAlive: true });
    return new (https().Agent)({
      keepAlive: true,
      ...own,
      ...(ca === undefined ? {} : { ca: [...process.getBuiltinModule("node:tls").getCACertificates(), ca] }),
    });
  };
  const ask = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof URL || typeof input === "string" ? input : input.url);
    const isTls = url.protocol === "https:";
    agent ??= agentFor(isTls);
    const { signal } = init;
    signal?.throwIfAborted();
    const options: RequestOptions = {
      agent,
      method: init.method ?? "GET",
      headers: { "user-agent": agentName(), ...headersOf(init) },
    };
    return new Promise((resolve, reject) => {
      const sent = (isTls ? https() : http()).request(url, options, (answer) => resolve(responseOf(answer, url)));
      const abort = () => sent.destroy(abortReason(signal));
      signal?.addEventListener("abort", abort, { once: true });
      sent.once("close", () => signal?.removeEventListener("abort", abort));
      sent.once("error", (error) => {
        // As the platform's fetch tells it, so that the client knows both alike.
        reject(signal?.aborted === true ? abortReason(signal) : new TypeError("fetch failed", { cause: error }));
      });
      writeBody(sent, init.body);
    });
  };
  return ask;
}

function abortReason(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException("aborted", "AbortError");
}

function headersOf({ headers, body }: RequestInit): Record<string, string> {
  const given = headers ?? {};
  const entries =
    Symbol.iterator in given
      ? [...(given as Iterable<[string, string]>)]
      : Object.entries(given as Record<string, string>);
  const made: Record<string, string> = {};
  for (const [name, value] of entries) made[name.toLowerCase()] = value;
  if (typeof body === "string") made["content-length"] = String(Buffer.byteLength(body));
  return made;
}

function writeBody(sent: ClientRequest, body: RequestInit["body"]): void {
  if (body === undefined || body === null) sent.end();
  else if (typeof body === "string" || body instanceof Uint8Array) sent.end(body);
  else if (Symbol.asyncIterator in body) Readable.from(body as AsyncIterable<Uint8Array>).pipe(sent);
  else throw new TypeError("a body is text, bytes or a stream");
}

/** The members of a `Response` that are used; a real one would load what this file leaves out. */
function responseOf(answer: IncomingMessage, url: URL): Response {
  const status = answer.statusCode ?? 0;
  const made = {
    status,
    statusText: answer.statusMessage ?? "",
    ok: status >= 200 && status < 300,
    url: url.href,
    redirected: false,
    headers: headersView(answer),
    body: bodyOf(answer),
  };
  return made as unknown as Response;
}

/** As much of a stream as is read of answers. Nothing here holds an answer as a whole: who reads it bounds what they keep. */
function bodyOf(answer: IncomingMessage): object {
  const parts = answer[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const read = async () => {
    try {
      return await parts.next();
    } catch (error) {
      // As the platform's fetch tells it.
      throw new TypeError("terminated", { cause: error });
    }
  };
  const cancel = () => {
    answer.destroy();
    return Promise.resolve();
  };
  return {
    cancel,
    getReader: () => ({ read, cancel }),
    [Symbol.asyncIterator]: () => ({ next: read, return: async () => ({ done: true, value: await cancel() }) }),
  };
}

function headersView({ headers }: IncomingMessage): unknown {
  const all = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")] as const,
  );
  const found = (name: string) => all.find(([each]) => each === name.toLowerCase())?.[1];
  return {
    get: (name: string) => found(name) ?? null,
    has: (name: string) => found(name) !== undefined,
    forEach: (each: (value: string, name: string) => void) => {
      for (const [name, value] of all) each(value, name);
    },
    entries: () => all.values(),
    [Symbol.iterator]: () => all.values(),
  };
}
