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
export function createMarkWriter(options: MarkSettings, log: number): MarkWriter {
  return new SlotWriter(options, log);
}

class SlotWriter implements MarkWriter {
  readonly #key: MarkSettings["key"];
  readonly #log: number;
  readonly #file: number;
  readonly #db: DatabaseSync;
  // Tells how long the log is and how much of it is copied, and does nothing: from the index of the log that all share.
  readonly #noop: StatementSync;
  readonly #counted: StatementSync;
  #current: Slot;
  readonly #commitAtStart: number;
  /** Commits by the frame that ends them, as far as they were marked and are not copied yet. */
  #marked: { frames: number; commit: number }[] = [];

  constructor({ path, key, slot }: MarkSettings, log: number) {
    this.#key = key;
    this.#log = log;
    this.#file = openSync(markPath(path), "r+");
    this.#db = new DatabaseSync(path);
    this.#noop = this.#db.prepare("pragma wal_checkpoint(noop)");
    this.#counted = this.#db.prepare(COUNTED);
    this.#current = slot;
    this.#commitAtStart = slot.commit;
  }

  look(commits: number): LogPlace {
    return { ...placeOf(this.#noop), commits, counted: this.#countedNow() };
  }

  isBehind({ frames, copied, commits }: LogPlace): boolean {
    if (frames === 0) return false;
    if (frames !== this.#current.frames || this.#commitAtStart + commits !== this.#current.commit) return true;
    // The log is whole in the file now, or was begun anew and happens to be as long.
    return (copied >= frames && this.#current.copied < frames) || copied < this.#current.copied;
  }

  write(place: LogPlace): void {
    const at = endOf(place, { log: this.#log, noop: this.#noop, isOfRun: (end) => this.#isOfRun(end) });
    // Nothing is in it: all that was is in the database file, which the slot of before says.
    if (at === undefined) return;
    const slotNow = this.#next(at.place, at.end);
    const bytes = encodeSlot(slotNow, this.#key);
    writeSync(this.#file, bytes, 0, bytes.length, (slotNow.sequence % SLOTS) * SLOT_BYTES);
    fdatasyncSync(this.#file);
    this.#current = slotNow;
  }

  close(): void {
    closeSync(this.#file);
    this.#db.close();
  }

  #isOfRun({ salts }: End): boolean {
    return salts[0] === this.#current.salts[0] && salts[1] === this.#current.salts[1];
  }

  #next(place: LogPlace, end: End): Slot {
    const commit = this.#commitAtStart + place.commits;
    const isNewRun = !this.#isOfRun(end);
    if (isNewRun) this.#marked = [];
    const copied = Math.min(place.copied, place.frames);
    const known = this.#marked.findLast((each) => each.frames <= copied)?.commit;
    // A log is begun anew when all of it is in the database file, and not before.
    const before = isNewRun ? this.#current.commit : this.#current.copiedCommit;
    this.#marked = [...this.#marked.filter((each) => each.frames > copied), { frames: place.frames, commit }].slice(
      -MOST_MARKED,
    );
    return {
      ...this.#current,
      ...end,
      kind: "live",
      sequence: this.#current.sequence + 1,
      frames: place.frames,
      copied,
      commit,
      counted: place.counted,
      copiedCommit: copied === place.frames ? commit : (known ?? before),
      commitBefore: isNewRun ? this.#current.commit : this.#current.commitBefore,
      at: Date.now(),
    };
  }

  /**
   * Reads the number of commits. The earlier number is still true where the page cannot be read; the readers that need
   * the page report that.
   */
  #countedNow(): number {
    try {
      return Number(this.#counted.get()?.["commits"] ?? this.#current.counted);
    } catch {
      return this.#current.counted;
    }
  }
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
  throw new Error("the write-ahead log does not match its index");
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
