import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeIn, makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { recordUses } from "./uses.ts";

interface Bucket {
  Within: string;
  Count: number;
}

const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const DAY = 86_400_000;
/** The filters of the list that fit the buckets. */
const EXPIRATION = {
  "1d": "expires-before=1d",
  "7d": "expires-after=1d&expires-before=7d",
  "30d": "expires-after=7d&expires-before=30d",
  "90d": "expires-after=30d&expires-before=90d",
  "365d": "expires-after=90d&expires-before=365d",
  later: "expires-after=365d",
  never: "expires=never",
};
const LAST_USE = {
  "1d": "used-within=1d",
  "7d": "unused-for=1d&used-within=7d",
  "30d": "unused-for=7d&used-within=30d",
  "90d": "unused-for=30d&used-within=90d",
  "365d": "unused-for=90d&used-within=365d",
  earlier: "unused-for=365d&used=ever",
  never: "used=never",
};

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const counted = async (query: string, token?: string) => {
    const { status, body, text } = await v1.get(`/acl/tokens/histogram${query}`, token);
    expect(status, text).toBe(200);
    return body as { Expiration: Bucket[]; LastUse: Bucket[] };
  };

  test("each bar counts the tokens that its filter lists", async () => {
    const namespace = v1.unique("aged");
    await makeNamespace(v1, { namespace });
    for (const [days, expires] of [
      [400, ""],
      [100, "9000h"],
      [20, "2000h"],
      [8, "700h"],
      [3, "200h"],
      [0, "72h"],
      [undefined, "12h"],
      [undefined, "9000h"],
    ] as const) {
      v1.setNow(NOW);
      const ExpirationTTL = expires === "" ? {} : { ExpirationTTL: expires };
      v1.setNow(NOW - (days ?? 0) * DAY);
      const token = await makeIn(v1, { namespace }, "token", {});
      if (days !== undefined) {
        await v1.get("/acl/token/self", String(token["SecretID"]));
        await recordUses(v1.db, v1.uses);
      }
      v1.setNow(NOW);
      if (expires !== "") await makeIn(v1, { namespace }, "token", ExpirationTTL);
    }
    const { Expiration, LastUse } = await counted(`?ns=${namespace}`);
    expect(Object.fromEntries(Expiration.map(({ Within, Count }) => [Within, Count]))).toEqual({
      "1d": 1,
      "7d": 1,
      "30d": 2,
      "90d": 1,
      "365d": 0,
      later: 2,
      never: 8,
    });
    for (const [buckets, filters] of [
      [Expiration, EXPIRATION],
      [LastUse, LAST_USE],
    ] as const) {
      for (const { Within, Count } of buckets) {
        const { body } = await v1.get(`/acl/tokens?ns=${namespace}&${filters[Within as "1d"]}`);
        expect([Within, (body as unknown[]).length]).toEqual([Within, Count]);
      }
    }
    expect(LastUse.map(({ Count }) => Count)).toEqual([1, 1, 2, 0, 1, 1, 9]);
  });

  test("only tokens that the caller may read are counted", async () => {
    const namespace = v1.unique("own");
    await makeNamespace(v1, { namespace });
    const reader = await secretIn(v1, { namespace }, `acl = "read"`);
    const total = ({ Expiration }: { Expiration: Bucket[] }) => Expiration.reduce((sum, { Count }) => sum + Count, 0);
    const own = total(await counted(`?ns=${namespace}`, reader));
    expect(own).toBe(((await v1.get(`/acl/tokens?ns=${namespace}`, reader)).body as unknown[]).length);
    expect(total(await counted("?ns=*", reader))).toBe(own);
    expect((await v1.get("/acl/tokens/histogram?ns=default", reader)).status).toBe(403);
  });

  test.each(["used=always", "used-within=x", "used-within=0s", "expires-after=strange"])(
    "%s is refused",
    async (query) => {
      expect((await v1.get(`/acl/tokens?${query}`)).status).toBe(400);
    },
  );
});
