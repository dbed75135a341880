/** Frames of a backup, so that a test can write another backup with them. */
import { zstdDecompressSync } from "node:zlib";
import { MAGIC } from "../../src/backup/format.ts";

/** @returns the frames of a whole backup: header, rows, trailer */
export function framesOf(content: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = MAGIC.length; at < content.length;) {
    const end = at + 9 + content.readUInt32BE(at + 1);
    frames.push(content.subarray(at, end));
    at = end;
  }
  return frames;
}

/** @returns what a frame holds */
export function textOf(frame: Buffer | undefined): string {
  return zstdDecompressSync(frame?.subarray(9) ?? Buffer.alloc(0)).toString();
}

/** @returns what a frame of JSON holds */
export function contentOf(frame: Buffer | undefined): unknown {
  return JSON.parse(textOf(frame));
}
