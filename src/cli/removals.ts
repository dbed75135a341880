/** Rows that a server removes for their age. */
import { endedSecrets } from "../acl/tokens/old-secrets.ts";
import { expiredTokens } from "../acl/tokens/expired.ts";
import { oldChanges } from "../tags/changes/retention.ts";
import { oldImports } from "../tags/jobs/imports/retention.ts";
import { oldJobs } from "../tags/jobs/retention.ts";
import { oldNotes } from "../acl/login/old-notes.ts";
import { overdueSessions } from "../acl/sessions/expired.ts";
import { endedTrash } from "../acl/trash/ended.ts";
import { oldCoverage } from "../tags/rules/days/retention.ts";
import { oldUses } from "../use/retention.ts";
import type { ClockWatch } from "../storage/clock/watch.ts";
import type { Database } from "../storage/database.ts";
import { type Background, type Removal, startRemoval } from "../storage/operator/removal.ts";

/**
 * Starts the removal of all that has ended, by a clock that is trusted; audit records have their own.
 *
 * @param keepUsesMs how long the use of permissions is kept, in milliseconds
 * @param failed makes of a text what is told of a failure
 */
export function startRemovals(
  db: Database,
  clock: ClockWatch,
  keepUsesMs: number,
  failed: (text: string) => (error: unknown) => void,
): Background[] {
  const removing = (removal: Removal, what: string) =>
    startRemoval(db, clock.holding(removal), failed(`cannot delete ${what}`));
  return [
    removing(expiredTokens(db, clock.now), "expired tokens"),
    removing(endedSecrets(db, clock.now), "old secrets of tokens"),
    removing(overdueSessions(db, clock.now), "console sessions"),
    removing(endedTrash(db, clock.now), "objects in the trash"),
    removing(oldNotes(db, clock.now), "old notes"),
    removing(oldJobs(db, clock.now), "old jobs"),
    removing(oldImports(db, clock.now), "imported files"),
    removing(oldChanges(db, clock.now), "old records of changes"),
    removing(oldCoverage(db, clock.now), "old coverage of tag keys"),
    removing(oldUses(db, keepUsesMs, clock.now), "old permission use"),
  ];
}
