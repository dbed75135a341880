/** The members of an object under `/v1` that somebody edits. */
import type { Item } from "../output/types.ts";

const FIXED = [
  "CreateIndex",
  "ModifyIndex",
  "Hash",
  "CreateTime",
  "Local",
  "Datacenters",
  "Namespace",
  "Partition",
  "DeletedAt",
];

/** The members of an object that may be changed: a secret that is shown is not written to a file for it. */
export function editable(
  object: Item,
  {
    fixed = [],
    idMember,
    noun,
  }: { readonly fixed?: readonly string[]; readonly idMember: string; readonly noun: string },
): Record<string, unknown> {
  const out = new Set([
    ...FIXED,
    ...fixed,
    "SecretID",
    ...(noun === "namespace" || noun === "partition" || noun === "auth-method" || noun === "decision-mapping"
      ? []
      : [idMember]),
  ]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !out.has(name)));
}
