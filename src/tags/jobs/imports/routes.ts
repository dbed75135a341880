import { Readable } from "node:stream";
import { Type } from "typebox";
import { AppError } from "../../../errors.ts";
import { FILE_TYPES, formatOf } from "../../../http/file-types.ts";
import { mediaTypeOf } from "../../../http/jsonapi/body.ts";
import type { ApiRoutes } from "../../../http/jsonapi/jsonapi.ts";
import { readFlag, type QueryParameters } from "../../../http/query.ts";
import { createOwnedLane } from "../../../limits/owned-lane.ts";
import { jobDocument } from "../schema.ts";
import { renderJob } from "../render.ts";
import { IMPORT_MODES, type ImportMode } from "./plan.ts";
import { MAX_FILE_BYTES, tooLarge } from "./receive.ts";
import { renderPreview } from "./render.ts";
import { importedFile, importQuery, previewDocument } from "./schema.ts";
import { importFile, previewFile } from "./service.ts";

const SCHEMA = {
  operationId: "importTags",
  summary: "Import tags from a file, or preview it",
  description: "The import runs as a job.",
  tags: ["Export and import"],
  params: Type.Object({ organization_name: Type.String() }),
  querystring: importQuery,
  response: { 200: previewDocument, 201: jobDocument },
};

/** Imports of files like those that are exported. */
export const tagImportRoutes: ApiRoutes = (app, _options, done) => {
  const previews = createOwnedLane("importPreviews", 2, "Too many previews are running");
  app.post<{ Params: { organization_name: string }; Querystring: QueryParameters }>(
    "/organizations/:organization_name/tag-imports",
    { config: { takes: { types: Object.values(FILE_TYPES), described: importedFile } }, schema: SCHEMA },
    async ({ ctx, params, query, headers, body }, reply) => {
      if (Number(headers["content-length"] ?? 0) > MAX_FILE_BYTES) throw tooLarge();
      const asked = {
        format: formatOf(mediaTypeOf(headers["content-type"])) ?? "jsonl",
        mode: readMode(query["mode"]),
        body: body instanceof Readable ? body : Readable.from([]),
      };
      if (readFlag(query, "preview") === true) {
        const { id, preview } = await previewFile(ctx, previews, params.organization_name, asked);
        return { data: renderPreview(id, asked.mode, preview) };
      }
      const job = await importFile(ctx, params.organization_name, asked);
      void reply.code(201);
      return { data: renderJob(job) };
    },
  );
  done();
};

/** @throws AppError `bad_parameter` */
function readMode(text = "merge"): ImportMode {
  const mode = IMPORT_MODES.find((each) => each === text);
  if (mode === undefined) throw new AppError("bad_parameter", "Invalid mode: expected merge or replace");
  return mode;
}
