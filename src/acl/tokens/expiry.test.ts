import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import type { FeedEvent } from "../../storage/feed/feed.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { expiredTokens } from "./expired.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const MINUTE = 60_000;
const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));
  const rows = async (ids: readonly string[]) =>
    (await v1.db.sql.selectFrom("tokens").select("accessor_id").where("accessor_id", "in", ids).execute()).length;

  describe("a time of expiry is taken", () => {
    const cases: readonly [what: string, body: object, expires: string][] = [
      ["as a duration", { ExpirationTTL: "1h30m" }, "2026-01-02T04:34:05.678Z"],
      ["as nanoseconds", { ExpirationTTL: 90e9 }, "2026-01-02T03:05:35.678Z"],
      ["of exactly one minute", { ExpirationTTL: "60s" }, "2026-01-02T03:05:05.678Z"],
      ["as a time", { ExpirationTime: "2026-02-01T00:00:00Z" }, "2026-02-01T00:00:00Z"],
      [
        "as a time with a fraction",
        { ExpirationTime: "2026-02-01T00:00:00.123456789Z" },
        "2026-02-01T00:00:00.123456789Z",
      ],
      ["in another zone", { ExpirationTime: "2026-02-01T02:00:00+02:00" }, "2026-02-01T00:00:00Z"],
      ["that is the zero time and means none", { ExpirationTime: "0001-01-01T00:00:00Z" }, ""],
      ["of no length, which means none", { ExpirationTTL: 0 }, ""],
    ];
    test.each(cases)("%s", async (_what, body, expires) => {
      const answer = await v1.put("/acl/token", body);
      expect(answer, answer.text).toMatchObject({ status: 200, body: { CreateTime: "2026-01-02T03:04:05.678Z" } });
      expect(answer.body.ExpirationTime ?? "").toBe(expires);
      expect(answer.body).not.toHaveProperty("ExpirationTTL");
      const { AccessorID } = answer.body;
      expect((await v1.get(`/acl/token/${AccessorID}`)).body).toEqual(answer.body);
      // Read, changed and sent back: the time may be repeated, or left out.
      for (const next of [answer.body, { Description: "x" }]) {
        expect((await v1.put(`/acl/token/${AccessorID}`, next)).body.ExpirationTime ?? "").toBe(expires);
      }
    });

    test("of the longest duration that clients can express", async () => {
      const { body } = await v1.put("/acl/token", { ExpirationTTL: "2562047h47m16.854775807s" });
      expect(body.ExpirationTime).toMatch(/^2318-/);
    });
  });

  test("incident 29: a token works until its last millisecond, and from then on is unknown to every verb", async () => {
    const content = { ExpirationTTL: "1m", Policies: [{ Name: "global-management" }] };
    const { accessor, secret } = await v1.token(content);
    const path = `/acl/token/${accessor}`;
    const clone = { status: 400, text: "ExpirationTime cannot be less than 1m0s in the future (was 1ms)" };
    for (const offset of [0, MINUTE - 1]) {
      v1.setNow(NOW + offset);
      for (const url of ["/acl/token/self", "/acl/tokens", path]) expect((await v1.get(url, secret)).status).toBe(200);
      expect((await v1.api("GET", "/account/details", undefined, secret)).status).toBe(200);
      expect((await v1.get("/acl/tokens")).text).toContain(accessor);
      expect((await v1.patch(path, {})).status).toBe(200);
    }
    expect(await v1.put(`${path}/clone`)).toMatchObject(clone);
    for (const offset of [MINUTE, MINUTE + 1, 1000 * MINUTE]) {
      v1.setNow(NOW + offset);
      for (const url of ["/acl/token/self", "/acl/tokens", path]) {
        expect(await v1.get(url, secret)).toMatchObject({ status: 403, text: "ACL not found" });
      }
      expect((await v1.api("GET", "/account/details", undefined, secret)).status).toBe(401);
      expect((await v1.get("/acl/tokens")).text).not.toContain(accessor);
      expect(await v1.get(path)).toMatchObject({ status: 404, text: "token has expired: ACL not found" });
      expect(await v1.put(`${path}/clone`)).toMatchObject({ status: 404, text: "token is expired: ACL not found" });
      for (const change of [v1.put, v1.patch]) {
        expect(await change(path, {})).toMatchObject({ status: 404, text: `Cannot find token "${accessor}"` });
      }
      expect(await v1.delete(path)).toMatchObject({ status: 404, text: "Cannot find token to delete" });
    }
    expect(await rows([accessor])).toBe(1);
  });

  test("a clone ends when the other does", async () => {
    const { accessor } = await v1.token({ ExpirationTTL: "1h" });
    v1.setNow(NOW + 30 * MINUTE);
    const { body } = await v1.put(`/acl/token/${accessor}/clone`);
    expect(body).toMatchObject({ ExpirationTime: at(60 * MINUTE), CreateTime: at(30 * MINUTE) });
  });

  test("a damaged row of a token whose time has come stays, and keeps no other", async () => {
    const make = async (ExpirationTTL: string) => (await v1.token({ ExpirationTTL })).accessor;
    const damaged = await make("1m");
    const others = [await make("2m"), await make("3m")];
    await v1.past({ kind: "root" }, async (tx) =>
      tx.write(tx.sql.updateTable("tokens").set({ description: "damaged" }).where("accessor_id", "=", damaged)),
    );
    onTestFinished(() => v1.write((sql) => sql.deleteFrom("tokens").where("accessor_id", "=", damaged)));
    v1.setNow(NOW + 60 * MINUTE);
    const errors: unknown[] = [];
    const removal = startRemoval(v1.db, expiredTokens(v1.db, v1.now), (error) => errors.push(error));
    onTestFinished(() => removal.stop());
    await expect.poll(() => rows(others)).toBe(0);
    expect(await rows([damaged])).toBe(1);
    expect(errors).toEqual([]);
  });

  test("the rows of tokens whose time has come, of every namespace, are removed in batches, and no others", async () => {
    const make = async (ExpirationTTL?: string) => (await v1.token({ ExpirationTTL })).accessor;
    const [first, other, later, never] = [await make("1m"), await make("2m"), await make("3m"), await make()];
    const gone = [other, ...(await Promise.all(Array.from({ length: 120 }, () => make("2m"))))];
    await v1.write((sql) => sql.updateTable("tokens").set({ namespace: "team" }).where("accessor_id", "=", other));
    const told = new Map<string, string>();
    const hear = (event: FeedEvent) => ("all" in event ? undefined : told.set(event.key, event.namespace));
    onTestFinished(v1.db.feed.subscribe({ onDurable: hear }));
    const errors: unknown[] = [];
    v1.setNow(NOW + 2 * MINUTE - 1);
    const removal = startRemoval(v1.db, expiredTokens(v1.db, v1.now), (error) => errors.push(error));
    onTestFinished(() => removal.stop());
    await expect.poll(() => rows([first])).toBe(0);
    expect(await rows(gone)).toBe(121);
    const index = async () => Number((await v1.get("/acl/tokens")).headers["x-service-index"]);
    const before = await index();
    v1.setNow(NOW + 2 * MINUTE);
    await expect.poll(() => rows(gone)).toBe(0);
    expect(await rows([later, never])).toBe(2);
    expect(errors).toEqual([]);
    // Its deletes are told as any others, each where the token was.
    expect(await index()).toBeGreaterThan(before);
    const places = () => [other, ...gone.slice(1)].map((accessor) => told.get(accessor));
    await expect.poll(places, { timeout: 10_000 }).toEqual(["team", ...gone.slice(1).map(() => "default")]);
    expect(await v1.get(`/acl/token/${gone[1]}`)).toMatchObject({ text: "token does not exist: ACL not found" });
  });
});
