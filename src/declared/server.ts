/** A server, as plans and applies ask it. */
import {
  ConnectionError,
  TesseraError,
  type Client,
  type OperationId,
  type RequestOptions,
} from "@tessera-server/client";
import type { Where } from "./kinds.ts";

export type Api = Pick<Client, "request" | "pages">;
type Json = Readonly<Record<string, unknown>>;

export interface Server {
  readonly api: Api;
  /** How many requests are under way at once, at most. */
  readonly parallel: number;
  readonly signal: AbortSignal | undefined;
  /** Clients for the same server that try writes and keep nothing of them. Undefined where they are not needed. */
  readonly trials: Trials | undefined;
  /** Whether it knows no namespaces and partitions. */
  readonly isCommunity: boolean;
}

/** Trials of writes: to existing places, and to namespaces and partitions that need not exist yet. */
export interface Trials {
  readonly here: Api;
  readonly inNew: Api;
}

/** Gives the trials of a server. @param connect makes its client, with a path in front of all others */
export function trialsBy(connect: (prefix: string) => Api): Trials {
  return { here: connect("/dry-run"), inNew: connect("/dry-run/in-new") };
}

/** Looks what a server is. @throws what the client throws */
export async function openServer(
  api: Api,
  options: { parallel?: number; signal?: AbortSignal | undefined; trials?: Trials } = {},
): Promise<Server> {
  const { parallel = 8, signal, trials } = options;
  const isCommunity = await isUnknown(api, "listNamespaces", {
    query: { partition: "default", "page-size": 1 },
    signal,
  });
  return { api, trials, parallel, signal, isCommunity };
}

/** Whether the server has no such route, being of another version or edition. Other refusals do not matter here. */
export async function isUnknown(api: Api, operation: OperationId, options: RequestOptions): Promise<boolean> {
  try {
    await api.request(operation, options);
    return false;
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    if (error.status === 403) return false;
    return isNoRoute(error);
  }
}

/** Whether an answer says that the server has no such route. */
export function isNoRoute(error: unknown): boolean {
  return (
    error instanceof TesseraError && error.status === 404 && /not a recognized HTTP API endpoint/.test(error.detail)
  );
}

/** The query that says where, said in any case: what is left out is where the token lies. */
export function scopeQuery({ isCommunity }: Server, { partition, namespace }: Where): Record<string, string> {
  if (isCommunity) return {};
  return { ...(partition === "" ? {} : { partition }), ...(namespace === "" ? {} : { ns: namespace }) };
}

/** The entries of a list. @throws what the client throws, and ConnectionError on what is no object */
export async function* itemsOf(
  server: Server,
  operation: OperationId,
  options: RequestOptions = {},
): AsyncGenerator<Json> {
  for await (const item of server.api.pages(operation, { ...options, signal: server.signal }).items())
    yield objectFrom(item);
}

/** Returns a server's response as an object. @throws ConnectionError when it is none */
function objectFrom(value: unknown): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw new ConnectionError(
    "protocol",
    "the response contains a value that is not an object; check that the address is a Tessera server",
  );
}

/** A member that everything of its kind has. @throws ConnectionError when it is no text, or an empty one */
export function textIn(wire: Json, member: string): string {
  const value = wire[member];
  if (typeof value === "string" && value !== "") return value;
  throw new ConnectionError(
    "protocol",
    `the server returned an object without ${member}; check that the address is a Tessera server`,
  );
}

/** The object that an answer holds, of either family. @throws ConnectionError when it holds none */
export async function readOne(server: Server, operation: OperationId, options: RequestOptions): Promise<Json> {
  const { body } = await server.api.request(operation, { ...options, signal: server.signal });
  return objectFrom(body);
}

/** Reads the object of a response. Undefined when it does not exist. */
export async function readIfThere(
  server: Server,
  operation: OperationId,
  options: RequestOptions,
): Promise<Json | undefined> {
  try {
    return await readOne(server, operation, options);
  } catch (error) {
    if (error instanceof TesseraError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Does it for each, some at a time.
 *
 * @throws the first failure, when those that were under way have ended
 */
export async function inParallel<T, R>(
  { parallel }: Pick<Server, "parallel">,
  all: readonly T[],
  work: (each: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array.from({ length: all.length });
  let next = 0;
  let failure: { error: unknown } | undefined;
  async function go(): Promise<void> {
    while (next < all.length && failure === undefined) {
      const at = next++;
      try {
        results[at] = await work(all[at] as T);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, all.length) }, go));
  if (failure !== undefined) throw failure.error;
  return results;
}
