/**
 * The part of a Kubernetes API server that logins need, over HTTPS with an authority of its own: reviews of tokens
 * that it signs and really checks, and service accounts to read. It lets only its reviewer ask.
 */
import { generateKeyPairSync, randomUUID, sign, verify, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { makeCertificate } from "./openid-certificate.ts";

export interface KubernetesApi {
  /** `https://127.0.0.1:port`. */
  readonly url: string;
  readonly ca: string;
  /** The only token that may ask. */
  readonly reviewer: string;
  /** Requests so far, oldest first. */
  readonly requests: { method: string; path: string; body: string }[];
  /** Answers in place of the server where it gives something, as a broken or hostile server would. */
  answer: (method: string, path: string) => Answer | undefined;
  /** Makes a service account, or makes it again with another uid. */
  createAccount(namespace: string, name: string, annotations?: Readonly<Record<string, string>>): void;
  deleteAccount(namespace: string, name: string): void;
  /** A token as the API server mounts it into pods; claims that are undefined are left out. */
  issueToken(namespace: string, name: string, claims?: Readonly<Record<string, unknown>>): string;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  body: string;
}

interface Account {
  namespace: string;
  name: string;
  uid: string;
  annotations: Readonly<Record<string, string>>;
}

interface State {
  accounts: Map<string, Account>;
  publicKey: KeyObject;
  reviewer: string;
}

/** The audience that tokens have when nobody asks for another. */
export const API_AUDIENCE = "https://kubernetes.default.svc.cluster.local";
const HOUR_SECONDS = 3600;

/** Starts it on a port of its own. The caller closes it. */
export async function startKubernetesApi(): Promise<KubernetesApi> {
  const { ca, cert, key } = makeCertificate();
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const accounts = new Map<string, Account>();
  const createAccount: KubernetesApi["createAccount"] = (namespace, name, annotations = {}) => {
    accounts.set(`${namespace}/${name}`, { namespace, name, uid: randomUUID(), annotations });
  };
  const issueToken: KubernetesApi["issueToken"] = (namespace, name, claims = {}) =>
    jwt({ ...claimsOf(accounts.get(`${namespace}/${name}`)), ...claims }, privateKey);
  createAccount("kube-system", "reviewer");
  const reviewer = issueToken("kube-system", "reviewer");
  const server = createServer({ cert, key });
  const port = await listen(server);
  const api: KubernetesApi = {
    url: `https://127.0.0.1:${port}`,
    ca,
    reviewer,
    requests: [],
    answer: () => undefined,
    createAccount,
    deleteAccount: (namespace, name) => void accounts.delete(`${namespace}/${name}`),
    issueToken,
    close: () => close(server),
  };
  server.on("request", (request, response) => {
    void text(request).then((body) => {
      const [method, path] = [request.method ?? "", request.url ?? ""];
      api.requests.push({ method, path, body });
      const answer = api.answer(method, path) ?? answerOf({ accounts, publicKey, reviewer }, request, body);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });
  return api;
}

/** An answer that is a JSON document. */
export function json(status: number, document: unknown): Answer {
  return { status, body: JSON.stringify(document) };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function answerOf(state: State, request: IncomingMessage, body: string): Answer {
  const bearer = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  if (bearer !== state.reviewer) {
    const isKnown = authenticate(state, bearer) !== undefined;
    return isKnown ? failure(403, "Forbidden") : failure(401, "Unauthorized");
  }
  const path = request.url ?? "";
  if (request.method === "POST" && path === "/apis/authentication.k8s.io/v1/tokenreviews") return review(state, body);
  const [, namespace = "", name = ""] = /^\/api\/v1\/namespaces\/([^/]+)\/serviceaccounts\/([^/]+)$/.exec(path) ?? [];
  const account = state.accounts.get(`${decodeURIComponent(namespace)}/${decodeURIComponent(name)}`);
  if (request.method !== "GET" || account === undefined) return failure(404, "NotFound");
  const { annotations, ...metadata } = account;
  return json(200, { kind: "ServiceAccount", apiVersion: "v1", metadata: { ...metadata, annotations } });
}

function review(state: State, body: string): Answer {
  const { apiVersion, kind, spec } = JSON.parse(body) as {
    apiVersion: string;
    kind: string;
    spec: { token: string; audiences?: readonly string[] };
  };
  if (apiVersion !== "authentication.k8s.io/v1" || kind !== "TokenReview") return failure(400, "BadRequest");
  const { token, audiences: wanted = [API_AUDIENCE] } = spec;
  const account = authenticate(state, token);
  const own = payloadOf(token)?.["aud"];
  const audiences = wanted.filter((audience) => !Array.isArray(own) || own.includes(audience));
  const status =
    account === undefined || audiences.length === 0
      ? { user: {}, error: "[invalid bearer token, service account token has been invalidated]" }
      : { authenticated: true, user: userOf(account), audiences };
  return json(201, { kind, apiVersion, metadata: { creationTimestamp: null }, spec, status });
}

function userOf({ namespace, name, uid }: Account): object {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  return { username: `system:serviceaccount:${namespace}:${name}`, uid, groups };
}

/** Account of the token; undefined if the token is forged or expired, or if the account was deleted. */
function authenticate(state: State, token: string): Account | undefined {
  const signed = token.slice(0, token.lastIndexOf("."));
  const signature = Buffer.from(token.slice(signed.length + 1), "base64url");
  const payload = payloadOf(token);
  const isOurs = verify("sha256", Buffer.from(signed), { key: state.publicKey, dsaEncoding: "ieee-p1363" }, signature);
  if (!isOurs || payload === undefined) return undefined;
  if (typeof payload["exp"] === "number" && payload["exp"] * 1000 < Date.now()) return undefined;
  const bound = payload["kubernetes.io"] as { namespace: string; serviceaccount: { name: string; uid: string } };
  const account = state.accounts.get(`${bound.namespace}/${bound.serviceaccount.name}`);
  return account?.uid === bound.serviceaccount.uid ? account : undefined;
}

function payloadOf(token: string): Record<string, unknown> | undefined {
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  try {
    return JSON.parse(payload) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function claimsOf(account: Account | undefined): Record<string, unknown> {
  if (account === undefined) throw new Error("there is no such service account");
  const { namespace, name, uid } = account;
  return {
    iss: API_AUDIENCE,
    sub: `system:serviceaccount:${namespace}:${name}`,
    aud: [API_AUDIENCE],
    exp: Math.floor(Date.now() / 1000) + HOUR_SECONDS,
    "kubernetes.io": { namespace, serviceaccount: { name, uid } },
  };
}

function jwt(claims: object, key: KeyObject): string {
  const signed = [{ alg: "ES256", kid: "cluster" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

function failure(code: number, reason: string): Answer {
  const message = `canary-of-the-api-server: ${reason}`;
  return json(code, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code });
}
