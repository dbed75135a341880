/**
 * Opens sealed texts: one, or many of a list together. OpenSSL's part of opening a short secret is a tenth of what it costs to
 * set a cipher up for it, so that many share two ciphers; the arithmetic stays OpenSSL's. See decision 25.
 */
import { createCipheriv, createDecipheriv, timingSafeEqual, type KeyObject } from "node:crypto";

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const BLOCK_BYTES = 16;

/** A text that is sealed, and the place that it is bound to. */
export interface Sealed {
  sealed: string;
  place: string;
}

/** Gives the data key of an ID. @throws Error when there is none */
export type FindKey = (id: string) => KeyObject | Promise<KeyObject>;

/** Opens one. @throws Error when it was moved from another place or altered */
export function decrypt(key: KeyObject, text: string, place: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** The ID of the key that something was sealed with, and the rest. */
export function splitSealed(sealed: string): { id: string; text: string } {
  const dot = sealed.indexOf(".");
  return { id: sealed.slice(0, dot), text: sealed.slice(dot + 1) };
}

/**
 * Opens many, in their order.
 *
 * @throws Error when one of them was moved from another place or altered; which one, `decrypt` says
 */
export async function openAll(find: FindKey, all: readonly Sealed[]): Promise<string[]> {
  const byKey = new Map<string, { text: string; place: string; index: number }[]>();
  for (const [index, { sealed, place }] of all.entries()) {
    const { id, text } = splitSealed(sealed);
    const group = byKey.get(id);
    if (group === undefined) byKey.set(id, [{ text, place, index }]);
    else group.push({ text, place, index });
  }
  const opened: string[] = [];
  for (const [id, group] of byKey) {
    const texts = openTogether(await find(id), group);
    for (const [at, { index }] of group.entries()) opened[index] = texts[at] ?? "";
  }
  return opened;
}

/**
 * AES-GCM of many short texts with two ciphers. One enciphers all blocks of all key streams. The other proves all tags at
 * once: what GHASH makes of each text and its place, less what its tag says, has to be nothing, so all of them behind each
 * other have to be nothing as well. A text that was altered passes as it would pass GCM itself in a message as long as all
 * of them: with a chance of one in 2¹¹⁰.
 */
function openTogether(key: KeyObject, group: readonly { text: string; place: string }[]): string[] {
  let capacity = 0;
  for (const { text, place } of group) capacity += text.length + place.length * 3 + 5 * BLOCK_BYTES;
  const sealed = scratch(0, capacity);
  const blocks = scratch(1, capacity);
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.length);
  const starts: number[] = [];
  let [end, used] = [0, 0];
  for (const { text } of group) {
    starts.push(end);
    const start = end;
    end += sealed.write(text, start, "base64url");
    const length = end - start - NONCE_BYTES - TAG_BYTES;
    if (length < 0) throw new Error("a sealed text is too short");
    const [one, two, three] = [
      sealed.readUInt32BE(start),
      sealed.readUInt32BE(start + 4),
      sealed.readUInt32BE(start + 8),
    ];
    for (let counter = 1; counter <= blocksOf(length) + 1; counter++, used += BLOCK_BYTES) {
      view.setUint32(used, one);
      view.setUint32(used + 4, two);
      view.setUint32(used + 8, three);
      view.setUint32(used + 12, counter);
    }
  }
  starts.push(end);
  const stream = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(blocks.subarray(0, used));
  const proof = scratch(2, capacity).fill(0);
  const opened: string[] = [];
  let [at, from] = [0, 0];
  for (const [index, { place }] of group.entries()) {
    const start = (starts[index] ?? 0) + NONCE_BYTES;
    const tag = (starts[index + 1] ?? 0) - TAG_BYTES;
    const length = tag - start;
    const placeLength = proof.write(place, at);
    at += blocksOf(placeLength) * BLOCK_BYTES;
    sealed.copy(proof, at, start, tag);
    at += blocksOf(length) * BLOCK_BYTES;
    // Lengths in bits, in 64 bits each; the upper halves are nothing.
    proof.writeUInt32BE(placeLength * 8, at + 4);
    proof.writeUInt32BE(length * 8, at + 12);
    at += BLOCK_BYTES;
    for (let byte = 0; byte < TAG_BYTES; byte++)
      proof[at + byte] = byteOf(sealed, tag + byte) ^ byteOf(stream, from + byte);
    at += BLOCK_BYTES;
    from += BLOCK_BYTES;
    for (let byte = 0; byte < length; byte++)
      stream[from + byte] = byteOf(sealed, start + byte) ^ byteOf(stream, from + byte);
    opened.push(stream.toString("utf8", from, from + length));
    from += blocksOf(length) * BLOCK_BYTES;
  }
  stream.fill(0);
  if (!isNothing(key, proof.subarray(0, at))) throw new Error("a sealed text does not open");
  return opened;
}

/** Size up to which buffers are kept between slices. New ones would be collected more often than anything else. */
const KEPT_BYTES = 1024 * 1024;

const kept: Buffer[] = [];

/**
 * Returns room for use until the caller returns. It never contains open text.
 *
 * @param place distinguishes buffers that are used together
 */
function scratch(place: 0 | 1 | 2 | 3, bytes: number): Buffer {
  const room = kept[place];
  if (room !== undefined && room.length >= bytes) return room.subarray(0, bytes);
  const made = Buffer.alloc(bytes);
  if (bytes <= KEPT_BYTES) kept[place] = made;
  return made;
}

function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES);
}

function byteOf(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0;
}

/** Whether GHASH of these blocks is that of as many zeros: what else goes into the tag of a message is the same for both. */
function isNothing(key: KeyObject, blocks: Buffer): boolean {
  return timingSafeEqual(tagOf(key, blocks), tagOf(key, scratch(3, blocks.length)));
}

/** The tag of a message without a text. It is compared here and never told, so that the nonce may be the same each time. */
function tagOf(key: KeyObject, data: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, Buffer.alloc(NONCE_BYTES)).setAAD(data);
  cipher.final();
  return cipher.getAuthTag();
}
