/**
 * The mark of SQLite's log: a small file beside the database that says how far the log has to reach. SQLite takes the shortest
 * valid prefix of its log for the truth; with the mark a start can tell a log that was damaged, cut or lost from one that ends
 * where it should. Two slots are written in turn, so that one of them is whole whenever the machine stops.
 */
import { createHash, createHmac, timingSafeEqual, type KeyObject } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { hasCode } from "../../files.ts";

/**
 * Path of the mark of a database. Its name does not begin with the name of the database and a hyphen: `rm tessera.db-*`
 * must not remove the log and its mark together.
 */
export function markPath(path: string): string {
  return `${path}.mark`;
}

/** The two words by which SQLite tells the frames of one run of its log from those of the one before. */
export type Salts = readonly [number, number];

/** Up to where the log is durable, as one slot says it. */
export interface Slot {
  /** The slot with the greater one counts. */
  sequence: number;
  /** Which mark it is: the row of the database names it too. 32 hexadecimal digits. */
  instance: string;
  /** `starting`: a start is under way that may begin a log of any salts; nothing was acknowledged since. */
  kind: "live" | "starting";
  /** The salts of the log; with `frames` 0 those of one that is gone. */
  salts: Salts;
  /** The last frame that is durable, from 1 on; it ends a commit. */
  frames: number;
  /** Frames that are in the database file, durably; as many as `frames` where all of the log is. */
  copied: number;
  /** The running checksum of that last frame, as its header holds it. */
  sums: Salts;
  /** Bytes of a page. */
  pageSize: number;
  /** Number of the commit that the last frame ends, counted from the mark's first. */
  commit: number;
  /** Number of the last commit that is known to be in the database file. */
  copiedCommit: number;
  /** Number of the last commit before this run of the log. */
  commitBefore: number;
  /** When it was written, in milliseconds since the epoch. */
  at: number;
  /** Which run of the machine it was: 32 hexadecimal digits, zeros where the system has no name for it. */
  boot: string;
  /** The number of commits that the database itself held (`row.ts`); 0 in a mark of a version that did not count them. */
  counted: number;
}

/** The age that the mark may have while there are writes, in milliseconds: a commit that it does not know of can be lost without a word. */
export const MARK_MS = 50;

/** Each slot has a block of the disk for itself, so that a torn write of one leaves the other alone. */
export const SLOT_BYTES = 4096;
export const SLOTS = 2;

const MAGIC = "TSLMARK1";
const KINDS = ["live", "starting"] as const;
const CONTENT_BYTES = 128;
const SUM_BYTES = 16;
const MAC_BYTES = 32;
const USED_BYTES = CONTENT_BYTES + SUM_BYTES + MAC_BYTES;

/** The bytes of a slot. @param key derived from the master key for marks alone */
export function encodeSlot(slot: Slot, key: KeyObject): Buffer {
  const bytes = Buffer.alloc(USED_BYTES);
  bytes.write(MAGIC, 0, "latin1");
  bytes.writeBigUInt64LE(BigInt(slot.sequence), 8);
  bytes.write(slot.instance, 16, "hex");
  const words = [KINDS.indexOf(slot.kind), ...slot.salts, slot.frames, slot.copied, ...slot.sums, slot.pageSize];
  for (const [i, word] of words.entries()) bytes.writeUInt32LE(word, 32 + 4 * i);
  const numbers = [slot.commit, slot.copiedCommit, slot.commitBefore, slot.at];
  for (const [i, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), 64 + 8 * i);
  bytes.write(slot.boot, 96, "hex");
  bytes.writeBigUInt64LE(BigInt(slot.counted), 112);
  sumOf(bytes).copy(bytes, CONTENT_BYTES);
  macOf(bytes, key).copy(bytes, CONTENT_BYTES + SUM_BYTES);
  return bytes;
}

/** A slot as it was read, with what proves it. */
export interface ReadSlot extends Slot {
  bytes: Buffer;
}

/** @returns undefined for bytes that are no slot, or not as they were written */
export function decodeSlot(bytes: Buffer): ReadSlot | undefined {
  if (bytes.length < USED_BYTES || bytes.toString("latin1", 0, 8) !== MAGIC) return undefined;
  if (!sumOf(bytes).equals(bytes.subarray(CONTENT_BYTES, CONTENT_BYTES + SUM_BYTES))) return undefined;
  const word = (i: number) => bytes.readUInt32LE(32 + 4 * i);
  const number = (i: number) => Number(bytes.readBigUInt64LE(64 + 8 * i));
  const kind = KINDS[word(0)];
  if (kind === undefined) return undefined;
  return {
    sequence: Number(bytes.readBigUInt64LE(8)),
    instance: bytes.toString("hex", 16, 32),
    kind,
    salts: [word(1), word(2)],
    frames: word(3),
    copied: word(4),
    sums: [word(5), word(6)],
    pageSize: word(7),
    commit: number(0),
    copiedCommit: number(1),
    commitBefore: number(2),
    at: number(3),
    boot: bytes.toString("hex", 96, 112),
    counted: Number(bytes.readBigUInt64LE(112)),
    bytes: Buffer.from(bytes.subarray(0, USED_BYTES)),
  };
}

/** Finds damage, and slots that were torn, where no key is at hand. */
function sumOf(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes.subarray(0, CONTENT_BYTES)).digest().subarray(0, SUM_BYTES);
}

function macOf(bytes: Buffer, key: KeyObject): Buffer {
  return createHmac("sha256", key)
    .update(bytes.subarray(0, CONTENT_BYTES + SUM_BYTES))
    .digest();
}

/** Whether a server of the database wrote it, who had its keys. */
export function isOurs({ bytes }: ReadSlot, key: KeyObject): boolean {
  return timingSafeEqual(macOf(bytes, key), bytes.subarray(CONTENT_BYTES + SUM_BYTES, USED_BYTES));
}

/** The file that lies where the mark should. */
export type FoundMark =
  /** There is none. */
  | { state: "none" }
  /** There is a file, and neither of its slots is what was written. */
  | { state: "unreadable" }
  /** `torn`: the other slot is not what was written, as after a write that the machine did not end. */
  | { state: "read"; slot: ReadSlot; torn: boolean };

/** Reads the mark of a database. @throws Error when the system does not let it be read */
export function readMark(path: string): FoundMark {
  let file: number;
  try {
    file = openSync(markPath(path), "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { state: "none" };
    throw error;
  }
  try {
    const slots = Array.from({ length: SLOTS }, (_, i) => {
      const bytes = Buffer.alloc(USED_BYTES);
      const length = readSync(file, bytes, 0, USED_BYTES, i * SLOT_BYTES);
      return decodeSlot(bytes.subarray(0, length));
    });
    const whole = slots.filter((slot) => slot !== undefined).sort((one, other) => other.sequence - one.sequence);
    const [slot] = whole;
    return slot === undefined ? { state: "unreadable" } : { state: "read", slot, torn: whole.length < SLOTS };
  } finally {
    closeSync(file);
  }
}
