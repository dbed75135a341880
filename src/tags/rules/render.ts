/** Rules for tags, and who falls short of them, as JSON:API resources. */
import { policyAsJson } from "./as-json.ts";
import type { StoredTagPolicy } from "./store.ts";

export function renderTagPolicy({ id, enforce, rules, createdAt, updatedAt }: StoredTagPolicy, organization: string) {
  return {
    id,
    type: "tag-policies" as const,
    attributes: { ...policyAsJson({ enforce, rules }), "created-at": createdAt, "updated-at": updatedAt },
    relationships: { organization: { data: { id: organization, type: "organizations" as const } } },
  };
}
