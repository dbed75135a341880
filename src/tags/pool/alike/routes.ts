import { apiRoutes } from "../../../http/jsonapi/jsonapi.ts";
import { EntryTexts } from "../../../http/sending/entry-texts.ts";
import { createKeptLists } from "../../../limits/kept-lists.ts";
import { alikeList, alikeQuery } from "./schema.ts";
import { listAlike } from "./service.ts";

const KEPT_BYTES = 32 * 1024 * 1024;

/** Tags that are alike. */
export const alikeTagRoutes = apiRoutes("Organization tags", (on) => {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: KEPT_BYTES, running: 2 });
  on.list("/organizations/:organization_name/tags/alike", {
    operationId: "listAlikeTags",
    summary: "List groups of similar tags",
    description: "Names that differ only by case, separators or plural.",
    query: alikeQuery,
    answer: alikeList,
    handle: async ({ ctx, params }, page) => {
      const { texts, total, isWhole } = await listAlike(ctx, kept, params.organization_name, page);
      return { data: new EntryTexts(texts), total, meta: { "is-complete": isWhole } };
    },
  });
});
