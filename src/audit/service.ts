/**
 * Reads the audit records of a partition and of an organization. The records of a partition are for callers that may
 * read its operator data. A caller that may read `acl` objects of a namespace sees the records of that namespace.
 * Implements `GET /v1/audit` and `GET /api/v2/organizations/:name/audit`.
 */
import { accessibleOrganization } from "../organizations/access.ts";
import { authorize, checkAllowed, visibleWorkspaces } from "../rights/authorize.ts";
import type { ListOf } from "../lists/page.ts";
import { checkListScope, type ListScope } from "../rights/permission.ts";
import { ANY_NAMESPACE, DEFAULT_SCOPE, type Scope } from "../rights/scope.ts";
import { sightOfObjects, type Sight } from "../rights/sight.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { seesAll } from "../storage/reads/conditions.ts";
import { findOrganization } from "../organizations/store.ts";
import { AUDIT } from "../storage/writes/recorded.ts";
import { createPlaces } from "../records/place.ts";
import {
  findDeletedOrganization,
  listOfOrganization,
  listOfPartition,
  type AuditFilter,
  type AuditPage,
} from "../records/store.ts";
import type { AuditPlace, AuditRecord, AuditSlice } from "../records/record.ts";

export type { AuditRecord } from "../records/record.ts";

/** Table that requests watch while they wait for audit records. */
export const AUDIT_TABLE = AUDIT;

/** Returns the part of a scope's records that the caller may see. */
export function sightOfAudit({ actor }: Pick<Context, "actor">, scope: Scope): Sight {
  return seesPartition(actor, scope) ? "all" : sightOfObjects(actor, scope);
}

function seesPartition(actor: Context["actor"], scope: Scope): boolean {
  return authorize(actor, "operator", "", "read", scope);
}

/**
 * Makes what says whether the caller may know the policies of a token that lies in a namespace: those are in that one, or in
 * `default` of the same partition.
 */
export function policySight({ actor }: Pick<Context, "actor">): (home: Scope) => boolean {
  return (home) => {
    const common = { ...home, namespace: DEFAULT_SCOPE.namespace };
    if (seesPartition(actor, common)) return true;
    return [home, common].every((scope) => authorize(actor, "acl", "", "read", scope));
  };
}

/**
 * The records of a namespace, or with `*` of all that the caller may see of a partition, the newest first; and whether the
 * caller sees all of the partition.
 *
 * @throws AppError `forbidden`
 */
export function listPartitionAudit(
  ctx: Context,
  asked: Scope,
  filter: AuditFilter,
): ListOf<AuditRecord> & { isWhole: boolean } {
  const isWhole = seesPartition(ctx.actor, asked);
  const scope = auditScope(ctx, asked);
  const places = createPlaces(ctx.db.keyring);
  return {
    isWhole,
    slice: ({ after, search, size }) =>
      whole(size, places.open(after), (page) =>
        listOfPartition(ctx.db.long, scope, { filter, search, showsDamaged: true, ...page }),
      ),
    keyOf: places.seal,
    isFiltered: () => Promise.resolve(!isWhole && asked.namespace === ANY_NAMESPACE),
  };
}

const EVERYTHING: NonNullable<ListScope["visible"]> = { ranges: [{ from: "", to: undefined }], names: [], except: [] };

/**
 * The scope whose records a caller sees.
 *
 * @throws AppError `forbidden`
 */
export function auditScope(ctx: Context, asked: Scope): ListScope {
  if (!seesPartition(ctx.actor, asked)) return checkListScope(ctx, asked);
  return asked.namespace === ANY_NAMESPACE ? { ...asked, visible: EVERYTHING } : asked;
}

export interface OrganizationAudit {
  organizationName: string;
  records: AuditRecord[];
  /** Start of the next page; undefined when there is none. */
  next: string | undefined;
  /** Whether the caller may read every workspace. */
  isWhole: boolean;
}

/**
 * A page of the records of an organization, the newest first.
 *
 * @param name or the `external-id` of one that has been deleted, for who may read one of its name
 * @throws AppError `not_found` when it is missing or may not be read, `bad_parameter`
 */
