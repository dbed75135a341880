/**
 * Walks through SQLite's write-ahead log without SQLite. Its format: a header of 32 bytes (magic, version, size of a page, number
 * of checkpoints, two salts, checksum), then frames, each a header of 24 bytes (number of the page; size of the database in pages
 * behind a commit, else 0; the salts; a checksum that runs from the log's header on) and a page. See
 * https://www.sqlite.org/fileformat2.html#walformat.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";
import { hasCode } from "../../files.ts";
import type { Salts } from "./slots.ts";

export const LOG_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;

const LITTLE = 0x377f0682;
const BIG = 0x377f0683;
const FORMAT = 3_007_000;
/** This much is read at a time: memory stays bounded, however long the log is. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** A place that is looked for in a log. */
export interface Sought {
  salts: Salts;
  pageSize: number;
  /** The frame that the mark names. */
  frames: number;
}

/** The content of a log, as far as it can be trusted. */
export interface LogWalk {
  /** `headless`: its header is not what SQLite writes, so that SQLite passes over all of it. */
  state: "missing" | "empty" | "headless" | "log";
  /** As its header says; those that were sought for one without. */
  salts: Salts;
  /** Frames from the first on that follow from each other; SQLite believes those, as far as they are committed. */
  verified: number;
  /** The last of them that ends a commit, and how many commits there are up to there. */
  committed: number;
  commits: number;
  /** The running checksum at the frame that was sought; undefined when it does not verify. */
  sums: Salts | undefined;
  /** Frames of this run of the log behind the first that does not verify. */
  behind: number;
  /** Ends of commits behind the last one that SQLite believes: also in the frame itself that does not verify. */
  lostCommits: number;
  /** Ends of commits behind a frame that does not verify: SQLite has written them behind what it had written there. */
  commitsBehind: number;
  /** The same, of those behind the frame that was sought. */
  commitsBehindSought: number;
}

const NOTHING: Omit<LogWalk, "state" | "salts"> = {
  verified: 0,
  committed: 0,
  commits: 0,
  sums: undefined,
  behind: 0,
  lostCommits: 0,
  commitsBehind: 0,
  commitsBehindSought: 0,
};

/** The walk through a log that nobody has looked at. */
export const NO_WALK: LogWalk = { state: "missing", salts: [0, 0], ...NOTHING };

/**
 * Reads a log once, from its beginning to its end.
 *
 * @param file path of the log
 * @param sought what the mark says of it
 * @throws Error when the system does not let it be read
 */
export function walkLog(file: string, sought?: Sought): LogWalk {
  const salts = sought?.salts ?? [0, 0];
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { state: "missing", salts, ...NOTHING };
    throw error;
  }
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return { state: "empty", salts, ...NOTHING };
    const header = readHeader(descriptor);
    if (header !== undefined)
      return { state: "log", salts: header.salts, ...walkFrames(descriptor, size, header, sought) };
    if (sought === undefined || sought.pageSize === 0) return { state: "headless", salts, ...NOTHING };
    const lost: Header = { ...sought, sums: undefined, isBig: false };
    return { state: "headless", salts, ...walkFrames(descriptor, size, lost, sought) };
  } finally {
    closeSync(descriptor);
  }
}

interface Header {
  salts: Salts;
  pageSize: number;
  /** The checksum that the first frame goes on from; undefined where the header is lost, so that no frame verifies. */
  sums: Salts | undefined;
  isBig: boolean;
}

function readHeader(descriptor: number): Header | undefined {
  const bytes = Buffer.alloc(LOG_HEADER_BYTES);
  if (readSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
  return parseLogHeader(bytes);
}

/** @returns undefined for what SQLite does not take for a log */
export function parseLogHeader(bytes: Buffer): Header | undefined {
  const magic = bytes.readUInt32BE(0);
  if (magic !== LITTLE && magic !== BIG) return undefined;
  if (bytes.readUInt32BE(4) !== FORMAT) return undefined;
  const pageSize = bytes.readUInt32BE(8);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  const isBig = magic === BIG;
  const sums = checksum(wordsOf(bytes, isBig), 0, 6, [0, 0]);
  if (sums[0] !== bytes.readUInt32BE(24) || sums[1] !== bytes.readUInt32BE(28)) return undefined;
  return { salts: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)], pageSize, sums, isBig };
}

