import { createHmac, createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { decodeMessage, encodeMessage, type FeedSeal, type ToldCommit } from "./feed-message.ts";

const seal: FeedSeal = { key: createSecretKey(Buffer.alloc(32, 1)), place: "here" };

function commit(changes: number, key = "key"): ToldCommit {
  const names = { table: "tokens", namespace: "__proto__", partition: "default" };
  return {
    partition: "default",
    index: 7,
    changes: Array.from({ length: changes }, (_, i) => ({ ...names, key: `${key}${i}` })),
  };
}

test("a message reads back as it was sent, with text of any kind", () => {
  const commits = [commit(0), commit(2, `"\\ü💥`), { ...commit(0), changes: undefined }];
  const message = { node: "n", sent: 1.5, commits };
  expect(decodeMessage(encodeMessage(message, seal) ?? "", seal)).toEqual(message);
});

test("a message that would be too long names no changes, and one that still is too long is not sent", () => {
  for (const key of ["k", "ü"]) {
    for (const changes of [100, 200, 300, 400, 1000]) {
      const text = encodeMessage({ node: "n", sent: 1, commits: [commit(1), commit(changes, key)] }, seal) ?? "";
      expect(Buffer.byteLength(text)).toBeLessThan(8000);
      const told = decodeMessage(text, seal)?.commits.map((one) => one.changes?.length);
      expect([
        [1, changes],
        [undefined, undefined],
      ]).toContainEqual(told);
    }
  }
  const many = Array.from({ length: 1000 }, () => commit(1));
  expect(encodeMessage({ node: "n", sent: 1, commits: many }, seal)).toBeUndefined();
});

test("a message of another key or another place, or with one letter changed, is passed over", () => {
  const text = encodeMessage({ node: "n", sent: 1, commits: [commit(1)] }, seal) ?? "";
  expect(decodeMessage(text, { ...seal, key: createSecretKey(Buffer.alloc(32, 2)) })).toBeUndefined();
  expect(decodeMessage(text, { ...seal, place: "there" })).toBeUndefined();
  for (let at = 0; at < text.length; at++) {
    // The characters between the proof and the rest have no meaning.
    if (at === 51 || at === 52) continue;
    const other = text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
    expect([at, decodeMessage(other, seal)]).toEqual([at, undefined]);
  }
  // A node of the version before finds its own members in it.
  expect(JSON.parse(text)).toMatchObject({ node: "n", commits: [{ partition: "default", index: 7 }] });
});

test.each([
  "",
  "null",
  "[]",
  "{}",
  "not json",
  `{"node":"n","sent":"1","commits":[]}`,
  `{"node":1,"sent":1,"commits":[]}`,
  `{"node":"n","sent":1,"commits":{}}`,
  `{"node":"n","sent":1,"commits":[null]}`,
  `{"node":"n","sent":1,"commits":[{"partition":"p"}]}`,
  `{"node":"n","sent":1,"commits":[{"partition":"p","index":1.5}]}`,
  `{"node":"n","sent":1,"commits":[{"partition":1,"index":1}]}`,
  `{"node":"n","sent":1,"commits":[{"partition":"p","index":1,"changes":["a"]}]}`,
  `{"node":"n","sent":1,"commits":[{"partition":"p","index":1,"changes":[["a","b"]]}]}`,
  `{"node":"n","sent":1,"commits":[{"partition":"p","index":1,"changes":[["a","b",3]]}]}`,
])("a payload that no node sends is passed over: %s", (payload) => {
  const mac = createHmac("sha256", seal.key)
    .update(`${seal.place}\n{${payload.slice(1)}`)
    .digest("base64url");
  for (const text of [payload, `{"mac":"${mac}",${payload.slice(1)}`])
    expect(decodeMessage(text, seal)).toBeUndefined();
});
