/** Writes the mark, in the thread that syncs the log. */
import type { KeyObject } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { FRAME_HEADER_BYTES, LOG_HEADER_BYTES, parseLogHeader } from "./log-frames.ts";
import { COUNTED } from "./row.ts";
import { encodeSlot, markPath, SLOT_BYTES, type Slot, SLOTS } from "./slots.ts";

/** All that is needed to go on with a mark. It can be handed to a thread. */
export interface MarkSettings {
  /** Path of the database. */
  path: string;
  key: KeyObject;
  /** The mark as it is when the thread takes it over; it is on the disk already. */
  slot: Slot;
}

/** How far the log was at a moment. */
export interface LogPlace {
  frames: number;
  copied: number;
  /** Commits of this server since the mark was taken over. */
  commits: number;
  /** Commits as the database counts them: at least those up to there, and all of them in the log that is to be synced. */
  counted: number;
}

export interface MarkWriter {
  /** Looks how far the log is: to be called before the sync that makes it durable. */
  look(commits: number): LogPlace;
  /** Whether the mark on the disk says less than that. */
  isBehind(place: LogPlace): boolean;
  /** Writes, and syncs, that the log is durable up to there. @throws Error when the disk does not take it */
  write(place: LogPlace): void;
  close(): void;
}

/**
 * Opens the mark, which exists.
 *
 * @param log descriptor of the write-ahead log
 */
export function createMarkWriter({ path, key, slot }: MarkSettings, log: number): MarkWriter {
  const file = openSync(markPath(path), "r+");
  const db = new DatabaseSync(path);
  // Tells how long the log is and how much of it is copied, and does nothing: from the index of the log that all share.
  const noop = db.prepare("pragma wal_checkpoint(noop)");
  const counted = db.prepare(COUNTED);
  let current = slot;
  const commitAtStart = slot.commit;
  /** Commits by the frame that ends them, as far as they were marked and are not copied yet. */
  let marked: { frames: number; commit: number }[] = [];

  const isOfRun = ({ salts }: End) => salts[0] === current.salts[0] && salts[1] === current.salts[1];

  function next(place: LogPlace, end: End): Slot {
    const commit = commitAtStart + place.commits;
    const isNewRun = !isOfRun(end);
    if (isNewRun) marked = [];
    const copied = Math.min(place.copied, place.frames);
    const known = marked.findLast((each) => each.frames <= copied)?.commit;
    // A log is begun anew when all of it is in the database file, and not before.
    const before = isNewRun ? current.commit : current.copiedCommit;
    marked = [...marked.filter((each) => each.frames > copied), { frames: place.frames, commit }].slice(-MOST_MARKED);
    return {
      ...current,
      ...end,
      kind: "live",
      sequence: current.sequence + 1,
      frames: place.frames,
      copied,
      commit,
      counted: place.counted,
      copiedCommit: copied === place.frames ? commit : (known ?? before),
      commitBefore: isNewRun ? current.commit : current.commitBefore,
      at: Date.now(),
    };
  }

  /**
   * Reads the number of commits. The earlier number is still true where the page cannot be read; the readers that need
   * the page report that.
   */
  function countedNow(): number {
    try {
      return Number(counted.get()?.["commits"] ?? current.counted);
    } catch {
      return current.counted;
    }
  }

  return {
    // In this order: the number must not be one of before the frames.
    look: (commits) => ({ ...placeOf(noop), commits, counted: countedNow() }),
    isBehind({ frames, copied, commits }) {
      if (frames === 0) return false;
      if (frames !== current.frames || commitAtStart + commits !== current.commit) return true;
      // The log is whole in the file now, or was begun anew and happens to be as long.
      return (copied >= frames && current.copied < frames) || copied < current.copied;
    },
    write(place) {
      const at = endOf(place, { log, noop, isOfRun });
      // Nothing is in it: all that was is in the database file, which the slot of before says.
      if (at === undefined) return;
      const slotNow = next(at.place, at.end);
      const bytes = encodeSlot(slotNow, key);
      writeSync(file, bytes, 0, bytes.length, (slotNow.sequence % SLOTS) * SLOT_BYTES);
      fdatasyncSync(file);
      current = slotNow;
    },
    close() {
      closeSync(file);
      db.close();
    },
  };
}

interface Looks {
  log: number;
  noop: StatementSync;
  isOfRun: (end: End) => boolean;
}

/** The last frame that is durable. In a log that was begun anew, maybe since the look, another sync says which that is. */
function endOf(place: LogPlace, { log, noop, isOfRun }: Looks): { place: LogPlace; end: End } | undefined {
  if (place.frames === 0) return undefined;
  const end = readEnd(log, place.frames);
  if (end !== undefined && isOfRun(end)) return { place, end };
  for (let tries = 0; tries < 3; tries++) {
    const again = { ...place, ...placeOf(noop) };
    if (again.frames === 0) return undefined;
    fdatasyncSync(log);
    const found = readEnd(log, again.frames);
    if (found !== undefined) return { place: again, end: found };
  }
  throw new Error("the write-ahead log is not what its index says");
}

/**
 * Number of marked places of the log that are remembered. Where the log is not copied for long, the older ones are
 * forgotten: the mark then reports fewer commits as copied than are.
 */
const MOST_MARKED = 2000;

function placeOf(noop: StatementSync): Pick<LogPlace, "frames" | "copied"> {
  const row = noop.get();
  return { frames: Math.max(0, Number(row?.["log"])), copied: Math.max(0, Number(row?.["checkpointed"])) };
}

/** The signs that tell a run of the log, and a place in it, from others. */
type End = Pick<Slot, "salts" | "sums" | "pageSize">;

/** @returns undefined when that frame is none of the run that the header of the log speaks of */
function readEnd(log: number, frames: number): End | undefined {
  const bytes = Buffer.alloc(LOG_HEADER_BYTES);
  if (readSync(log, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
  const header = parseLogHeader(bytes);
  if (header === undefined) return undefined;
  const { salts, pageSize } = header;
  const at = LOG_HEADER_BYTES + (frames - 1) * (FRAME_HEADER_BYTES + pageSize);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES);
  if (readSync(log, frame, 0, frame.length, at) < frame.length) return undefined;
  if (frame.readUInt32BE(8) !== salts[0] || frame.readUInt32BE(12) !== salts[1]) return undefined;
  return { salts, pageSize, sums: [frame.readUInt32BE(16), frame.readUInt32BE(20)] };
}