function walkFrames(descriptor: number, size: number, header: Header, sought: Sought | undefined) {
  const walk = { ...NOTHING };
  const frameBytes = FRAME_HEADER_BYTES + header.pageSize;
  const frames = Math.floor((size - LOG_HEADER_BYTES) / frameBytes);
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / frameBytes));
  // Its own memory and not one that others share: words of it are looked at in place.
  const chunk = Buffer.from(new ArrayBuffer(perChunk * frameBytes));
  let sums = header.sums;
  for (let first = 0; first < frames; first += perChunk) {
    const count = Math.min(perChunk, frames - first);
    const wanted = count * frameBytes;
    const got = readSync(descriptor, chunk, 0, wanted, LOG_HEADER_BYTES + first * frameBytes);
    const whole = Math.floor(got / frameBytes);
    const words = sums === undefined ? undefined : wordsOf(chunk.subarray(0, whole * frameBytes), header.isBig);
    for (let i = 0; i < whole; i++) {
      const at = i * frameBytes;
      const number = first + i + 1;
      const isOfRun = chunk.readUInt32BE(at + 8) === header.salts[0] && chunk.readUInt32BE(at + 12) === header.salts[1];
      if (sums !== undefined && words !== undefined)
        sums = isOfRun ? follow(chunk, words, at, frameBytes, sums) : undefined;
      note(walk, number, { isOfRun, endsCommit: chunk.readUInt32BE(at + 4) !== 0, sums }, sought);
    }
    // Somebody has cut it meanwhile.
    if (whole < count) break;
  }
  return walk;
}

/** @returns the checksum behind a frame; undefined for one that does not verify */
function follow(chunk: Buffer, words: Uint32Array, at: number, frameBytes: number, before: Salts): Salts | undefined {
  if (chunk.readUInt32BE(at) === 0) return undefined;
  const head = checksum(words, at / 4, 2, before);
  const sums = checksum(words, (at + FRAME_HEADER_BYTES) / 4, (frameBytes - FRAME_HEADER_BYTES) / 4, head);
  return sums[0] === chunk.readUInt32BE(at + 16) && sums[1] === chunk.readUInt32BE(at + 20) ? sums : undefined;
}

/** One frame as it was read; `sums` is undefined for the first that does not verify, and for all behind it. */
interface Frame {
  isOfRun: boolean;
  endsCommit: boolean;
  sums: Salts | undefined;
}

function note(walk: typeof NOTHING, number: number, { isOfRun, endsCommit, sums }: Frame, sought: Sought | undefined) {
  if (sums !== undefined) {
    walk.verified = number;
    if (endsCommit) {
      walk.committed = number;
      walk.commits += 1;
    }
    if (number === sought?.frames) walk.sums = sums;
    return;
  }
  if (!isOfRun) return;
  if (endsCommit) walk.lostCommits += 1;
  if (number === walk.verified + 1) return;
  walk.behind += 1;
  if (!endsCommit) return;
  walk.commitsBehind += 1;
  if (sought !== undefined && number > sought.frames) walk.commitsBehindSought += 1;
}

/** The words of bytes in the order that the log's checksum is made in. */
function wordsOf(bytes: Buffer, isBig: boolean): Uint32Array {
  const isNative = isBig === (endianness() === "BE");
  if (isNative && bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const words = new Uint32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = isBig ? bytes.readUInt32BE(4 * i) : bytes.readUInt32LE(4 * i);
  return words;
}

/** SQLite's own checksum, over pairs of words. @returns two words without a sign */
function checksum(words: Uint32Array, from: number, count: number, [one, other]: Salts): Salts {
  let [a, b] = [one | 0, other | 0];
  for (let i = from; i < from + count; i += 2) {
    a = (a + (words[i] as number) + b) | 0;
    b = (b + (words[i + 1] as number) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}
