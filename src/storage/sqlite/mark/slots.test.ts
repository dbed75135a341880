import { createSecretKey, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/engines.ts";
import { decodeSlot, encodeSlot, isOurs, markPath, readMark, type Slot, SLOT_BYTES } from "./slots.ts";

const KEY = createSecretKey(randomBytes(32));

const slot = (sequence: number): Slot => ({
  sequence,
  instance: "00112233445566778899aabbccddeeff",
  kind: "live",
  salts: [0xffff_fffe, 7],
  frames: 12,
  copied: 3,
  sums: [1, 0xf000_0000],
  pageSize: 4096,
  commit: 2 ** 40,
  copiedCommit: 5,
  commitBefore: 4,
  at: 1_796_000_000_000,
  boot: "ffeeddccbbaa99887766554433221100",
  counted: 2 ** 41,
});

/** A database whose mark has these two slots. */
function withSlots(...slots: (Buffer | undefined)[]): string {
  const path = join(temporaryDirectory(), "tessera.db");
  const bytes = Buffer.alloc(2 * SLOT_BYTES);
  for (const [i, each] of slots.entries()) each?.copy(bytes, i * SLOT_BYTES);
  writeFileSync(markPath(path), bytes);
  return path;
}

test("a slot is read as it was written, and known by who has its key", () => {
  const read = decodeSlot(encodeSlot(slot(9), KEY));
  expect(read).toMatchObject(slot(9));
  expect(read !== undefined && isOurs(read, KEY)).toBe(true);
  expect(read !== undefined && isOurs(read, createSecretKey(randomBytes(32)))).toBe(false);
});

test("a slot with any byte changed is none, or is nobody's", () => {
  const whole = encodeSlot(slot(9), KEY);
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8((bytes[at] ?? 0) ^ 0x10, at);
    const read = decodeSlot(bytes);
    expect([at, read !== undefined && isOurs(read, KEY)]).toEqual([at, false]);
  }
});

test("the later of two slots counts, whichever is first, and the earlier where that one is torn", () => {
  const [early, late] = [encodeSlot(slot(8), KEY), encodeSlot(slot(9), KEY)];
  for (const path of [withSlots(early, late), withSlots(late, early)]) {
    expect(readMark(path)).toMatchObject({ state: "read", torn: false, slot: { sequence: 9 } });
  }
  const torn = Buffer.concat([late.subarray(0, 90), early.subarray(90)]);
  expect(readMark(withSlots(early, torn))).toMatchObject({ state: "read", torn: true, slot: { sequence: 8 } });
});

test("no mark, and one that cannot be read, are told apart", () => {
  expect(readMark(join(temporaryDirectory(), "none"))).toEqual({ state: "none" });
  expect(readMark(withSlots())).toEqual({ state: "unreadable" });
});
