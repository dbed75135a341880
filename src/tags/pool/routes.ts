import { apiRoutes } from "../../http/jsonapi/jsonapi.ts";
import { readInclude } from "../../http/query.ts";
import { warned } from "../../http/jsonapi/warnings.ts";
import { readPoolSearch } from "./parameters.ts";
import { tagRenderer, tagTexts } from "./render.ts";
import {
  createBody,
  createdTags,
  deleteBody,
  renameBody,
  renamedTag,
  tagDocument,
  tagList,
  tagListQuery,
} from "./schema.ts";
import { deletePoolTags } from "./deletion.ts";
import { createTags, listPool, readTag, renamePoolTag } from "./service.ts";

const POOL = "/organizations/:organization_name/tags";
const TAG = "/tags/:tag_id";

/** The pool of tags of an organization. */
export const tagRoutes = apiRoutes("Organization tags", (on) => {
  on.list(POOL, {
    operationId: "listTags",
    summary: "List tags",
    query: tagListQuery,
    answer: tagList,
    handle: async ({ ctx, params, query }, page) => {
      const search = readPoolSearch(query);
      const withValues = readInclude(query, ["values"]).has("values");
      const found = await listPool(ctx, params.organization_name, search, page, withValues);
      return { data: tagTexts(ctx, found.organizationName, found.tags, found.values), total: found.total };
    },
  });
  on.create(POOL, {
    operationId: "createTags",
    summary: "Create tags",
    description: "The tags are unused until they are added to a workspace.",
    body: createBody,
    answer: createdTags,
    handle: async ({ ctx, params, body }) => {
      const names = body.data.map((entry) => entry.attributes.name);
      const { organizationName, tags, warnings } = await createTags(ctx, params.organization_name, names);
      return warned({ data: tags.map(tagRenderer(ctx, organizationName)) }, warnings);
    },
  });
  on.delete(POOL, {
    operationId: "deleteTags",
    summary: "Delete tags",
    description: "The tags are removed from all workspaces.",
    body: deleteBody,
    answer: "Deleted.",
    warns: true,
    handle: async ({ ctx, params, body }) => {
      const ids = body.data.map((entry) => entry.id);
      return warned({}, await deletePoolTags(ctx, params.organization_name, ids));
    },
  });
  on.read(TAG, {
    operationId: "readTag",
    summary: "Read a tag",
    answer: tagDocument,
    handle: async ({ ctx, params }) => {
      const tag = await readTag(ctx, params.tag_id);
      return { data: tagRenderer(ctx, tag.organizationName)(tag) };
    },
  });
  on.patch(TAG, {
    operationId: "renameTag",
    summary: "Rename a tag",
    body: renameBody,
    answer: renamedTag,
    handle: async ({ ctx, params, body }) => {
      const { tag, warnings } = await renamePoolTag(ctx, params.tag_id, body.data.attributes?.name);
      return warned({ data: tagRenderer(ctx, tag.organizationName)(tag) }, warnings);
    },
  });
});
