/** The job that takes over a file: in its order, some objects of one kind at a time. */
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import type { Transaction } from "../../../storage/database.ts";
import type { Job, JobWork, JobSlice, SliceResult } from "../job.ts";
import { countEach } from "../warned.ts";
import { IMPORT_MODES, type ImportMode, type RecordOutcome } from "./plan.ts";
import { firstKind, planRecords } from "./plan-records.ts";
import { findImport, readRecords, type StoredRecord } from "./store.ts";

export const IMPORT_ACTION = "import";

/** Stored input of the job. */
export interface ImportInput {
  /** Id of the file. */
  file: string;
  mode: ImportMode;
}

/** Objects that are looked at at a time: most of them may be as the file says already. */
const AHEAD = 200;

export function importWork(): JobWork {
  return { count, next };
}

/** In objects. @throws AppError `not_found` */
async function count({ db }: Context, job: Job): Promise<number> {
  const file = await findImport(db, inputOf(job).file);
  if (file === undefined) throw notFound("file");
  return file.records;
}

/**
 * Finds the next objects. Objects that already are as in the file are found outside of a transaction; changes are
 * computed again inside.
 */
async function next(ctx: Context, job: Job, limit: number): Promise<JobSlice> {
  const { file, mode } = inputOf(job);
  const from = Number(job.place);
  const records = firstKind(await readRecords(ctx.db.long, file, from, AHEAD));
  const last = records.at(-1);
  if (last === undefined) return () => Promise.resolve({ place: undefined, done: 0, changed: 0 });
  const { outcomes } = await planRecords(ctx, ctx.db.long, job.organizationId, mode, records);
  const seen = cut(outcomes, limit);
  const changing = seen.flatMap(({ stored, entries }) => (entries.length > 0 ? [stored] : []));
  const place = String(seen.at(-1)?.stored.ordinal ?? last.ordinal);
  const refused = seen.filter((outcome) => outcome.refused !== undefined);
  return async (tx) => {
    const again = await write(ctx, tx, job, mode, changing);
    const all = [...refused, ...again.filter((outcome) => outcome.refused !== undefined)];
    const changed = again.filter(({ entries }) => entries.length > 0);
    const warned = countEach(changed.flatMap((outcome) => outcome.warned ?? []));
    return { place, done: seen.length, changed: changed.length, warned, ...told(all) };
  };
}

/** As many as have so many changes together, and one at the least. */
function cut(outcomes: readonly RecordOutcome[], limit: number): readonly RecordOutcome[] {
  let rows = 0;
  const end = outcomes.findIndex(({ entries }, index) => {
    rows += entries.length;
    return index > 0 && rows > limit;
  });
  return end === -1 ? outcomes : outcomes.slice(0, end);
}

async function write(
  ctx: Context,
  tx: Transaction,
  job: Job,
  mode: ImportMode,
  records: readonly StoredRecord[],
): Promise<RecordOutcome[]> {
  const plan = await planRecords(ctx, tx, job.organizationId, mode, records);
  await plan.write(ctx, tx, job.id);
  return plan.outcomes;
}

const REASONS = {
  missing: "was not found, or is not visible",
  "not-allowed": "cannot be changed by the token that started the import",
  full: "exceeds a limit of tags or keys",
  "tag-rule": "violates the tag policy",
} as const;

function told(refused: readonly RecordOutcome[]): Pick<SliceResult, "refused" | "errors"> {
  const counts: Record<string, number> = {};
  for (const { refused: reason } of refused) if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  const errors = refused.map(refusalText);
  return { refused: counts, errors };
}

/** In words, with the line. */
export function refusalText({ stored: { line, record }, refused }: RecordOutcome): string {
  // For a tag policy, the policy is not what is missing.
  const isProject = record.kind === "tag-policy" && refused === "missing";
  const why = isProject ? "names a project that is missing" : refused && REASONS[refused];
  return `Line ${line}: the ${record.kind} ${JSON.stringify(record.name)} ${why ?? ""}`;
}

function inputOf({ input }: Job): ImportInput {
  const { file = "", mode } = input as Partial<ImportInput>;
  return { file, mode: IMPORT_MODES.find((each) => each === mode) ?? "merge" };
}
