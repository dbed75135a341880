/**
 * Rows that this server has written today. Another use on the same day raises their total and changes nothing else, so the next
 * flush adds to them by their IDs: without digests, plans, conditions or values of their other columns.
 */
import type { KnownRow } from "../records/uses/subjects.ts";
import type { RowChange } from "./stored.ts";

/** Notes rows of a committed batch where their uses are counted. Those whose use was folded are chosen anew each time: the numbers that led to it change. */
export class RowNotes {
  #noted = 0;

  note(changes: readonly RowChange[]): void {
    for (const { id, use, subject, name, day } of changes) {
      const { from } = use;
      if (from === undefined || name !== use.name || subject !== use.subject.as) continue;
      const { uses, index, of } = from;
      // A clock that was set back comes to a day that a row may not hold.
      if (uses.rows === undefined || uses.day !== day) uses.rows = Array<KnownRow | undefined>(of).fill(undefined);
      uses.day = day;
      uses.rows[index] = { id, place: this.#noted++ };
    }
  }
}
