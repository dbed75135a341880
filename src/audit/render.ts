/** Audit records as answers show them. */
import type { RenderScope } from "../acl/scope.ts";
import { recordLine } from "./line.ts";
import type { AuditRecord } from "./store.ts";

/** The members of its detail, such as who did it from where, and what was changed. */
type Detail = Readonly<Record<string, unknown>>;

/**
 * As `/v1` shows one.
 *
 * @param isWhole whether the caller sees all of the partition: to others its place in the chain would tell how much is
 * written elsewhere
 */
export function renderAudit(record: AuditRecord, renderScope: RenderScope, isWhole: boolean) {
  const { authMethod, identity, address, userAgent, route, traceparent, changes, ...more } = detailOf(record);
  return {
    Time: record.at,
    Outcome: record.outcome,
    Action: record.action,
    Kind: record.kind,
    ID: record.objectId,
    Name: record.name,
    ...renderScope(record),
    Actor: {
      AccessorID: record.accessorId,
      AuthMethod: authMethod,
      Identity: identity,
      Address: address,
      UserAgent: userAgent,
    },
    RequestID: record.requestId,
    Route: route,
    Traceparent: traceparent,
    Changes: changes,
    Detail: Object.keys(more).length === 0 ? undefined : more,
    ...(isWhole && { Chain: record.chain, Seq: record.seq, Hash: record.hash }),
  };
}

/** As `/api/v2` shows one. */
export function renderAuditResource(record: AuditRecord, organizationName: string) {
  const { authMethod, identity, address, userAgent, route, traceparent, changes, ...more } = detailOf(record);
  return {
    id: `${record.chain}/${record.seq}`,
    type: "audit-records" as const,
    attributes: {
      time: record.at,
      outcome: record.outcome,
      action: record.action,
      kind: record.kind,
      "object-id": record.objectId,
      name: record.name,
      actor: {
        "accessor-id": record.accessorId,
        "auth-method": authMethod ?? null,
        identity: identity ?? null,
        address: address ?? null,
        "user-agent": userAgent ?? null,
      },
      "request-id": record.requestId,
      route: route ?? null,
      traceparent: traceparent ?? null,
      changes: changes ?? null,
      detail: Object.keys(more).length === 0 ? null : more,
      chain: record.chain,
      seq: record.seq,
      hash: record.hash,
    },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  };
}

/** As files and webhooks are given one. */
export function lineOf(record: AuditRecord): string {
  const { organizationId, accessorId, objectId, requestId, ...rest } = record;
  return recordLine({
    ...rest,
    organization_id: organizationId,
    accessor_id: accessorId,
    object_id: objectId,
    request_id: requestId,
  });
}

function detailOf({ detail }: AuditRecord): Detail {
  return JSON.parse(detail) as Detail;
}
