/** Reserved keys as JSON:API resources. */
import type { ReservedKey } from "./store.ts";

/** The times have both spellings: the official client reads those with an underscore. */
export function renderReservedKey(organizationName: string) {
  return ({ id, key, disableOverrides, createdAt, updatedAt }: ReservedKey) => ({
    id,
    type: "reserved-tag-keys" as const,
    attributes: {
      key,
      "disable-overrides": disableOverrides === 1,
      // There is no registry here.
      "is-registry-tag": false,
      "created-at": createdAt,
      "updated-at": updatedAt,
      created_at: createdAt,
      updated_at: updatedAt,
    },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  });
}
