import { digest } from "../hash.ts";
import type { Policy } from "./store.ts";

/** What a request says of a policy. */
export type PolicyInput = Pick<Policy, "name" | "description" | "rules" | "datacenters">;

/** Puts a policy together, with its hash. @param ruleCount how many rules the text has */
export function assemblePolicy(
  base: Pick<Policy, "id" | "scope" | "createIndex" | "modifyIndex">,
  { name, description, rules, datacenters }: PolicyInput,
  ruleCount: number,
): Policy {
  const { id, scope, createIndex, modifyIndex } = base;
  const hash = digest([scope.partition, scope.namespace, name, description, rules, datacenters]);
  return { id, scope, createIndex, modifyIndex, name, description, rules, ruleCount, datacenters, hash };
}
