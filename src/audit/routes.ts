import { Type } from "typebox";
import type { RenderScope } from "../acl/scope.ts";
import { apiRoutes } from "../http/jsonapi.ts";
import { parameter } from "../http/jsonapi-schema.ts";
import { baseUrl, readPage } from "../http/pagination.ts";
import type { Query } from "../http/query.ts";
import { pathOf } from "../http/route-table.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { ANY_NAMESPACE_PARAMETER, operation, PAGE_PARAMETERS, SCOPE_PARAMETERS } from "../http/v1/operation.ts";
import { serveList } from "../http/v1/reads/listing.ts";
import { AUDIT } from "../storage/recorded.ts";
import { renderAudit, renderAuditResource } from "./render.ts";
import { API_FILTERS, auditDocument, auditListAnswer, readFilter, V1_FILTERS } from "./schema.ts";
import type { AuditRecord } from "./store.ts";
import { listOrganizationAudit, listPartitionAudit, sightOfAudit } from "./service.ts";

/** `GET /v1/audit`. */
export function auditRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "listAudit",
      summary: "List what was done in a namespace or a partition, and what was refused, the newest first",
      tag: "Audit",
      query: { ...SCOPE_PARAMETERS.namespace, ...ANY_NAMESPACE_PARAMETER, ...PAGE_PARAMETERS, ...V1_FILTERS },
      answer: auditListAnswer,
    });
    const list = serveList({
      tables: [AUDIT],
      sharing: "own",
      sight: ({ ctx, scope }) => sightOfAudit(ctx, scope),
      of({ ctx, scope, query }) {
        const list = listPartitionAudit(
          ctx,
          scope,
          readFilter(query as Query, (name) => name),
        );
        return { ...list, render: (record: AuditRecord) => renderAudit(record, renderScope, list.isWhole) };
      },
    });
    app.get("/audit", { config: { read: true, anyNamespace: true }, schema }, list);
    done();
  };
}

/** `GET /api/v2/organizations/:name/audit`. */
export const organizationAuditRoutes = apiRoutes("Audit", (on) => {
  on.readOwn("/organizations/:organization_name/audit", {
    operationId: "listOrganizationAudit",
    summary: "List what was done in an organization, and what was refused, the newest first",
    query: organizationQuery(),
    answer: auditDocument,
    async handle(request) {
      const { ctx, params, query } = request;
      const filter = readFilter(query, (name) => `filter[${name}]`);
      const page = { after: query["page[after]"] ?? "", size: readPage(query).size };
      const found = await listOrganizationAudit(ctx, params.organization_name, filter, page);
      const { url = "/" } = request.raw;
      const here = `${baseUrl(request)}${pathOf(url)}`;
      const rest = new URLSearchParams(url.slice(pathOf(url).length));
      if (found.next !== undefined) rest.set("page[after]", found.next);
      return {
        data: found.records.map((record) => renderAuditResource(record, found.organizationName)),
        links: { self: `${baseUrl(request)}${url}`, next: found.next === undefined ? null : `${here}?${rest}` },
      };
    },
  });
});

function organizationQuery() {
  return Type.Object({
    ...API_FILTERS,
    "page[size]": parameter("Records per page, 100 at most; 20 when left out."),
    "page[after]": parameter("Where the page begins, as `links.next` of the page before says it."),
  });
}
