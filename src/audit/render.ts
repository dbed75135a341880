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

/**
 * As `/api/v2` shows one.
 *
 * @param isWhole whether the caller may read every workspace: to others its place in the chain would tell how much is done
 * elsewhere, and what it says of other workspaces which there are
 */
export function renderAuditResource(record: AuditRecord, organizationName: string, isWhole: boolean) {
  const { authMethod, identity, address, userAgent, route, traceparent, changes, ...more } = detailOf(record);
  return {
    id: record.hash,
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
      detail: Object.keys(more).length === 0 || (!isWhole && NAMES_OTHERS.has(record.action)) ? null : more,
      // The chain of what stands above organizations is nobody's in one of them.
      ...(isWhole && isOwn(record) && { chain: record.chain, seq: record.seq, hash: record.hash }),
    },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  };
}

/** Actions on a workspace whose detail names others. */
const NAMES_OTHERS: ReadonlySet<string> = new Set(["change-state-consumers"]);

function isOwn({ chain }: AuditRecord): boolean {
  return chain !== "root";
}

/**
 * A line of an export: all of a record for who sees the organization's chains whole, else as the list shows it.
 *
 * @returns undefined for one that is in lists alone, since it is of a chain that nobody sees whole
 */
export function organizationLine(record: AuditRecord, organizationName: string, isWhole: boolean): string | undefined {
  if (!isWhole) return JSON.stringify(renderAuditResource(record, organizationName, false));
  return isOwn(record) ? lineOf(record) : undefined;
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
