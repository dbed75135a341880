import { Type } from "typebox";
import type { ApiRoutes } from "../http/jsonapi.ts";
import { paginationLinks, paginationMeta, readPage } from "../http/pagination.ts";
import type { Query } from "../http/query.ts";
import { renderTag, renderTags } from "./render.ts";
import {
  createBody,
  createdTags,
  deleteBody,
  organizationParams,
  renameBody,
  tagDocument,
  tagList,
  tagListQuery,
  tagParams,
} from "./schema.ts";
import { createTags, deletePoolTags, listPool, readTag, renamePoolTag } from "./service.ts";

const POOL = "/organizations/:organization_name/tags";
const TAGS = ["Organization tags"];

/** The pool of tags of an organization. */
export const tagRoutes: ApiRoutes = (app, _options, done) => {
  app.get(
    POOL,
    {
      config: { shared: true },
      schema: {
        operationId: "listTags",
        summary: "List or search the tags of an organization",
        tags: TAGS,
        params: organizationParams,
        querystring: tagListQuery,
        response: { 200: tagList },
      },
    },
    async (request) => {
      const query = request.query as Query;
      const page = readPage(query);
      const filter = { part: query["q"], excludedWorkspace: query["filter[exclude][taggable][id]"] };
      const list = await listPool(request.ctx, request.params.organization_name, filter, page);
      return {
        data: renderTags(request.ctx, list.organizationName, list.tags),
        links: paginationLinks(request, page, list.total),
        meta: { pagination: paginationMeta(page, list.total) },
      };
    },
  );

  app.post(
    POOL,
    {
      schema: {
        operationId: "createTags",
        summary: "Create tags in the pool, where they stay without uses",
        tags: TAGS,
        params: organizationParams,
        body: createBody,
        response: { 201: createdTags },
      },
    },
    async (request, reply) => {
      const names = request.body.data.map((entry) => entry.attributes.name);
      const { organizationName, tags } = await createTags(request.ctx, request.params.organization_name, names);
      return reply.code(201).send({ data: renderTags(request.ctx, organizationName, tags) });
    },
  );

  app.delete(
    POOL,
    {
      schema: {
        operationId: "deleteTags",
        summary: "Delete tags from the pool and from every workspace",
        tags: TAGS,
        params: organizationParams,
        body: deleteBody,
        response: { 204: Type.Null({ description: "The tags are gone." }) },
      },
    },
    async (request, reply) => {
      const ids = request.body.data.map((entry) => entry.id);
      await deletePoolTags(request.ctx, request.params.organization_name, ids);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/tags/:tag_id",
    {
      schema: {
        operationId: "readTag",
        summary: "Read a tag",
        tags: TAGS,
        params: tagParams,
        response: { 200: tagDocument },
      },
    },
    async (request) => {
      const tag = await readTag(request.ctx, request.params.tag_id);
      return { data: renderTag(request.ctx, tag.organizationName, tag) };
    },
  );

  app.patch(
    "/tags/:tag_id",
    {
      schema: {
        operationId: "renameTag",
        summary: "Rename a tag; workspaces keep it",
        tags: TAGS,
        params: tagParams,
        body: renameBody,
        response: { 200: tagDocument },
      },
    },
    async (request) => {
      const tag = await renamePoolTag(request.ctx, request.params.tag_id, request.body.data.attributes?.name);
      return { data: renderTag(request.ctx, tag.organizationName, tag) };
    },
  );
  done();
};
