import { createCipheriv, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { NONCE_BYTES, openAll, type Sealed } from "./open-sealed.ts";

const KEYS = new Map(["one", "two", "three"].map((id) => [id, createSecretKey(randomBytes(32))]));

function find(id: string): KeyObject {
  const key = KEYS.get(id);
  if (key === undefined) throw new Error(`data key ${id} not found`);
  return key;
}

/** Sealed by Node's own AES-GCM. */
function seal(id: string, secret: string, place: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", find(id), nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(secret), cipher.final()]);
  const text = Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
  return { sealed: `${id}.${text}`, place };
}

/** The same with one bit of one byte turned. */
function withBit({ sealed, place }: Sealed, byte: number, bit: number): Sealed {
  const [id = "", text = ""] = sealed.split(".");
  const bytes = Buffer.from(text, "base64url");
  bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
  return { sealed: `${id}.${bytes.toString("base64url")}`, place };
}

const uuids = (count: number): Sealed[] =>
  Array.from({ length: count }, (_, index) => seal("one", `secret-${index}`.padEnd(36, "x"), `tokens/secret/${index}`));

test("many open to what they were sealed from, whatever their lengths, their keys and their letters", async () => {
  const random = randomOfRun();
  const letters = ["a", "ü", "漢", "🔑", "\u0000", "<"];
  const secrets = Array.from({ length: 300 }, (_, index) => {
    const length = index < 70 ? index : Math.floor(random() * 5000);
    return Array.from({ length }, () => letters[Math.floor(random() * letters.length)] ?? "").join("");
  });
  const ids = [...KEYS.keys()];
  const all = secrets.map((secret, index) =>
    seal(ids[Math.floor(random() * 3)] ?? "", secret, `tokens/secret/${"ß".repeat(index % 40)}${index}`),
  );
  expect(await openAll(find, all)).toEqual(secrets);
  expect(await openAll(find, all.slice(0, 1))).toEqual(secrets.slice(0, 1));
  expect(await openAll(find, [])).toEqual([]);
});

test("one turned bit anywhere keeps all of them from opening", async () => {
  const all = uuids(20);
  const bytes = NONCE_BYTES + 36 + 16;
  for (let byte = 0; byte < bytes; byte++) {
    const at = byte % all.length;
    const altered = all.with(at, withBit(all[at] ?? { sealed: "", place: "" }, byte, byte % 8));
    await expect(openAll(find, altered), `byte ${byte}`).rejects.toThrow("a sealed text does not open");
  }
});

test("texts that changed places, or lie at one more place, do not open", async () => {
  const all = uuids(20);
  const [first, second] = all as [Sealed, Sealed];
  const swapped = [{ ...first, sealed: second.sealed }, { ...second, sealed: first.sealed }, ...all.slice(2)];
  await expect(openAll(find, swapped)).rejects.toThrow("a sealed text does not open");
  await expect(openAll(find, [first, { ...second, sealed: first.sealed }])).rejects.toThrow();
  await expect(openAll(find, [first, { ...first, place: `${first.place}0` }])).rejects.toThrow();
});

test("the same change to two of them does not cancel itself out", async () => {
  const all = uuids(4);
  for (const [one, other] of [
    [0, 1],
    [1, 3],
  ] as const) {
    for (const byte of [NONCE_BYTES, NONCE_BYTES + 20, NONCE_BYTES + 36]) {
      const altered = all.map((each, index) => (index === one || index === other ? withBit(each, byte, 0) : each));
      await expect(openAll(find, altered)).rejects.toThrow("a sealed text does not open");
    }
  }
});

test("what is too short, or sealed by a key that is gone, does not open", async () => {
  const [first] = uuids(1) as [Sealed];
  await expect(openAll(find, [first, { sealed: "one.AAAA", place: "p" }])).rejects.toThrow("too short");
  await expect(openAll(find, [first, { sealed: "", place: "p" }])).rejects.toThrow("not found");
  await expect(openAll(find, [{ ...first, sealed: `none${first.sealed}` }])).rejects.toThrow("not found");
});
