/**
 * The two questions that an API server is asked. Its answers are read strictly,
 * and nothing of them is repeated but what the review itself has to say.
 */
import { parseClaims, isList, type Claim, type Claims } from "../claims.ts";
import { answerOf, IdentityError, ProviderError } from "../errors.ts";
import type { Ask, OutboundRequest, OutboundResponse } from "../../outbound/outbound.ts";
import type { ApiServer } from "./config.ts";

/** Result of the API server's review of a token. */
export interface Review {
  readonly isAuthenticated: boolean;
  /** Why it could not be checked; empty when it was. */
  readonly error: string;
  readonly username: string;
  readonly uid: string;
  /** Audiences of the API server for which the token is valid. */
  readonly audiences: readonly string[];
}

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly annotations: ReadonlyMap<string, string>;
}

type Question = Pick<OutboundRequest, "method" | "body"> & { path: string };

/**
 * Asks whether a token is good for the API server itself: no audiences are named, least of all the token's own.
 *
 * @throws ProviderError
 */
export async function reviewToken(ask: Ask, server: ApiServer, token: string): Promise<Review> {
  const path = "/apis/authentication.k8s.io/v1/tokenreviews";
  const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } });
  const response = await send(ask, server, { method: "POST", path, body });
  if (response.status !== 200 && response.status !== 201) throw refused(response.status, "review tokens");
  return readAnswer(response.body, "TokenReview", reviewOf);
}

/**
 * Reads a service account.
 *
 * @param namespace and name: as Kubernetes allows them
 * @returns undefined when there is none
 * @throws ProviderError
 */
export async function readServiceAccount(
  ask: Ask,
  server: ApiServer,
  namespace: string,
  name: string,
): Promise<ServiceAccount | undefined> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}`;
  const response = await send(ask, server, { method: "GET", path });
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw refused(response.status, "get service accounts");
  return readAnswer(response.body, "ServiceAccount", serviceAccountOf);
}

async function send(ask: Ask, server: ApiServer, { path, method, body }: Question): Promise<OutboundResponse> {
  const headers = {
    authorization: `Bearer ${server.reviewer}`,
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const request = { method, url: server.url + path, headers, ca: server.ca };
  return answerOf(ask(body === undefined ? request : { ...request, body }));
}

function refused(status: number, right: string): ProviderError {
  if (status === 401) return new ProviderError("the API server does not accept Config.ServiceAccountJWT (status 401)");
  if (status === 403) {
    return new ProviderError(`the API server denies Config.ServiceAccountJWT permission to ${right} (status 403)`);
  }
  return new ProviderError(`the API server returned status ${status}`);
}

class ShapeError extends Error {}

function readAnswer<T>(body: string, kind: string, read: (object: Claims) => T): T {
  try {
    const object = parseClaims(Buffer.from(body));
    if (object.get("kind") !== kind) throw new ShapeError();
    return read(object);
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof IdentityError)) throw error;
    throw new ProviderError(`the response of the API server is not a ${kind}`);
  }
}

function reviewOf(object: Claims): Review {
  const status = objectOf(object.get("status"));
  const user = objectOf(status.get("user") ?? new Map());
  const audiences = status.get("audiences") ?? [];
  if (!isList(audiences)) throw new ShapeError();
  return {
    isAuthenticated: boolOf(status.get("authenticated")),
    error: textOf(status.get("error")),
    username: textOf(user.get("username")),
    uid: textOf(user.get("uid")),
    audiences: audiences.map(textOf),
  };
}

function serviceAccountOf(object: Claims): ServiceAccount {
  const metadata = objectOf(object.get("metadata"));
  const annotations = objectOf(metadata.get("annotations") ?? new Map());
  return {
    namespace: textOf(metadata.get("namespace")),
    name: textOf(metadata.get("name")),
    uid: textOf(metadata.get("uid")),
    annotations: new Map(Array.from(annotations, ([name, value]) => [name, textOf(value)])),
  };
}

function objectOf(claim: Claim | undefined): Claims {
  if (claim instanceof Map) return claim;
  throw new ShapeError();
}

/** Kubernetes leaves out what is empty. */
function textOf(claim: Claim = ""): string {
  if (typeof claim === "string") return claim;
  throw new ShapeError();
}

function boolOf(claim: Claim = false): boolean {
  if (typeof claim === "boolean") return claim;
  throw new ShapeError();
}
