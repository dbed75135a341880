import { apiRoutes, type Registrar } from "../../../http/jsonapi/jsonapi.ts";
import { renderReservedKey } from "./render.ts";
import { createBody, listQuery, reservedKeyDocument, reservedKeyList, updateBody } from "./schema.ts";
import { changeReservedKey, listOfOrganization, releaseKey, reserveKey } from "./service.ts";

const OF_ORGANIZATION = "/organizations/:organization_name/reserved-tag-keys";

/** Keys that an organization has reserved. */
export const reservedTagKeyRoutes = apiRoutes("Reserved tag keys", (on) => {
  on.list(OF_ORGANIZATION, {
    operationId: "listReservedTagKeys",
    summary: "List reserved tag keys",
    query: listQuery,
    answer: reservedKeyList,
    handle: async ({ ctx, params }, page) => {
      const { keys, total, organizationName } = await listOfOrganization(ctx, params.organization_name, page);
      return { data: keys.map(renderReservedKey(organizationName)), total };
    },
  });
  on.create(OF_ORGANIZATION, {
    operationId: "createReservedTagKey",
    summary: "Create a reserved tag key",
    body: createBody,
    answer: reservedKeyDocument,
    handle: async ({ ctx, params, body }) => {
      const { key, "disable-overrides": disableOverrides } = body.data.attributes;
      const made = await reserveKey(ctx, params.organization_name, { key, disableOverrides });
      return { data: renderReservedKey(made.organizationName)(made) };
    },
  });
  registerItem(on, "/reserved-tag-keys/:reserved_tag_key_id", "");
  registerItem(on, "/reserved-tags/:reserved_tag_key_id", "ByOtherPath");
});

/** Clients use the first path, the documents of the hosted product also name the second. */
function registerItem(
  on: Registrar,
  url: "/reserved-tag-keys/:reserved_tag_key_id" | "/reserved-tags/:reserved_tag_key_id",
  suffix: string,
): void {
  on.patch(url, {
    operationId: `updateReservedTagKey${suffix}`,
    summary: "Update a reserved tag key",
    body: updateBody,
    answer: reservedKeyDocument,
    handle: async ({ ctx, params, body }) => {
      const { key, "disable-overrides": disableOverrides } = body.data.attributes ?? {};
      const changed = await changeReservedKey(ctx, params.reserved_tag_key_id, { key, disableOverrides });
      return { data: renderReservedKey(changed.organizationName)(changed) };
    },
  });
  on.delete(url, {
    operationId: `deleteReservedTagKey${suffix}`,
    summary: "Delete a reserved tag key",
    answer: "Deleted.",
    handle: ({ ctx, params }) => releaseKey(ctx, params.reserved_tag_key_id),
  });
}
