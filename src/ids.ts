import { randomFillSync } from "node:crypto";

/** Letters and digits that cannot be mistaken for each other. */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH = 16;
const pool = Buffer.alloc(4096);
let used = pool.length;

/** A random identifier such as `tag-Ab3kX…`: the prefix, a hyphen and 16 characters (93 bits). */
export function newId(
  prefix: "org" | "prj" | "ws" | "tag" | "tb" | "rtk" | "wh" | "tpol" | "tj" | "ti" | "del",
): string {
  let id = `${prefix}-`;
  while (id.length < prefix.length + 1 + LENGTH) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    // Six bits at a time; values past the alphabet are thrown away, so that every character is as likely.
    const character = ALPHABET[(pool[used++] ?? 0) & 63];
    if (character !== undefined) id += character;
  }
  return id;
}
