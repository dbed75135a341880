/** Counts changes, logins and denied requests by day, from audit records that the caller may read. */
import type { Context } from "../../context.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { countByDay, type CountedAs } from "../../records/days-store.ts";
import type { Scope } from "../../rights/scope.ts";
import { auditScope } from "../service.ts";

const DAY = 86_400_000;
/** Number of days, including today. */
export const DAYS = 30;
/** Number of records that one answer looks at: they are found one by one in the table, behind an index of the time. */
const MOST_RECORDS = 50_000;

export type AuditDay = { day: string } & Record<CountedAs, number>;

export interface AuditDays {
  /** Oldest first, without gaps. */
  days: AuditDay[];
  /** Whether older days are missing, because the newer ones have too many records. */
  isCut: boolean;
}

/**
 * Counts changes, logins and denied requests of a namespace, or with `*` of all that the caller may see of a partition.
 *
 * @throws AppError `forbidden`; `rate_limited` when too many ask
 */
export function countAuditDays(
  ctx: Context,
  asked: Scope,
  lane: QuestionLane,
  mostRecords = MOST_RECORDS,
): Promise<AuditDays> {
  const scope = auditScope(ctx, asked);
  const today = Math.floor(ctx.now() / DAY) * DAY;
  const names = Array.from({ length: DAYS }, (_, index) => dayOf(today - (DAYS - 1 - index) * DAY));
  return lane.run(ctx.actor, async () => {
    const counts = await countByDay(ctx.db.long, scope, `${names[0] ?? ""}T00:00:00.000Z`, mostRecords);
    const isCut = counts.reduce((sum, { records }) => sum + records, 0) >= mostRecords;
    const earliest = counts.map(({ day }) => day).toSorted()[0] ?? "";
    const days = names
      // The earliest day that was reached was not counted to its end.
      .filter((day) => !isCut || day > earliest)
      .map((day): AuditDay => {
        const of = (wanted: CountedAs) =>
          counts.find((each) => each.day === day && each.countedAs === wanted)?.count ?? 0;
        return { day, writes: of("writes"), logins: of("logins"), refusals: of("refusals") };
      });
    return { days, isCut };
  });
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
