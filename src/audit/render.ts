/** Audit records as answers show them. */
import type { RenderScope, Scope } from "../rights/scope.ts";
import { recordLine } from "../records/line.ts";
import { type AuditRecord, rowOf } from "../records/record.ts";

/** Whether the caller may know the policies of a token that lies there. */
export type SeesPolicies = (home: Scope) => boolean;

/** The members of its detail, such as who did it from where, and what was changed. */
type Detail = Readonly<Record<string, unknown>>;

/**
 * As `/v1` shows one.
 *
 * @param isWhole whether the caller sees all of the partition: to others its place in the chain would tell how much is
 * written elsewhere
 */
export function renderAudit(
  record: AuditRecord,
  renderScope: RenderScope,
  { isWhole, seesPolicies }: { isWhole: boolean; seesPolicies: SeesPolicies },
) {
  const { authMethod, identity, address, userAgent, route, traceparent, changeReason, changes, ...rest } =
    detailOf(record);
  const more = withoutPolicies(rest, seesPolicies);
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
    ChangeReason: changeReason,
    Changes: changes,
    Detail: Object.keys(more).length === 0 ? undefined : more,
    ...(isWhole && { Chain: record.chain, Seq: record.seq, Hash: record.hash }),
    Damaged: record.isDamaged,
  };
}

/**
 * As `/api/v2` shows one.
 *
 * @param isWhole whether the caller may read every workspace: to others its place in the chain would tell how much is done
 * elsewhere, and what it says of other workspaces which there are
 */
export function renderAuditResource(
  record: AuditRecord,
  organizationName: string,
  { isWhole, seesPolicies }: { isWhole: boolean; seesPolicies: SeesPolicies },
) {
  const { authMethod, identity, address, userAgent, route, traceparent, changeReason, changes, ...rest } =
    detailOf(record);
  const more = withoutPolicies(rest, seesPolicies);
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
      ...(changeReason !== undefined && { "change-reason": changeReason }),
      changes: changes ?? null,
      detail: Object.keys(more).length === 0 || (!isWhole && NAMES_OTHERS.has(record.action)) ? null : more,
      // The chain of what stands above organizations is nobody's in one of them.
      ...(isWhole && isOwn(record) && { chain: record.chain, seq: record.seq, hash: record.hash }),
      ...(record.isDamaged === true && { damaged: true }),
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
 * Hides policies: a caller that sees the objects of an organization, or was denied there, does not need to know who has
 * which policies of the server.
 */
function withoutPolicies(detail: Detail, seesPolicies: SeesPolicies): Detail {
  const decision = detail["decision"] as (Detail & { decidedBy: string; home?: Scope }) | undefined;
  if (decision === undefined) return detail;
  const { home, ...shown } = decision;
  const isSeen = shown["rule"] === undefined || (home !== undefined && seesPolicies(home));
  return { ...detail, decision: isSeen ? shown : { decidedBy: decision.decidedBy } };
}

/** Permissions of a caller that exports records of an organization. */
export interface Exporter {
  /** Whether the caller may read every workspace. */
  isWhole: boolean;
  /** Whether the caller may read the operator data of the server, and so the reason for any denial. */
  isOperator: boolean;
  seesPolicies: SeesPolicies;
}

/**
 * A line of an export: all of a record for who sees the organization's chains whole, else as the list shows it.
 *
 * @returns undefined for one that is in lists alone, since it is of a chain that the caller does not see whole: a record of
 * which something is left out does not have its hash
 */
export function organizationLine(
  record: AuditRecord,
  organizationName: string,
  exporter: Exporter,
): string | undefined {
  if (!exporter.isWhole) return JSON.stringify(renderAuditResource(record, organizationName, exporter));
  if (record.outcome === "refused" && !exporter.isOperator) return undefined;
  return isOwn(record) ? lineOf(record) : undefined;
}

/** As files and webhooks are given one. */
export function lineOf(record: AuditRecord): string {
  const { chain, seq, hash, isDamaged } = record;
  // No line of a record: whoever verifies a file with it is told at this line.
  return isDamaged === true ? JSON.stringify({ type: "damaged", chain, seq, hash }) : recordLine(rowOf(record));
}

function detailOf({ detail }: AuditRecord): Detail {
  return JSON.parse(detail) as Detail;
}
