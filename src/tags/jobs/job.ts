/** Jobs: what every kind of them is, and what a kind has to say. */
import type { ChangeKind } from "../changes/record.ts";
import type { OwnedAmong } from "../../acl/declarations/owners.ts";
import type { Context } from "../../context.ts";
import type { AuditEntry, Transaction } from "../../storage/database.ts";
import type { ObjectOf } from "../../storage/writes/objects.ts";

export type JobStatus = ObjectOf<"tag_jobs">["status"];

/** How much of something, by a reason or by the name of a rule. */
export type CountsByReason = Readonly<Record<string, number>>;

/** Both together; what is none is left out. */
export function addCounts(counts: CountsByReason, more: CountsByReason): CountsByReason {
  const sums = new Map(Object.entries(counts));
  for (const [name, count] of Object.entries(more)) if (count > 0) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}

/** A job as the program knows it. */
export interface Job extends Omit<ObjectOf<"tag_jobs">, "input" | "refused" | "warned" | "errors"> {
  /** Request, in the form of the job's kind. */
  input: unknown;
  refused: CountsByReason;
  warned: CountsByReason;
  errors: readonly string[];
}

/** Result of one slice, which is added to its job in the same transaction. */
export interface SliceResult {
  /** Place at which the next slice continues. Undefined for the last slice. */
  place: string | undefined;
  /** How much of the total was looked at, and of that changed. */
  done: number;
  changed: number;
  /** How much was refused, by the reason: a few words of ours with hyphens, which clients read. */
  refused?: CountsByReason;
  /** How much of what was changed breaks rules for tags that only advise, by the names of the rules. */
  warned?: CountsByReason;
  /** Some of those in words, for whoever may see the job. */
  errors?: readonly string[];
}

/**
 * The changes of one slice, inside a transaction of the job's organization. It is run again as others are: no side effects.
 *
 * @param owned finds what it has to leave alone and to count as refused, by the reason `OWNED`. A slice that writes it all the same ends the job
 */
export type JobSlice = (tx: Transaction, owned: OwnedAmong) => Promise<SliceResult>;

/** Reason of a refusal: a directory of files owns it, and whoever asked for the job leaves that alone. */
export const OWNED = "owned";

/**
 * Work of one kind of jobs, created for one job. It may keep data that it has read ahead. Only the job stores its
 * place, so another process can continue from there.
 *
 * @throws AppError `JobFailed`, or `not_found` and `invalid` as services do, which end the job with that reason
 */
export interface JobWork {
  /** How much there is to do, in whatever it counts; asked once, when the job begins. */
  count(ctx: Context, job: Job): Promise<number>;
  /**
   * Finds what is next, outside of any transaction and, where that may be much, off the event loop. What the changes rest on
   * has to be read again inside.
   *
   * @param ctx of who asked for the job, with the rights of now
   * @param limit how many rows the slice should change at the most
   */
  next(ctx: Context, job: Job, limit: number): Promise<JobSlice>;
}

/** All kinds, by what a job's `action` says. */
export type JobKinds = Readonly<Record<string, () => JobWork>>;

/** Returns the part of a record by which the owner of an object is found. */
export function writeOf(
  kind: ChangeKind,
  { id: objectId, name }: { id: string; name: string },
  organizationId: string,
  action = "update",
): AuditEntry {
  return { kind, objectId, name, organizationId, action };
}

/** Reasons, in words, that a job keeps. */
export const MOST_ERRORS = 20;
export const MOST_ERROR_LENGTH = 300;

export function isFinished({ status }: Pick<Job, "status">): boolean {
  return status === "cancelled" || status === "done" || status === "failed";
}

/** Whether it leaves alone what a directory of files owns: as the request did that asked for it. */
export function leavesOwned({ input }: Pick<Job, "input">): boolean {
  return (input as { leavesOwned?: boolean }).leavesOwned === true;
}

/** Whether slices of it may be done now. */
export function isRunnable({ status }: Pick<Job, "status">): boolean {
  return status === "queued" || status === "running";
}
