/** Namespaces and partitions for tests that work in several of them. */
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import { createSigningKey } from "./key-server.ts";
import { bearer, login, MAPPINGS } from "./login.ts";
import type { V1 } from "./v1.ts";

/** Kinds of objects in a namespace, and the name of the list of each. */
export const LISTS = {
  policy: "policies",
  role: "roles",
  token: "tokens",
  "auth-method": "auth-methods",
  "binding-rule": "binding-rules",
} as const;
export type Kind = keyof typeof LISTS;
export const KINDS = Object.keys(LISTS) as readonly Kind[];

/** Signs the credentials that the methods of `makeIn` trust. */
export const KEY = createSigningKey("scopes");
/** Name of the auth method that rules are of unless a test says otherwise; see `makeMethodIn`. */
export const METHOD = "ruled";

/** Members that a new object of a kind must have. */
const NEEDED: Partial<Record<Kind, object>> = {
  "auth-method": { Type: "jwt", Config: { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS } },
  "binding-rule": { AuthMethod: METHOD, BindType: "service", BindName: "web" },
};

/** A body that makes an object of a kind; a name is left out where the kind has none. */
export function contentOf(kind: Kind, content: object = {}): object {
  const { Name, ...more } = content as { Name?: string };
  const isNamed = kind !== "token" && kind !== "binding-rule";
  return { ...NEEDED[kind], ...(isNamed && Name !== undefined ? { Name } : {}), ...more };
}

/** Scope of an object. Default of each member: `default`. */
export interface Place {
  namespace?: string;
  partition?: string;
}

/** A path of `/v1` that names the place in its query. */
export function at(path: string, { namespace = "default", partition = "default" }: Place): string {
  return `${path}${path.includes("?") ? "&" : "?"}ns=${namespace}&partition=${partition}`;
}

/** Makes a namespace; its partition must be there. */
export async function makeNamespace(v1: V1, { namespace, partition }: Place, content: object = {}): Promise<void> {
  const answer = await v1.put(at(`/namespace/${namespace}`, { partition: partition ?? "default" }), content);
  expect(answer.status, answer.text).toBe(200);
}

export async function makePartition(v1: V1, partition: string): Promise<void> {
  const answer = await v1.put(`/partition/${partition}`);
  expect(answer.status, answer.text).toBe(200);
}

/** Makes an object in a place; gives it as it is answered. */
export async function makeIn(v1: V1, place: Place, kind: Kind, content: object): Promise<Answer["body"]> {
  const answer = await v1.put(at(`/acl/${kind}`, place), contentOf(kind, content));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Makes the auth method that rules are of in a place. */
export async function makeMethodIn(v1: V1, place: Place, content: object = {}): Promise<void> {
  await makeIn(v1, place, "auth-method", { Name: METHOD, ...content });
}

/** Logs in by an auth method of a place, that of `makeMethodIn` unless another is named; gives the token. */
export async function loginIn(v1: V1, place: Place, claims: object = {}, method = METHOD): Promise<Answer["body"]> {
  const { namespace: Namespace = "default", partition: Partition = "default" } = place;
  const answer = await login(v1, method, bearer(KEY, claims), { Namespace, Partition });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/**
 * Identifier in an object's path: the ID of a policy, role or rule, the AccessorID of a token, the name of a method.
 */
export function idOf({ ID, AccessorID, Name }: { ID?: string; AccessorID?: string; Name?: string }): string {
  return ID ?? AccessorID ?? Name ?? "";
}

/** SecretID of a new token in a place, with one policy of these rules there. */
export async function secretIn(v1: V1, place: Place, rules: string): Promise<string> {
  const { ID } = await makeIn(v1, place, "policy", { Name: v1.unique("rights"), Rules: rules });
  return String((await makeIn(v1, place, "token", { Policies: [{ ID }] })).SecretID);
}

/** Every row in a namespace, as it is stored. */
export async function allRows({ db: { sql } }: V1): Promise<unknown[]> {
  return [
    await sql.selectFrom("policies").selectAll().orderBy("id").execute(),
    await sql.selectFrom("roles").selectAll().orderBy("id").execute(),
    await sql.selectFrom("tokens").selectAll().orderBy("accessor_id").execute(),
    await sql.selectFrom("auth_methods").selectAll().orderBy("id").execute(),
    await sql.selectFrom("binding_rules").selectAll().orderBy("id").execute(),
    await sql.selectFrom("idempotency_keys").selectAll().orderBy("id").execute(),
    await sql.selectFrom("deleted_methods").selectAll().orderBy("id").execute(),
    await sql.selectFrom("namespaces").selectAll().orderBy("id").execute(),
  ];
}
