/** The typed client, as the console asks with it: by its session, in one scope. */
import { createClient, type Client } from "@tessera-server/client";
import { SERVER_ADDRESS, type Scope } from "./address.ts";

/** Header without which the server ignores the session cookie of a request. Value `live`: an automatic request. */
export const CONSOLE_HEADER = "x-tessera-console";

/** AccessorID of the token that this page shows. The server ignores a session of another token. */
let shown: string | undefined;

/** Sets the token that all later requests name. @param accessor undefined for any signed-in token */
export function askAs(accessor: string | undefined): void {
  shown = accessor;
}

let isOver = false;

/** Stops all requests of the page while its session is over: each would be refused, as one of no token. */
export function holdRequests(hold: boolean): void {
  isOver = hold;
}

type Listener = (status: number) => void;
const listeners = new Set<Listener>();

/** Adds a listener for responses that may mean that the session has ended. */
export function onRefusal(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Time in ms. Requests later than this after the last user input are automatic: they do not extend the session. */
const BY_HAND = 5_000;
let touched = performance.now();
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(kind, () => (touched = performance.now()), { capture: true, passive: true });
}

const watchedFetch: typeof fetch = async (input, init) => {
  if (isOver) return new Response(null, { status: 401 });
  const headers = new Headers(init?.headers);
  if (performance.now() - touched > BY_HAND) headers.set(CONSOLE_HEADER, "live");
  if (shown !== undefined) headers.set("x-tessera-as", shown);
  const response = await fetch(input, { ...init, headers, credentials: "same-origin" });
  if ([401, 403, 404].includes(response.status)) for (const listener of listeners) listener(response.status);
  return response;
};

const clients = new Map<string, Client>();

/**
 * The client for a scope; the same one each time. `live` for reads that happen by themselves: they do not extend the session.
 * Scopes come from the address bar of one person, and few are kept.
 */
export function clientOf(scope: Scope | undefined, manner: "1" | "live" = "1"): Client {
  const key = JSON.stringify([scope?.partition, scope?.namespace, manner]);
  const known = clients.get(key);
  if (known !== undefined) return known;
  if (clients.size >= 64) clients.clear();
  const client = createClient({
    address: SERVER_ADDRESS,
    headers: { [CONSOLE_HEADER]: manner },
    fetch: watchedFetch,
    retries: 2,
    timeout: 30_000,
    ...scopeOf(scope),
  });
  clients.set(key, client);
  return client;
}

/** The default scope is not named: a server of the community edition knows no other, and no name for it. */
function scopeOf(scope: Scope | undefined): { namespace?: string; partition?: string } {
  if (scope === undefined) return {};
  return {
    ...(scope.namespace === "default" ? {} : { namespace: scope.namespace }),
    ...(scope.partition === "default" ? {} : { partition: scope.partition }),
  };
}
