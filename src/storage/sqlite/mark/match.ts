/** A start, and each command, compares the mark of the log with what the database says of it. */
import type { KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { isWhole } from "./judge.ts";
import { foreign, lostLine, type MarkChoice, missing, refuse } from "./refusals.ts";
import { inodeOf, readMarkRow } from "./row.ts";
import { isOurs, type ReadSlot } from "./slots.ts";
import type { CheckedLog } from "./start.ts";

/**
 * Compares the mark with what the database says of it, as SQLite shows it with its log.
 *
 * @param key by which marks of this database are made; undefined where it has no keys yet, or the caller has none
 * @returns the same, without a mark that is of another database
 * @throws StartError when the mark of this very file is gone or is not its own, or the database has not come as far as it says,
 * and the operator has not accepted that
 */
export function checkMark(
  path: string,
  db: DatabaseSync,
  checked: CheckedLog,
  { key, ...choice }: MarkChoice & { key: KeyObject | undefined },
): CheckedLog {
  const { slot } = checked;
  const unmarked = { ...checked, slot: undefined, unsure: undefined };
  const isForeign = slot !== undefined && key !== undefined && !isOurs(slot, key);
  const row = readMarkRow(db);
  if (row === undefined) {
    // A log that lost all since the first start has lost the row too.
    if (slot === undefined || isForeign || !checked.isBegunAnew) return unmarked;
    return { ...checkReach(path, { ...checked, slot }, 0, choice), slot: undefined };
  }
  if (slot !== undefined && slot.instance === row.instance) {
    if (!isForeign) return checkReach(path, { ...checked, slot }, row.commits, choice);
    return { ...unmarked, accepted: refuse({ line: foreign(path) }, choice) };
  }
  // Said before by whoever has accepted it.
  if (checked.accepted !== undefined) return unmarked;
  if (row.inode !== inodeOf(path)) {
    choice.onWarning(`the database ${path} is a copy without a log mark; creating a new mark`);
    return unmarked;
  }
  const line = slot === undefined ? missing(path) : foreign(path);
  return { ...unmarked, accepted: refuse({ line }, choice) };
}

/**
 * Looks whether all that the mark speaks of was in the database before its log was begun anew: SQLite lets any program do so that
 * has copied what it takes for the log, which ends at the first frame that is damaged.
 *
 * @param commits as the database counts them
 */
function checkReach(
  path: string,
  checked: CheckedLog & { slot: ReadSlot },
  commits: number,
  choice: MarkChoice,
): CheckedLog {
  const { slot } = checked;
  if (!checked.isBegunAnew) return checked;
  const lost = slot.counted - commits;
  if (lost <= 0) {
    if (!isWhole(slot)) choice.onWarning(BEGUN_ANEW);
    return checked;
  }
  const [from, upTo] = [Math.max(1, slot.commit - lost + 1), slot.commit];
  const what = "was restarted by a program other than the server before all of it was checkpointed";
  const accepted = refuse({ line: lostLine(path, { what, from, upTo }, slot), from, upTo }, choice);
  return { ...checked, slot: undefined, accepted };
}

const BEGUN_ANEW = "the write-ahead log was restarted by a program other than the server, after it was checkpointed";
