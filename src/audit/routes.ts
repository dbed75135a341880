import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { RenderScope } from "../rights/scope.ts";
import type { Context } from "../context.ts";
import { FILE_TYPES } from "../http/file-types.ts";
import { apiRoutes } from "../http/jsonapi/jsonapi.ts";
import { parameter } from "../http/jsonapi/schema.ts";
import { baseUrl, readPage } from "../http/jsonapi/pagination.ts";
import type { QueryParameters } from "../http/query.ts";
import { pathOf } from "../http/route-table.ts";
import { streamList } from "../http/sending/streamed-lists.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { ANY_NAMESPACE_PARAMETER, operation, PAGE_PARAMETERS, SCOPE_PARAMETERS } from "../http/v1/operation.ts";
import { serveList } from "../http/v1/reads/listing.ts";
import { listTurns } from "../list-work.ts";
import { lineOf, organizationLine, renderAudit, renderAuditResource } from "./render.ts";
import { API_FILTERS, auditDocument, auditListAnswer, readFilter, V1_FILTERS } from "./schema.ts";
import {
  AUDIT_TABLE,
  exportOrganizationAudit,
  exportPartitionAudit,
  listOrganizationAudit,
  listPartitionAudit,
  policySight,
  sightOfAudit,
  type AuditRecord,
} from "./service.ts";

/** `GET /v1/audit`. */
export function auditRoutes(renderScope: RenderScope): V1Routes {
  const filterOf = ({ query }: FastifyRequest) => readFilter(query as QueryParameters, (name) => name);
  const serve = serveList({
    tables: [AUDIT_TABLE],
    sharing: "own",
    sight: ({ ctx, scope }) => sightOfAudit(ctx, scope),
    of(request) {
      const list = listPartitionAudit(request.ctx, request.scope, filterOf(request));
      const { isWhole } = list;
      const seesPolicies = policySight(request.ctx);
      return {
        ...list,
        render: (record: AuditRecord) => renderAudit(record, renderScope, { isWhole, seesPolicies }),
      };
    },
  });
  async function sendLines(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { slices, isWhole } = await exportPartitionAudit(asking(request), request.scope, filterOf(request));
    countExport(request, reply);
    const seesPolicies = policySight(request.ctx);
    const plain = (record: AuditRecord) =>
      JSON.stringify(renderAudit(record, renderScope, { isWhole: false, seesPolicies }));
    return reply.type(FILE_TYPES.jsonl).send(inLines(request, slices, isWhole ? lineOf : plain));
  }
  return (app, _options, done) => {
    const schema = operation({
      operationId: "listAudit",
      summary: "List audit records",
      description: "Records of a namespace or a partition, newest first, including denied requests.",
      tag: "Audit",
      query: { ...SCOPE_PARAMETERS.namespace, ...ANY_NAMESPACE_PARAMETER, ...PAGE_PARAMETERS, ...V1_FILTERS },
      answer: auditListAnswer,
    });
    app.get(
      "/audit",
      { config: { read: true, anyNamespace: true, outsideShares: "management" }, schema },
      (request, reply) => (wantsLines(request) ? sendLines(request, reply) : serve(request, reply)),
    );
    done();
  };
}

/** `GET /api/v2/organizations/:name/audit`. */
export const organizationAuditRoutes = apiRoutes("Audit", (on) => {
  on.readOwn("/organizations/:organization_name/audit", {
    operationId: "listOrganizationAudit",
    summary: "List the audit records of an organization",
    description: "Newest first, including denied requests.",
    query: Type.Object({
      ...API_FILTERS,
      "page[size]": parameter("Records per page. Maximum: 100. Default: 20."),
      "page[after]": parameter("Cursor of the page, from `links.next` of the previous page."),
    }),
    answer: auditDocument,
    outsideShares: "management",
    async handle(request, reply) {
      const { ctx, params, query } = request;
      const filter = readFilter(query, (name) => `filter[${name}]`);
      const name = params.organization_name;
      if (wantsLines(request)) {
        const { slices, organizationName, ...rest } = await exportOrganizationAudit(asking(request), name, filter);
        const exporter = { ...rest, seesPolicies: policySight(ctx) };
        countExport(request, reply);
        reply.type(FILE_TYPES.jsonl);
        return inLines(request, slices, (record) => organizationLine(record, organizationName, exporter));
      }
      const page = { after: query["page[after]"] ?? "", size: readPage(query).size };
      const { records, organizationName, next, isWhole } = await listOrganizationAudit(ctx, name, filter, page);
      const sight = { isWhole, seesPolicies: policySight(ctx) };
      const data = records.map((record) => renderAuditResource(record, organizationName, sight));
      return { data, links: linksOf(request, next) };
    },
  });
});

/** @param after where the next page begins; undefined when there is none */
function linksOf(request: FastifyRequest, after: string | undefined) {
  const { url = "/" } = request.raw;
  const path = pathOf(url);
  const self = `${baseUrl(request)}${url}`;
  if (after === undefined) return { self, next: null };
  const parameters = new URLSearchParams(url.slice(path.length));
  parameters.set("page[after]", after);
  return { self, next: `${baseUrl(request)}${path}?${parameters.toString()}` };
}

function wantsLines({ headers }: FastifyRequest): boolean {
  return headers.accept?.toLowerCase().includes(FILE_TYPES.jsonl) === true;
}

/** Makes the function that returns the context with the current actor. */
function asking(request: FastifyRequest): () => Promise<Context> {
  return async () => ({ ...request.ctx, actor: await request.server.actorOf(request) });
}

function inLines(
  request: FastifyRequest,
  slices: AsyncGenerator<AuditRecord[]>,
  line: (record: AuditRecord) => string | undefined,
): Readable {
  async function* texts() {
    for await (const records of slices) yield await listTurns.run(lines(records, line));
  }
  return streamList(request, texts());
}

function* lines(
  records: readonly AuditRecord[],
  line: (record: AuditRecord) => string | undefined,
): Generator<void, string> {
  let text = "";
  for (const record of records) {
    const each = line(record);
    if (each !== undefined) text += `${each}\n`;
    yield;
  }
  return text;
}

/** Counts an export until its answer is out. @throws AppError `rate_limited` */
function countExport({ server, ctx, caller }: FastifyRequest, { raw }: FastifyReply): void {
  if (raw.destroyed) return;
  raw.once("close", server.reads.exports.enter(caller.owner, ctx.actor.isManagement === true));
}
