/**
 * Plan of the changes of a file, computed by code that may only read. It is shown in the preview, and it is written in
 * the same transaction that computed it. Each single change needs its own rights.
 */
import { authorize } from "../../../rights/authorize.ts";
import type { Author } from "../../changes/record.ts";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { findOrganizationById, type Organization } from "../../../organizations/store.ts";
import type { Reader, Transaction } from "../../../storage/database.ts";
import type { RULED } from "../../rules/enforce.ts";
import type { FileRecord, RecordKind } from "../../files/records.ts";
import type { StoredRecord } from "./store.ts";

/** Whether what an object has beside what the file says of it stays. */
export const IMPORT_MODES = ["merge", "replace"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** Why what a file says of an object is not done. */
export type ImportRefusal = "missing" | "not-allowed" | "full" | typeof RULED;

/** One thing that changes of an object. */
export interface ImportEntry {
  action: "create" | "change" | "remove";
  /** A flat tag. */
  tag?: string;
  /** A key with its value, or what is said of a tag of the pool or a reserved key. */
  key?: string;
  from?: string;
  to?: string;
}

/** Outcome of a record. */
export interface RecordOutcome {
  stored: StoredRecord;
  entries: ImportEntry[];
  /** Things that are as the record says. */
  unchanged: number;
  refused: ImportRefusal | undefined;
  /** Names of rules for tags that only advise, which it breaks when it is changed. */
  warned?: readonly string[];
}

export interface ImportPlan {
  /** One for each record, in their order. */
  outcomes: RecordOutcome[];
  /** Writes what is not refused. To be called once, in the transaction that it was worked out in. */
  write(author: Author, tx: Transaction, jobId: string): Promise<void>;
}

/** Input of the plan for records of one kind. */
export interface Planning {
  ctx: Pick<Context, "actor" | "now">;
  db: Reader;
  organization: Organization;
  mode: ImportMode;
  /** Whether the caller may write the organization: its pool, its projects and its reserved keys. */
  isWriter: boolean;
}

/** A record of some kind, where it stands. */
export interface StoredOf<K extends RecordKind> extends StoredRecord {
  record: Extract<FileRecord, { kind: K }>;
}

/** @throws AppError `not_found` when the organization is gone */
export async function startPlanning(
  ctx: Pick<Context, "actor" | "now">,
  db: Reader,
  organizationId: string,
  mode: ImportMode,
): Promise<Planning> {
  const organization = await findOrganizationById(db, organizationId);
  if (organization === undefined) throw notFound("organization");
  return { ctx, db, organization, mode, isWriter: authorize(ctx.actor, "organization", organization.name, "write") };
}

export function refusedOutcome(stored: StoredRecord, refused: ImportRefusal): RecordOutcome {
  return { stored, entries: [], unchanged: 0, refused };
}

/** Nothing is to be done. */
export function planOf(outcomes: RecordOutcome[]): ImportPlan {
  return { outcomes, write: () => Promise.resolve() };
}
