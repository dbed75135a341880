/** Frames of a backup: how one is made, and how they are read from a stream of bytes. See `format.ts`. */
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { BackupRefused, FRAME_HEAD_BYTES, KINDS, LONGEST_FRAME_BYTES, MAGIC, type FrameKind } from "./format.ts";
import { noteLetGo } from "./memory.ts";

/** Most frames are packed into one piece, and unpacked into few. */
const CHUNK_BYTES = 64 * 1024;

/** Makes a frame. Compressed right here: threads beside would each keep memory of their own. */
export function makeFrame(kind: FrameKind, content: string): Buffer {
  const packed = zstdCompressSync(content, { chunkSize: CHUNK_BYTES });
  noteLetGo(content.length);
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt8(KINDS[kind], 0);
  head.writeUInt32BE(packed.length, 1);
  head.writeUInt32BE(sumOf(head, packed), 5);
  return Buffer.concat([head, packed]);
}

function sumOf(head: Buffer, packed: Buffer): number {
  return crc32(packed, crc32(head.subarray(0, 5)));
}

export interface Frame {
  kind: FrameKind;
  content: string;
}

/**
 * Reads the frames of a backup, one at a time.
 *
 * @param bytes of the file @param name of it, for what is said
 * @throws BackupRefused for anything that is not what was written, at the frame where it is met
 */
export async function* readFrames(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Frame> {
  const source = bufferOf(bytes);
  const magic = await source.take(MAGIC.length);
  if (magic === undefined || !magic.equals(MAGIC)) throw new BackupRefused(`${name} is not a backup of Tessera`);
  for (;;) {
    const head = await source.take(FRAME_HEAD_BYTES);
    if (head === undefined) {
      if (source.left() > 0) throw cut(name);
      return;
    }
    const kind = kindOf(head.readUInt8(0));
    const length = head.readUInt32BE(1);
    if (kind === undefined || length > LONGEST_FRAME_BYTES) throw changed(name);
    const packed = await source.take(length);
    if (packed === undefined) throw cut(name);
    if (sumOf(head, packed) !== head.readUInt32BE(5)) throw changed(name);
    const content = unpack(packed, name);
    noteLetGo(content.length);
    yield { kind, content };
  }
}

function kindOf(byte: number): FrameKind | undefined {
  return (Object.keys(KINDS) as FrameKind[]).find((kind) => KINDS[kind] === byte);
}

function unpack(packed: Buffer, name: string): string {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: LONGEST_FRAME_BYTES, chunkSize: CHUNK_BYTES }).toString();
  } catch {
    throw changed(name);
  }
}

/** Returns the error for a file that ends too early. */
export function cut(name: string): BackupRefused {
  return new BackupRefused(`${name} is truncated. Use another backup`);
}

/** Returns the error for a file that is not as it was written. */
export function changed(name: string): BackupRefused {
  return new BackupRefused(`${name} is corrupted: checksum mismatch. Use another backup`);
}

/** Gives so many bytes of a stream at a time; undefined, and takes none, where there are not so many. */
function bufferOf(bytes: AsyncIterable<Buffer>) {
  const iterator = bytes[Symbol.asyncIterator]();
  let kept: Buffer[] = [];
  let length = 0;
  return {
    left: () => length,
    async take(wanted: number): Promise<Buffer | undefined> {
      while (length < wanted) {
        const { value, done } = await iterator.next();
        if (done === true) return undefined;
        kept.push(value);
        length += value.length;
      }
      const all = kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept);
      kept = [all.subarray(wanted)];
      length -= wanted;
      return all.subarray(0, wanted);
    },
  };
}
