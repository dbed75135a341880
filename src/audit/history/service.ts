/**
 * Earlier versions of an object, from its audit records: they hold what each write changed, so a version is the present object
 * with the later changes taken back. Implements `GET /v1/acl/history`. A version is restored by an ordinary write of its content:
 * the permissions, checks and records are those of that write.
 */
import type { Context } from "../../context.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { roleStore } from "../../acl/roles/store.ts";
import { AppError } from "../../errors.ts";
import type { AuditRecord } from "../../records/record.ts";
import { withoutChange, type RecordedObject } from "../../records/changes.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";
import { listPartitionAudit } from "../service.ts";
import { HISTORY_KINDS, type HistoryKind, type Recorded } from "./kinds.ts";

/** Maximum number of versions. */
export const MOST_VERSIONS = 100;

const NO_NAMES: ObjectVersion["names"] = new Map();

/** A version of an object. */
export interface ObjectVersion {
  /** ModifyIndex that the object had. */
  version: number;
  /** The write that made it. */
  record: AuditRecord;
  kind: HistoryKind["kind"];
  content: Recorded;
  /** The object as it is now. */
  present: Recorded;
  /** Present names of the policies and roles that the version links to, by ID; only for one version. */
  names: ReadonlyMap<string, string>;
}

/** Object whose versions are asked for. */
export interface AskedHistory {
  kind: HistoryKind;
  /** ID or name. */
  key: string;
}

/** @throws AppError `bad_parameter` when none or several are named */
export function readAskedHistory(query: Readonly<Record<string, string | undefined>>): AskedHistory {
  const given = Object.entries(HISTORY_KINDS).filter(([parameter]) => (query[parameter] ?? "") !== "");
  const [first] = given;
  if (first === undefined || given.length > 1) {
    throw new AppError("bad_parameter", `Set exactly one of ${Object.keys(HISTORY_KINDS).join(", ")}`);
  }
  const [parameter, kind] = first;
  return { kind, key: query[parameter] ?? "" };
}

/**
 * Lists the versions of an object, newest first, as far as its audit records go.
 *
 * @throws AppError `not_found`, `forbidden` for callers that may not read the object or its records
 */
export async function listVersions(ctx: Context, scope: Scope, { kind, key }: AskedHistory): Promise<ObjectVersion[]> {
  const present = await kind.present(ctx, scope, key);
  const records = await recordsOf(ctx, present.scope, kind, present.objectId);
  const versions: ObjectVersion[] = [];
  let state: RecordedObject = present.recorded;
  for (const record of records) {
    const changes = changesOf(record);
    const made = indexIn(changes);
    if (state === undefined || made === undefined || made > indexOf(state)) continue;
    // A record that is damaged or pruned: what was before it is not known.
    if (made < indexOf(state)) break;
    versions.push({
      version: made,
      record,
      kind: kind.kind,
      content: state,
      present: present.recorded,
      names: NO_NAMES,
    });
    state = withoutChange(state, changes);
    if (state === undefined) break;
  }
  return versions;
}

/** Finds one of them. @throws AppError as `listVersions`, `not_found` for an unknown version */
export async function findVersion(
  ctx: Context,
  scope: Scope,
  asked: AskedHistory,
  version: number,
): Promise<ObjectVersion> {
  const found = (await listVersions(ctx, scope, asked)).find((each) => each.version === version);
  if (found !== undefined) return { ...found, names: await namesIn(ctx, scope, found) };
  throw new AppError("not_found", `version ${version} not found: the audit log has no such version of the object`);
}

/** Names of linked objects, which lie where the object does, those of a namespace in `default`. */
async function namesIn(ctx: Context, scope: Scope, { kind, content }: ObjectVersion): Promise<ObjectVersion["names"]> {
  const place = kind === "namespace" ? homeOf(scope.partition) : scope;
  const idsIn = (...members: string[]) => members.flatMap((member) => (content[member] ?? []) as readonly string[]);
  const [policies, roles] = await Promise.all([
    policyStore.all(ctx.db, place, idsIn("Policies", "DefaultPolicies")),
    roleStore.all(ctx.db, place, idsIn("DefaultRoles")),
  ]);
  return new Map([...policies, ...roles].map(({ id, name }) => [id, name]));
}

async function recordsOf(ctx: Context, scope: Scope, { kind }: HistoryKind, objectId: string): Promise<AuditRecord[]> {
  const filter = { kind, object: objectId, outcome: "done" };
  const unset = { actor: undefined, action: undefined, requestId: undefined, from: undefined, to: undefined };
  const { slice } = listPartitionAudit(ctx, scope, { ...unset, ...filter });
  const records = await slice({ after: "", search: "", size: MOST_VERSIONS });
  // A clock that was set back does not change their order in the chain.
  return records.toSorted((one, other) => other.seq - one.seq);
}

function changesOf({ detail, isDamaged }: AuditRecord): unknown {
  return isDamaged === true ? undefined : (JSON.parse(detail) as { changes?: unknown }).changes;
}

/** The ModifyIndex that a change has written. */
function indexIn(changes: unknown): number | undefined {
  if (Array.isArray(changes)) return changes.length === 1 ? indexOf(changes[0] as RecordedObject) : undefined;
  const [before, after = before] = (changes as { ModifyIndex?: readonly number[] } | undefined)?.ModifyIndex ?? [];
  return after;
}

function indexOf(object: RecordedObject): number {
  return Number(object?.["ModifyIndex"] ?? 0);
}
