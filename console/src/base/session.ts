/** Session of the browser: its token, sign-in and sign-out. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { DEFAULT_SCOPE, SERVER_ADDRESS, scopeOfAddress } from "./address.ts";
import { CONSOLE_HEADER, holdRequests } from "./client.ts";
import { hasEventStart, keepEventStart, type EventStart } from "./event-start.ts";
import { placesOfAddress } from "./kept-places.ts";
import { queryClient } from "./queries.ts";
import { SignInError } from "./sign-in-error.ts";
import * as texts from "../texts/base.ts";

/** A method by which people may sign in. */
export interface SignInMethod {
  readonly Name: string;
  readonly DisplayName?: string;
  readonly Type: string;
  readonly Namespace?: string;
  readonly Partition?: string;
}

/** Nobody is signed in, and what can be done about it. */
export interface SignedOut {
  readonly SignedIn: false;
  readonly FirstRun?: boolean;
  /** Instructions for finding the management token. */
  readonly Where?: string;
  /** The connection is unencrypted HTTP from another host: sign-in is not possible over it. */
  readonly Insecure?: boolean;
  readonly Methods?: readonly SignInMethod[];
  readonly Version?: string;
  readonly Edition?: string;
}

/** Session of a signed-in token. */
export interface SignedIn {
  readonly SignedIn: true;
  readonly Session: {
    readonly ID: string;
    readonly Created: string;
    readonly IdleUntil: string;
    readonly Ends: string;
    readonly MadeByLogin: boolean;
  };
  readonly Token: {
    readonly AccessorID: string;
    readonly Description?: string;
    readonly Namespace?: string;
    readonly Partition?: string;
    readonly Management: boolean;
  };
  readonly Version?: string;
  readonly Edition?: string;
  readonly Datacenter?: string;
  /** Last events before this answer, where the request named the places that the page follows. */
  readonly Events?: EventStart;
  /** TTL of login tokens by the type of an auth method without one; empty for tokens that never expire. */
  readonly DefaultLoginTTLs?: Readonly<Record<string, string>>;
}

export type SessionState = SignedOut | SignedIn;

export type Credentials =
  | { readonly SecretID: string }
  | {
      readonly AuthMethod: string;
      readonly BearerToken: string;
      readonly Namespace?: string;
      readonly Partition?: string;
    };

/** Query for the session state on the server. It does not extend the session. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<SessionState> => {
    const headers = { [CONSOLE_HEADER]: "live" };
    const places = placesOfAddress();
    const follow = hasEventStart() ? {} : { follow: places.partition, organization: places.organization ?? "" };
    const state = await ask<SessionState>(`session${queryHere(follow)}`, { method: "GET", headers, signal });
    holdRequests(!state.SignedIn);
    if (state.SignedIn && state.Events !== undefined && !hasEventStart()) keepEventStart(places, state.Events);
    return state;
  },
  staleTime: 20_000,
  refetchInterval: 60_000,
});

/** Returns the query string for the scope of the address. The sign-in page offers the auth methods of this scope. */
function queryHere(more: Record<string, string>): string {
  const { partition, namespace } = scopeOfAddress();
  const query = new URLSearchParams(more);
  if (partition !== DEFAULT_SCOPE.partition) query.set("partition", partition);
  if (namespace !== DEFAULT_SCOPE.namespace) query.set("ns", namespace);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The session as it is known now; undefined before the first answer. */
export function useSession(): SessionState | undefined {
  return useQuery(sessionQuery).data;
}

/** Signs in. Data that was read before, perhaps with another token, is read again. @throws SignInError */
export async function signIn(credentials: Credentials): Promise<void> {
  await enter("session", credentials);
}

/** Returns the URL of the identity provider for a sign-in with an auth method of type oidc. @throws SignInError */
export async function startOidc(method: SignInMethod, returnTo: string): Promise<string> {
  const { AuthURL } = await ask<{ AuthURL: string }>("session/oidc/start", {
    method: "POST",
    body: JSON.stringify({
      AuthMethod: method.Name,
      Namespace: method.Namespace,
      Partition: method.Partition,
      ReturnTo: returnTo,
    }),
  });
  return AuthURL;
}

/** Ends signing in by oidc; gives the path to go on at. @throws SignInError */
export async function finishOidc(state: string, code: string): Promise<string> {
  const { ReturnTo } = await enter<{ ReturnTo?: string }>("session/oidc/finish", { State: state, Code: code });
  return ReturnTo ?? "/";
}

/** Signs out. The server deletes the token too when this session's login created it. */
export async function signOut(): Promise<void> {
  await ask("session", { method: "DELETE" });
  windows?.postMessage("session");
  queryClient.clear();
  await queryClient.query(sessionQuery);
}

const NOT_KEPT = texts.cookieBlocked;

/**
 * Channel between the windows of the browser, which share one session. Each window announces changes of the session.
 */
const windows = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("tessera-session");

/** Adds a listener for sign-ins and sign-outs in other windows. @returns removes the listener */
export function onOtherWindow(listener: () => void): () => void {
  windows?.addEventListener("message", listener);
  return () => windows?.removeEventListener("message", listener);
}

async function enter<T>(path: string, body: object): Promise<T> {
  const answer = await ask<T>(path, { method: "POST", body: JSON.stringify(body) });
  queryClient.removeQueries({ queryKey: ["may"] });
  const state = await queryClient.query({ ...sessionQuery, staleTime: 0 });
  if (!state.SignedIn) throw new SignInError(NOT_KEPT, 0, undefined);
  windows?.postMessage("session");
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  return answer;
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const headers = { accept: "application/json", [CONSOLE_HEADER]: "1", ...(init.headers as Record<string, string>) };
  const response = await fetch(`${SERVER_ADDRESS}/ui/${path}`, {
    ...init,
    headers: init.body === undefined ? headers : { ...headers, "content-type": "application/json" },
    credentials: "same-origin",
  });
  const text = await response.text();
  if (!response.ok) {
    throw new SignInError(
      text.trim().slice(0, 500),
      response.status,
      response.headers.get("x-request-id") ?? undefined,
    );
  }
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
