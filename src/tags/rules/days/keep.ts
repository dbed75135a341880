/**
 * Keeps the coverage of required keys once a day (UTC), of all workspaces of an organization. One node does it, by a clock that is
 * trusted. A day on which no server ran, or whose clock was in doubt, has no numbers.
 */
import { AppError } from "../../../errors.ts";
import type { ClockWatch } from "../../../storage/clock/watch.ts";
import type { Database } from "../../../storage/database.ts";
import { checkLease, newHolder, takeLease } from "../../../storage/feed/lease.ts";
import { startBackground, type Background } from "../../../storage/operator/removal.ts";
import { requiredIn } from "../coverage.ts";
import { findTagPolicy } from "../store.ts";
import { COVERAGE_OF_DAY, type KeptCoverage } from "./count.ts";
import { dayOf } from "./day.ts";
import { reportWeek } from "./report.ts";
import { hasDay, insertDays, listUncounted } from "./store.ts";

const EVERY_MS = 60_000;
/** Organizations that are looked at together. */
const PAGE = 100;
const LEASE = "tag-coverage";

/**
 * Starts the work.
 *
 * @param clock by which days are told
 * @param onError told of a failure; the work is tried again
 */
export function startCoverageDays(
  db: Database,
  clock: Pick<ClockWatch, "now" | "isInDoubt">,
  onError: (error: unknown) => void,
  everyMs = EVERY_MS,
): Background {
  const holder = newHolder();
  return startBackground((signal) => keepDay(db, clock, holder, onError, signal), onError, everyMs);
}

/** Counts each organization that has no numbers of this day yet; what fails for one does not keep the others from it. */
async function keepDay(
  db: Database,
  clock: Pick<ClockWatch, "now" | "isInDoubt">,
  holder: string,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  if (clock.isInDoubt()) return;
  const now = clock.now();
  for (let after = ""; ;) {
    const page = await db.long.run(listUncounted, { day: dayOf(now), after, limit: PAGE });
    if (page.length === 0) return;
    for (const { organization } of page) {
      const isOurs = signal.aborted ? false : await keepOne(db, holder, organization, now).catch(onError);
      if (isOurs === false) return;
    }
    after = page.at(-1)?.organization ?? "";
  }
}

/** @returns false while another node does the work */
async function keepOne(db: Database, holder: string, organization: string, now: number): Promise<boolean> {
  const { id: policyId = "", rules = [] } = (await findTagPolicy(db, organization)) ?? {};
  if (requiredIn(rules).length === 0) return true;
  if ((await takeLease(db, LEASE, holder)) === undefined) return false;
  const found = await db.apart(COVERAGE_OF_DAY, { organization, rules, visibility: undefined });
  return write(db, holder, { organization, policyId, now, found });
}

/** Counts of an organization. */
interface Counted {
  organization: string;
  policyId: string;
  /** Milliseconds since the epoch. */
  now: number;
  found: readonly KeptCoverage[];
}

/** The organization's own counter guards it: none that is deleted meanwhile leaves rows. */
async function write(db: Database, holder: string, counted: Counted): Promise<boolean> {
  const { organization, now, found } = counted;
  const day = dayOf(now);
  // Counting may have taken longer than a lease lasts.
  const lease = await takeLease(db, LEASE, holder);
  if (lease === undefined) return false;
  try {
    await db.inTransaction({ kind: "organization", id: organization }, async (tx) => {
      await checkLease(tx, lease);
      tx.unrecorded("coverage of a day, which changes no object");
      if (await hasDay(tx, organization, day)) return;
      await reportWeek(tx, counted);
      insertDays(
        tx,
        found.map((coverage) => ({ organizationId: organization, day, ...coverage })),
      );
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Another node has taken over, or the organization is gone.
    if (error.code === "conflict") return false;
    if (error.code !== "not_found") throw error;
  }
  return true;
}
