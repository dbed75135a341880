/** Requests to servers of any version. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noteSecretsOf } from "../support/made-secrets.ts";
import type { SigningKey } from "../support/key-server.ts";

/** SecretID of the first management token of every fixture. */
export const MANAGEMENT = "0f6a3c1e-8d2b-4b7a-9c55-1e2d3f4a5b6c";

/** Claims that the methods of the fixtures map. */
export const MAPPINGS = { ClaimMappings: { team: "team", name: "name" }, ListClaimMappings: { groups: "groups" } };

/** Directory of the fixtures, with the keys of all of them. */
export const FIXTURES = join(import.meta.dirname, "fixtures");

/** The file of the master key that sealed what the fixtures hold. */
export const KEY_FILE = join(FIXTURES, "master-key");

/** Asks; @returns the body. @throws Error when it is refused */
export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  headers?: Readonly<Record<string, string>>,
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of versions that are no part of this program
) => Promise<any>;

/** An answer, whatever it is; a body that is no JSON as text. */
export interface Told {
  status: number;
  body: unknown;
}

/** Asks a server. @param token empty for none */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  token = MANAGEMENT,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  const type = path.startsWith("/api/") && method !== "GET" ? { "content-type": "application/vnd.api+json" } : {};
  const answer = await fetch(url + path, {
    method,
    headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  noteSecretsOf(path, body === undefined ? undefined : JSON.stringify(body), { status: answer.status, text });
  const isJson = /^[[{"tfn]/.test(text) && (answer.headers.get("content-type") ?? "").includes("json");
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** Asks a server whose answers are expected to be good. */
export function callerOf(url: string): Caller {
  return async (method, path, body, token, headers) => {
    const answer = await ask(url, method, path, body, token, headers);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
}

/** The secret of a token that was written. */
export function tokenOf({ secrets }: { secrets: Readonly<Record<string, string>> }, name: string): string {
  const secret = secrets[name];
  if (secret === undefined) throw new Error(`there is no token ${name}`);
  return secret;
}

/** The key that signs what logs in by the methods of the fixtures; it is theirs alone. */
export function methodKey(): SigningKey {
  const privateKey = createPrivateKey(readFileSync(join(FIXTURES, "method-key.pem")));
  const publicKey = createPublicKey(privateKey).export({ format: "pem", type: "spki" });
  return { kid: "fixtures", algorithm: "ES256", privateKey, publicKey, jwk: {} };
}
