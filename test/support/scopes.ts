/** Namespaces and partitions for tests that work in several of them. */
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import type { V1 } from "./v1.ts";

/** Where an object lies; what is left out is `default`. */
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

/** Makes a policy, role or token in a place; gives it as it is answered. */
export async function makeIn(
  v1: V1,
  place: Place,
  kind: "policy" | "role" | "token",
  content: object,
): Promise<Answer["body"]> {
  const answer = await v1.put(at(`/acl/${kind}`, place), content);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** ID of a policy or role, AccessorID of a token. */
export function idOf({ ID, AccessorID }: { ID?: string; AccessorID?: string }): string {
  return ID ?? AccessorID ?? "";
}

/** SecretID of a new token that lies in a place and has one policy of these rules there. */
export async function secretIn(v1: V1, place: Place, rules: string): Promise<string> {
  const { ID } = await makeIn(v1, place, "policy", { Name: v1.unique("rights"), Rules: rules });
  return String((await makeIn(v1, place, "token", { Policies: [{ ID }] })).SecretID);
}

/** Every row that lies in a namespace, as it is stored. */
export async function allRows({ db: { sql } }: V1): Promise<unknown[]> {
  return [
    await sql.selectFrom("policies").selectAll().orderBy("id").execute(),
    await sql.selectFrom("roles").selectAll().orderBy("id").execute(),
    await sql.selectFrom("tokens").selectAll().orderBy("accessor_id").execute(),
    await sql.selectFrom("namespaces").selectAll().orderBy("id").execute(),
  ];
}
