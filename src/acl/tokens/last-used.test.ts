import { beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { withClient } from "../../../test/support/postgres-schema.ts";
import { loginIn, makeIn, makeMethodIn } from "../../../test/support/scopes.ts";
import { readCounter } from "../../../test/support/storage.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import type { FeedEvent } from "../../storage/feed/feed.ts";
import { countByAge, noteUsesSince } from "./use-store.ts";
import { createTokenUses, recordUses } from "./uses.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const DAY = 24 * 3_600_000;
/** As answers show it. */
const at = (offset: number) => new Date(NOW + offset).toISOString().replace(/\.?0+Z$/, "Z");

forEachEngine((engine, makeUrl) => {
  let database = "";
  const v1 = useV1(async () => (database = await makeUrl()));
  beforeEach(() => v1.setNow(NOW));

  let reads = 0;
  /** Lists are shared by those who ask in the same second. */
  async function used(accessor: string): Promise<string | undefined> {
    const now = v1.now();
    reads += 1;
    v1.setNow(now + reads * 1000);
    const path = `/acl/token/${accessor}`;
    const read = (await v1.get(path)).body.LastUsed as string | undefined;
    const lists = await Promise.all(
      ["/acl/tokens", "/acl/tokens?page-size=1000", "/acl/tokens?pretty"].map((url) => v1.get(url)),
    );
    for (const { body } of lists) {
      const [listed] = (body as { AccessorID: string; LastUsed?: string }[]).filter(
        (each) => each.AccessorID === accessor,
      );
      expect(listed?.LastUsed).toBe(read);
    }
    v1.setNow(now);
    return read;
  }

  test("a token has no last use before it is used, and then that of its first use on the day, on reads and lists alike", async () => {
    const { accessor, secret } = await v1.token();
    expect(await used(accessor)).toBeUndefined();
    expect((await v1.get("/acl/token/self", secret)).body).not.toHaveProperty("LastUsed");
    await recordUses(v1.db, v1.uses);
    expect(await used(accessor)).toBe(at(0));
    v1.setNow(NOW + 3000);
    expect((await v1.get("/acl/token/self", secret)).body.LastUsed).toBe(at(0));
    v1.setNow(NOW + 6 * 3_600_000);
    await v1.get("/acl/token/self", secret);
    await recordUses(v1.db, v1.uses);
    expect(await used(accessor)).toBe(at(0));
    v1.setNow(NOW + DAY);
    await v1.get("/acl/token/self", secret);
    await recordUses(v1.db, v1.uses);
    expect(await used(accessor)).toBe(at(DAY));
    v1.setNow(NOW + DAY + 3000);
    expect((await v1.get("/acl/token/self", secret)).body.LastUsed).toBe(at(DAY));
  });

  test("what both families and the URL of a request present counts, and a login alone does not", async () => {
    // Identity providers issue assertions with the real time.
    v1.setNow(undefined);
    const scope = { partition: "default", namespace: "default" };
    await makeMethodIn(v1, scope);
    await makeIn(v1, scope, "binding-rule", {});
    const login = await loginIn(v1, scope);
    await recordUses(v1.db, v1.uses);
    expect(await used(login.AccessorID)).toBeUndefined();
    await v1.get("/acl/token/self", login.SecretID);
    const [api, inUrl] = [await v1.token(), await v1.token()];
    await v1.api("GET", "/account/details", undefined, api.secret);
    await v1.get(`/agent/self?token=${inUrl.secret}`, "");
    await recordUses(v1.db, v1.uses);
    for (const accessor of [login.AccessorID, api.accessor, inUrl.accessor])
      expect(await used(accessor)).toMatch(/^20/);
  });

  test("it may be sent back as it was read, and changes nothing", async () => {
    const { accessor, secret } = await v1.token();
    await v1.get("/acl/token/self", secret);
    await recordUses(v1.db, v1.uses);
    const { body } = await v1.get(`/acl/token/${accessor}`);
    expect(body.LastUsed).toBe(at(0));
    const sent = { ...body, Description: "again", LastUsed: "2030-01-01T00:00:00Z" };
    const changed = await v1.put(`/acl/token/${accessor}`, sent);
    expect(changed).toMatchObject({ status: 200, body: { Description: "again", LastUsed: at(0) } });
    expect((await v1.put(`/acl/token/${accessor}`, { LastUsed: "yesterday" })).status).toBe(400);
  });

  test("it moves no index, tells nobody, and is written once a token and day", async () => {
    const tokens = await Promise.all(Array.from({ length: 30 }, () => v1.token()));
    const before = (await v1.get("/acl/tokens")).headers["x-service-index"];
    await recordUses(v1.db, v1.uses);
    const events: FeedEvent[] = [];
    const stop = v1.db.feed.subscribe({ onCommitted: (event) => event.partition === "default" && events.push(event) });
    for (const { secret } of tokens) await v1.get("/acl/token/self", secret);
    const root = async () => Number(await readCounter(v1.db, "root"));
    const written = await root();
    await recordUses(v1.db, v1.uses);
    for (const { secret } of tokens) await v1.get("/acl/token/self", secret);
    await recordUses(v1.db, v1.uses);
    expect(await root()).toBe(written + 1);
    stop();
    expect(events).toEqual([]);
    expect((await v1.get("/acl/tokens")).headers["x-service-index"]).toBe(before);
    expect(await used(tokens[29]?.accessor ?? "")).toBe(at(0));
  });

  test("a token that is made again under the AccessorID of another was not used", async () => {
    const { accessor, secret } = await v1.token();
    await v1.get("/acl/token/self", secret);
    await recordUses(v1.db, v1.uses);
    await v1.get("/acl/token/self", secret);
    expect((await v1.delete(`/acl/token/${accessor}`)).status).toBe(200);
    const again = await v1.token({ AccessorID: accessor });
    await recordUses(v1.db, v1.uses);
    expect(await used(accessor)).toBeUndefined();
    await v1.get("/acl/token/self", again.secret);
    await recordUses(v1.db, v1.uses);
    expect(await used(accessor)).toBe(at(0));
  });

  test("what storage does not take now is written later, and what is gone meanwhile is passed over", async () => {
    const [stays, goes] = [await v1.token(), await v1.token()];
    await recordUses(v1.db, v1.uses);
    for (const { secret } of [stays, goes]) await v1.get("/acl/token/self", secret);
    const away = { ...v1.db, inTransaction: () => Promise.reject(new Error("away")) };
    await expect(recordUses(away, v1.uses)).rejects.toThrow("away");
    await v1.delete(`/acl/token/${goes.accessor}`);
    await recordUses(v1.db, v1.uses);
    expect(await used(stays.accessor)).toBe(at(0));
    const rows = await v1.db.sql
      .selectFrom("token_uses")
      .selectAll()
      .where("accessor_id", "=", goes.accessor)
      .execute();
    expect(rows).toEqual([]);
  });

  test("uses of others are written where a token is deleted at the same moment", async () => {
    const [stays, goes] = [await v1.token(), await v1.token()];
    await recordUses(v1.db, v1.uses);
    for (const { secret } of [goes, stays]) await v1.get("/acl/token/self", secret);
    // SQLite has one writer.
    if (engine === "sqlite") {
      await Promise.all([v1.delete(`/acl/token/${goes.accessor}`), recordUses(v1.db, v1.uses)]);
    } else {
      await withClient(database, async (deleting) => {
        await deleting.query("begin");
        await deleting.query("delete from tokens where accessor_id = $1", [goes.accessor]);
        const recorded = recordUses(v1.db, v1.uses);
        const waits = "select 1 from pg_locks where not granted";
        await expect.poll(async () => (await deleting.query(waits)).rowCount, { interval: 10 }).not.toBe(0);
        await deleting.query("commit");
        await recorded;
      });
    }
    expect(await used(stays.accessor)).toBe(at(0));
  });

  test("lists are filtered by how long tokens were not used, to the day, and by when they end", async () => {
    await noteUsesSince(v1.db, NOW - 200 * DAY);
    const Description = "filtered";
    v1.setNow(NOW - 100 * DAY);
    const [never, old, recent] = [
      await v1.token({ Description }),
      await v1.token({ Description }),
      await v1.token({ Description }),
    ];
    await v1.get("/acl/token/self", old.secret);
    await recordUses(v1.db, v1.uses);
    v1.setNow(NOW - 30 * DAY);
    await v1.get("/acl/token/self", recent.secret);
    await recordUses(v1.db, v1.uses);
    v1.setNow(NOW);
    const fresh = await v1.token({ Description, ExpirationTTL: "48h" });
    const found = async (query: string) => {
      const { body, status, text } = await v1.get(`/acl/tokens?search=filtered&${query}`);
      expect(status, text).toBe(200);
      return (body as { AccessorID: string }[]).map(({ AccessorID }) => AccessorID).toSorted();
    };
    const ids = (...tokens: { accessor: string }[]) => tokens.map(({ accessor }) => accessor).toSorted();
    expect(await found("unused-for=90d")).toEqual(ids(never, old));
    expect(await found("unused-for=720h")).toEqual(ids(never, old));
    expect(await found("unused-for=29d")).toEqual(ids(never, old, recent));
    expect(await found("unused-for=101d")).toEqual([]);
    expect(await found("unused-for=99d23h&page-size=10")).toEqual(ids(never));
    expect(await found("expires-before=3d")).toEqual(ids(fresh));
    expect(await found("expires-before=1d")).toEqual([]);
    expect(await found(`expires-before=${at(2 * DAY + 1)}`)).toEqual(ids(fresh));
    expect(await found(`expires-before=${at(2 * DAY)}`)).toEqual([]);
    expect(await found("expires-before=999999h")).toEqual(ids(fresh));
  });

  test("a token that was never seen used counts as unused only for as long as uses are noted", async () => {
    await noteUsesSince(v1.db, NOW - 200 * DAY);
    // The first one counts.
    await noteUsesSince(v1.db, NOW - 400 * DAY);
    v1.setNow(NOW - 300 * DAY);
    const { accessor } = await v1.token({ Description: "from before" });
    v1.setNow(NOW);
    const found = async (query: string) => (await v1.get(`/acl/tokens?search=from before&${query}`)).body as unknown[];
    expect(await found("unused-for=199d")).toMatchObject([{ AccessorID: accessor }]);
    expect(await found("unused-for=250d")).toEqual([]);
  });

  describe("a bad time is refused", () => {
    test.each([
      "unused-for=x",
      "unused-for=-1d",
      "unused-for=0s",
      "unused-for=1d-1h",
      "unused-for=9999999d",
      "expires-before=2026-13-01T00:00:00Z",
      "expires-before=soon",
      "unused=90d",
    ])("%s", async (query) => {
      expect((await v1.get(`/acl/tokens?${query}`)).status).toBe(400);
    });
  });

  test("tokens are counted by age, those that were used apart from those that were not", async () => {
    const counts = async () => {
      const found = await countByAge(v1.db.long, v1.now());
      return Object.fromEntries(found.map(({ age, used: isUsed, count }) => [`${isUsed} ${age}`, count]));
    };
    v1.setNow(NOW + 1000 * DAY);
    const before = await counts();
    const { secret } = await v1.token();
    await v1.token();
    await v1.get("/acl/token/self", secret);
    await recordUses(v1.db, v1.uses);
    const after = await counts();
    expect(after["no <1d"]).toBe((before["no <1d"] ?? 0) + 1);
    // The management token among them.
    expect(after["yes <1d"]).toBeGreaterThan(before["yes <1d"] ?? 0);
    v1.setNow(NOW + 1008 * DAY);
    expect((await counts())["no <30d"]).toBe(1);
    const scrape = () =>
      v1.send({ method: "GET", url: "/metrics", headers: { authorization: `Bearer ${MANAGEMENT}` } });
    await expect.poll(async () => (await scrape()).text).toMatch(/tessera_tokens\{age="<30d",used="no"\} 1\n/);
  });
});

test("what is remembered of uses is bounded, and what has no room is noted at its next use", () => {
  const uses = createTokenUses();
  const count = 65_536;
  for (let index = 0; index < count; index++) expect(uses.note([`token-${index}`, 1, NOW])).toBe(true);
  expect(uses.note(["one more", 1, NOW])).toBe(false);
  const taken = uses.take(10);
  expect(taken).toHaveLength(10);
  expect(uses.note(["one more", 1, NOW])).toBe(true);
  uses.giveBack(taken);
  expect(uses.take(Infinity)).toHaveLength(count);
  expect(uses.note(["one more", 1, NOW + 1000])).toBe(true);
  expect(uses.take(Infinity)).toEqual([]);
  expect(uses.note(["one more", 1, NOW + DAY])).toBe(true);
  expect(uses.note(["one more", 2, NOW + DAY])).toBe(true);
  expect(uses.take(Infinity)).toHaveLength(2);
});
