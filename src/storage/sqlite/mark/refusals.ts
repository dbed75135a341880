/** The lines by which a start is refused whose log cannot hold what was acknowledged, and what becomes of them. */
import { StartError } from "../../start-error.ts";
import type { Lost } from "./judge.ts";
import { markPath, type Slot } from "./slots.ts";

export const PAGE = "docs/operations/damage.md";
const OPTION = "--accept-lost-writes";
const OTHERWISE = `or continue without them with ${OPTION} (see ${PAGE})`;

export interface MarkChoice {
  /** Whether the operator goes on without what is lost. */
  accept: boolean;
  /** Whether nothing may be changed. */
  isLookOnly?: boolean;
  onWarning: (message: string) => void;
}

/** Writes that are lost, for the record of it. */
export interface LostWrites {
  /** `accept-lost-writes`: by the operator's leave. `note-lost-writes`: nobody can tell whether they were acknowledged. */
  action: "accept-lost-writes" | "note-lost-writes";
  /** The line by which a start is refused otherwise, or warns. */
  line: string;
  /** Numbers of the first commit that is lost, and of the last that is known of; undefined where nobody knows. */
  from?: number;
  upTo?: number;
}

/** @returns what was accepted @throws StartError when it was not */
export function refuse(lost: Omit<LostWrites, "action">, { accept, onWarning }: MarkChoice): LostWrites {
  if (!accept) throw new StartError(lost.line);
  onWarning(`${lost.line}; continuing without them because ${OPTION} is set`);
  return { ...lost, action: "accept-lost-writes" };
}

export function lostLine(
  path: string,
  { what, from, upTo }: Pick<Lost, "what" | "from" | "upTo">,
  slot: Slot | undefined,
): string {
  const until = upTo > from ? ` on, to ${upTo}` : " on";
  const at = slot === undefined ? "" : `; the mark is of ${new Date(slot.at).toISOString()}`;
  return (
    `the write-ahead log ${path}-wal ${what}: acknowledged writes are lost from commit ${from}${until}, including deletions of ` +
    `tokens and permissions${at}. Restore the log, restore a backup, ${OTHERWISE}`
  );
}

export function unreadable(path: string): string {
  return (
    `the mark ${markPath(path)} of the write-ahead log is corrupted, so lost writes cannot be detected. ` +
    `Restore it, restore a backup, ${OTHERWISE}`
  );
}

export function missing(path: string): string {
  return (
    `the mark ${markPath(path)} of the write-ahead log is missing, so lost writes cannot be detected. ` +
    `Restore it, restore a backup, ${OTHERWISE}`
  );
}

export function foreign(path: string): string {
  return (
    `the mark ${markPath(path)} of the write-ahead log was not written by a server of this database. ` +
    `Restore its own mark, restore a backup, ${OTHERWISE}`
  );
}
