import { expect, test } from "vitest";
import { decodeMessage, encodeMessage, type ToldCommit } from "./feed-message.ts";

function commit(changes: number, key = "key"): ToldCommit {
  const names = { table: "tokens", namespace: "__proto__", partition: "default" };
  return {
    partition: "default",
    index: 7,
    changes: Array.from({ length: changes }, (_, i) => ({ ...names, key: `${key}${i}` })),
  };
}

test("a message reads back as it was sent, with text of any kind", () => {
  const message = { node: "n", commits: [commit(0), commit(2, `"\\ü💥`), { ...commit(0), changes: undefined }] };
  expect(decodeMessage(encodeMessage(message) ?? "")).toEqual(message);
});

test("a message that would be too long names no changes, and one that still is too long is not sent", () => {
  for (const key of ["k", "ü"]) {
    for (const changes of [100, 200, 300, 400, 1000]) {
      const text = encodeMessage({ node: "n", commits: [commit(1), commit(changes, key)] }) ?? "";
      expect(Buffer.byteLength(text)).toBeLessThan(8000);
      const told = decodeMessage(text)?.commits.map((one) => one.changes?.length);
      expect([
        [1, changes],
        [undefined, undefined],
      ]).toContainEqual(told);
    }
  }
  expect(encodeMessage({ node: "n", commits: Array.from({ length: 1000 }, () => commit(1)) })).toBeUndefined();
});

test.each([
  "",
  "null",
  "[]",
  "{}",
  "not json",
  `{"node":1,"commits":[]}`,
  `{"node":"n","commits":{}}`,
  `{"node":"n","commits":[null]}`,
  `{"node":"n","commits":[{"partition":"p"}]}`,
  `{"node":"n","commits":[{"partition":"p","index":1.5}]}`,
  `{"node":"n","commits":[{"partition":1,"index":1}]}`,
  `{"node":"n","commits":[{"partition":"p","index":1,"changes":["a"]}]}`,
  `{"node":"n","commits":[{"partition":"p","index":1,"changes":[["a","b"]]}]}`,
  `{"node":"n","commits":[{"partition":"p","index":1,"changes":[["a","b",3]]}]}`,
])("a payload that no node sends is passed over: %s", (payload) => {
  expect(decodeMessage(payload)).toBeUndefined();
});
