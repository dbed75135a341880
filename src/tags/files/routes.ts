import { Type } from "typebox";
import { AppError } from "../../errors.ts";
import { FILE_TYPES } from "../../http/file-types.ts";
import type { ApiRoutes } from "../../http/jsonapi/jsonapi.ts";
import type { QueryParameters } from "../../http/query.ts";
import { streamList } from "../../http/sending/streamed-lists.ts";
import { exportTags } from "./export.ts";
import type { FileFormat } from "./records.ts";
import { exportedFile, formatQuery } from "./schema.ts";

const SCHEMA = {
  operationId: "exportTags",
  summary: "Export the tags of an organization",
  description: "The file contains tags, tag keys with values, and the tag policy.",
  tags: ["Export and import"],
  params: Type.Object({ organization_name: Type.String() }),
  querystring: Type.Object(formatQuery),
  response: { 200: exportedFile },
};

/** Files of what an organization has of tags. */
export const tagFileRoutes: ApiRoutes = (app, _options, done) => {
  app.get<{ Params: { organization_name: string }; Querystring: QueryParameters }>(
    "/organizations/:organization_name/tags/export",
    { schema: SCHEMA },
    async (request, reply) => {
      const { ctx, params, query, headers } = request;
      const format = readFormat(query["format"], headers.accept);
      const text = await exportTags(ctx, params.organization_name, format, () => request.server.actorOf(request));
      return reply
        .header("content-type", FILE_TYPES[format])
        .header("content-disposition", `attachment; filename="tags.${format}"`)
        .send(streamList(request, text));
    },
  );
  done();
};

/** @throws AppError `bad_parameter` */
function readFormat(format: string | undefined, accept: string | undefined): FileFormat {
  if (format === "csv" || format === "jsonl") return format;
  if (format !== undefined) throw new AppError("bad_parameter", "Invalid format: expected csv or jsonl");
  return accept?.toLowerCase().includes(FILE_TYPES.csv) === true ? "csv" : "jsonl";
}