export async function listOrganizationAudit(
  ctx: Context,
  name: string,
  filter: AuditFilter,
  page: { after: string; size: number },
): Promise<OrganizationAudit> {
  const { id, name: organizationName } = await organizationOf(ctx, name);
  const places = createPlaces(ctx.db.keyring);
  const after = places.open(page.after);
  const workspaces = visibleWorkspaces(ctx.actor, organizationName);
  const asked = { filter, search: "", after, size: page.size, showsDamaged: true };
  const { records, isLast } = await listOfOrganization(ctx.db.long, id, workspaces, asked);
  const last = records.at(-1);
  const next = isLast || last === undefined ? undefined : places.seal(last);
  return { organizationName, records, next, isWhole: seesAll(workspaces) };
}

/** Size of a slice of an export: a client that stops reading leaves a few slices in memory. */
const SLICE = { size: 200, bytes: 128 * 1024, showsDamaged: true };

/**
 * Returns the context with the current actor, with which an export continues.
 *
 * @throws AppError when the token is gone
 */
type Asking = () => Promise<Context>;

/**
 * All records of an organization that the caller may see, the oldest first, slice by slice; rights are asked for each.
 *
 * @throws AppError as `listOrganizationAudit`, before it is read from
 */
export async function exportOrganizationAudit(
  asking: Asking,
  name: string,
  filter: AuditFilter,
): Promise<{
  slices: AsyncGenerator<AuditRecord[]>;
  organizationName: string;
  isWhole: boolean;
  /** Whether the caller may read the operator data of the server. */
  isOperator: boolean;
}> {
  const first = await asking();
  const { name: organizationName } = await organizationOf(first, name);
  const slices = inSlices(async (page) => {
    const ctx = await asking();
    const organization = await organizationOf(ctx, name);
    const workspaces = visibleWorkspaces(ctx.actor, organization.name);
    return listOfOrganization(ctx.db.long, organization.id, workspaces, { filter, ...page });
  });
  const isWhole = seesAll(visibleWorkspaces(first.actor, organizationName));
  return { slices, organizationName, isWhole, isOperator: seesPartition(first.actor, DEFAULT_SCOPE) };
}

/**
 * The same of a namespace, or with `*` of all that the caller may see of a partition.
 *
 * @throws AppError `forbidden`, before it is read from
 */
export async function exportPartitionAudit(
  asking: Asking,
  asked: Scope,
  filter: AuditFilter,
): Promise<{ slices: AsyncGenerator<AuditRecord[]>; isWhole: boolean }> {
  const ctx = await asking();
  auditScope(ctx, asked);
  const slices = inSlices(async (page) => {
    const now = await asking();
    return listOfPartition(now.db.long, auditScope(now, asked), { filter, ...page });
  });
  return { slices, isWhole: seesPartition(ctx.actor, asked) };
}

type ReadSlice<P = Omit<AuditPage, "filter">> = (page: P) => Promise<AuditSlice>;

async function* inSlices(read: ReadSlice): AsyncGenerator<AuditRecord[]> {
  let after: AuditPlace | undefined;
  for (;;) {
    const { records, isLast } = await read({ after, ...SLICE, search: "", isAscending: true });
    if (records.length > 0) yield records;
    after = records.at(-1);
    if (isLast) return;
  }
}

/** Reads the full number of records, also where they are long. */
async function whole(
  size: number,
  after: AuditPlace | undefined,
  read: ReadSlice<Pick<AuditPage, "after" | "size">>,
): Promise<AuditRecord[]> {
  const all: AuditRecord[] = [];
  for (let from = after; all.length < size; from = all.at(-1)) {
    const { records, isLast } = await read({ after: from, size: size - all.length });
    all.push(...records);
    if (isLast) break;
  }
  return all;
}

async function organizationOf(ctx: Context, name: string): Promise<{ id: string; name: string }> {
  const found = await findOrganization(ctx.db, name);
  if (found !== undefined || !/^org-\w+$/.test(name)) return accessibleOrganization(ctx, found, "read");
  const deleted = await findDeletedOrganization(ctx.db, name);
  if (deleted === undefined) throw notFound("organization");
  checkAllowed(ctx, "organization", "organization", deleted, "read");
  return { id: name, name: deleted };
}
