/** Small functions of the console: quick fixes of rules, a TTL from a date, and the scope of a verification. */
import { describe, expect, it } from "vitest";
import { verify } from "../../console/src/screens/audit/verify.ts";
import { mended } from "../../console/src/screens/policies/mend.ts";
import { ttlUntil } from "../../console/src/screens/tokens/expiry.ts";

describe("a quick fix of rules", () => {
  it.each([
    ['key "a" {\n  policy = "wriet"\n}', 2, 12, "write", 'key "a" {\n  policy = "write"\n}'],
    ["sevice {}", 1, 1, "service", "service {}"],
    ['key "🔑" { policy = "raed" }', 1, 20, "read", 'key "🔑" { policy = "read" }'],
    ["acl =", 1, 6, "read", "acl ="],
    ["acl =", 9, 1, "read", "acl ="],
  ])("replaces the word at its place: %j in line %i", (rules, Line, Column, DidYouMean, wanted) => {
    expect(mended(rules, { Line, Column, DidYouMean })).toBe(wanted);
  });

  it("changes nothing without a suggestion", () => {
    expect(mended("acl = x", { Line: 1, Column: 7 })).toBe("acl = x");
  });
});

describe("a TTL until the end of a day", () => {
  const noon = new Date(2026, 4, 1, 12).getTime();

  it.each([
    ["2026-05-01", `${12 * 3600 - 1}s`],
    ["2026-05-02", `${36 * 3600 - 1}s`],
    ["2026-04-30", undefined],
    ["", undefined],
    ["x", undefined],
  ])("of %j is %s", (day, wanted) => {
    expect(ttlUntil(day, noon)).toBe(wanted);
  });
});

describe("a verification", () => {
  const line = (chain: string, seq: number) =>
    JSON.stringify({ type: "record", chain, seq, at: "", hash: `${chain}${seq}` });

  it("counts the records of the chains that it did not read, before its first and behind its last one", async () => {
    async function* lines() {
      // One record of each chain: what came before proves nothing here, and is counted.
      yield line("a", 41);
      yield line("b", 7);
    }
    const shown = [
      { Chain: "a", Seq: 50, Hash: "a50" },
      { Chain: "c", Seq: 99, Hash: "c99" },
    ];
    const verdict = await verify({ lines: lines(), shown, most: 10, onProgress: () => undefined });
    expect(verdict).toMatchObject({ records: 2, total: 57, chains: 2, finding: undefined, isCut: false });
  });
});
