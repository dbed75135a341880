/** Parameters of requests for audit records, and examples of the answers. */
import { Type } from "typebox";
import { parameter, shapeOf } from "../http/jsonapi/schema.ts";
import { AppError } from "../errors.ts";
import type { QueryParameters } from "../http/query.ts";
import { FILE_TYPES } from "../http/file-types.ts";
import { MEDIA_TYPE } from "../http/jsonapi/errors.ts";
import { renderAudit, renderAuditResource } from "./render.ts";
import type { AuditRecord } from "../records/record.ts";
import type { AuditFilter } from "../records/store.ts";

/** Parameters of both families, by what they are in the filter. */
const PARAMETERS = {
  actor: { name: "actor", about: "AccessorID of the actor's token." },
  kind: { name: "kind", about: "Kind of the object, such as token or workspace." },
  object: { name: "object", about: "ID of the object." },
  action: { name: "action", about: "Action, such as create, update, delete or login." },
  outcome: { name: "outcome", about: "done or refused." },
  requestId: { name: "request-id", about: "ID of the request." },
  from: { name: "from", about: "From this time on (RFC 3339)." },
  to: { name: "to", about: "Before this time (RFC 3339)." },
} as const;

type Entry = [keyof AuditFilter, { name: string; about: string }];
const ENTRIES = Object.entries(PARAMETERS) as Entry[];

/** As the OpenAPI document describes them. */
export const V1_FILTERS: Record<string, string> = Object.fromEntries(
  ENTRIES.map(([, { name, about }]) => [name, about]),
);

export const API_FILTERS = Object.fromEntries(
  ENTRIES.map(([, { name, about }]) => [`filter[${name}]`, parameter(about)]),
);

/** @param spell gives the spelling of a parameter @throws AppError `bad_parameter` */
export function readFilter(query: QueryParameters, spell: (name: string) => string): AuditFilter {
  const read = ([member, { name }]: Entry) => {
    const value = query[spell(name)];
    if (value === undefined || (member !== "from" && member !== "to")) return [member, value];
    return [member, readTime(value, spell(name))];
  };
  const filter = Object.fromEntries(ENTRIES.map(read)) as unknown as AuditFilter;
  if (filter.outcome === undefined || filter.outcome === "done" || filter.outcome === "refused") return filter;
  throw new AppError("bad_parameter", `Invalid ${spell("outcome")}: expected done or refused`);
}

const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads a time in RFC 3339. @returns ISO 8601 in UTC with milliseconds @throws AppError `bad_parameter` */
export function readTime(text: string, name: string): string {
  const day = TIME.exec(text)?.[1];
  const milliseconds = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new AppError("bad_parameter", `Invalid ${name}: expected a time such as 2026-11-24T15:04:05Z`);
  }
  return new Date(milliseconds).toISOString();
}

/** Not one that is taken for a later one, as the 30th of February is. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const EXAMPLE: AuditRecord = {
  chain: "partition/default",
  seq: 42,
  at: "2026-11-24T15:04:05.678Z",
  partition: "default",
  namespace: "default",
  organizationId: "",
  accessorId: "6a1253d2-1785-24fd-91c2-f8e78c745511",
  kind: "policy",
  objectId: "5f1a2b3c-0000-4000-8000-0123456789ab",
  name: "readers",
  action: "update",
  outcome: "done",
  requestId: "1f0c2a9b7d3e-1a",
  detail: JSON.stringify({
    address: "192.0.2.7",
    userAgent: "go-http-client/1.1",
    route: "PUT /v1/acl/policy/:id",
    changes: { Description: ["", "May read"], ModifyIndex: [17, 18] },
  }),
  hash: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
};

const EVERYTHING = { isWhole: true, seesPolicies: () => true };
const EXAMPLE_V1 = JSON.parse(JSON.stringify(renderAudit(EXAMPLE, (scope) => scopeOf(scope), EVERYTHING))) as object;

function scopeOf({ namespace, partition }: { namespace: string; partition: string }) {
  return { Namespace: namespace, Partition: partition };
}

const auditList = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: "Audit records, newest first. A record with a wrong hash has `Damaged: true` and no content.",
  examples: [[EXAMPLE_V1]],
});

const ORGANIZATION_EXAMPLE: AuditRecord = {
  ...EXAMPLE,
  chain: "organization/org-J7mhGZZBdEfAHf2j",
  partition: "",
  namespace: "",
  organizationId: "org-J7mhGZZBdEfAHf2j",
  kind: "tag",
  objectId: "tag-AhTWhVVdAWLSXTXc",
  name: "prod",
  action: "rename",
  detail: JSON.stringify({
    address: "192.0.2.7",
    route: "PATCH /api/v2/tags/:tag_id",
    changes: { name: ["prod", "production"] },
  }),
};

const NEXT = "https://tessera.example/…?page%5Bafter%5D=MTc5";

const auditPage = Type.Object(
  {
    data: Type.Array(Type.Object({}, { additionalProperties: true })),
    links: shapeOf({ self: NEXT, next: NEXT }, { next: Type.Union([Type.String(), Type.Null()]) }),
  },
  {
    description:
      "Page of audit records, newest first; `links.next` is the next page. A record with a wrong hash " +
      "has the attribute `damaged` and no content.",
    examples: [
      { data: [renderAuditResource(ORGANIZATION_EXAMPLE, "acme", EVERYTHING)], links: { self: NEXT, next: NEXT } },
    ],
  },
);

const lines = Type.String({
  description: "One JSON line per record, oldest first; all records, without pages.",
  examples: ['{"time":"2026-11-24T15:04:05.678Z","outcome":"done","action":"update","kind":"policy",…}\n'],
});

/** As JSON, or as lines where the request accepts those. */
export const auditListAnswer = {
  description: "The records.",
  content: { "application/json": { schema: auditList }, [FILE_TYPES.jsonl]: { schema: lines } },
};

export const auditDocument = {
  description: "Page of audit records.",
  content: { [MEDIA_TYPE]: { schema: auditPage }, [FILE_TYPES.jsonl]: { schema: lines } },
};
