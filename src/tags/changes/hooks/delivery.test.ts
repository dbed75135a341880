import { expect, onTestFinished, test } from "vitest";
import { writeChanges } from "../../../../test/support/changes.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { makeOrganization, openForTest } from "../../../../test/support/storage.ts";
import { signatureOf, startTarget } from "../../../../test/support/webhook-target.ts";
import type { Database } from "../../../storage/database.ts";
import { retryAfter } from "./delivery.ts";
import { createTargets } from "../../../outbound/targets.ts";
import { tokenPlace } from "./send.ts";
import { insertWebhook, type Webhook } from "./store.ts";
import { startDeliveries } from "./worker.ts";

const MADE: Webhook = {
  id: "",
  organizationId: "",
  name: "n",
  url: "",
  enabled: 1,
  tokenSealed: "",
  kinds: "[]",
  actions: "[]",
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
  position: 0,
  failures: 0,
  retryAt: 0,
  failingSince: "",
  deliveredAt: "",
  deliveryStatus: "",
  skippedAt: "",
};

/** A webhook of an organization that is made unless it is there. */
async function addWebhook(
  db: Database,
  { id, organizationId = "org", ...more }: Partial<Webhook> & { id: string },
): Promise<void> {
  const known = await db.sql.selectFrom("organizations").select("id").where("id", "=", organizationId).execute();
  if (known.length === 0) await makeOrganization(db, organizationId);
  await db.inTransaction({ kind: "organization", id: organizationId }, async (tx) =>
    insertWebhook(tx, { ...MADE, ...more, id, organizationId }),
  );
}

function stateOf(db: Database, id: string) {
  return db.sql.selectFrom("tag_webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** A clock that only the test moves, in milliseconds. */
interface Clock {
  readonly start: number;
  ahead: number;
}

/** Starts the worker; it is stopped with the test. @param clock the real one when left out */
function start(db: Database, { clock, allow = ["127.0.0.1"] }: { clock?: Clock; allow?: string[] } = {}) {
  const errors: unknown[] = [];
  const now = () => (clock === undefined ? Date.now() : clock.start + clock.ahead);
  const services = { db, now, askFor: createTargets({ outboundAllow: allow }) };
  const deliveries = startDeliveries(services, (error) => errors.push(error));
  onTestFinished(async () => {
    await deliveries.stop();
    expect(errors).toEqual([]);
  });
  return deliveries;
}

const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `${name}${index}` }));
const namesOf = (count: number, name: string) => many(count, name).map((change) => change.name);

forEachEngine((_engine, makeUrl) => {
  test("tells records in their order, a hundred at a time, signed with the secret", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    const tokenSealed = await db.keyring.seal("schlüssel", tokenPlace("wh-1"));
    await addWebhook(db, { id: "wh-1", url: target.url, tokenSealed });
    await writeChanges(db, "org", [...many(250, "w"), { name: "umlaut-ä", details: { text: "ä€" } }]);
    const deliveries = start(db);
    await expect.poll(() => target.names()).toEqual([...namesOf(250, "w"), "umlaut-ä"]);
    expect(target.taken.map(({ events }) => events.length)).toEqual([100, 100, 51]);
    for (const { text, signature } of target.asked) expect(signature).toBe(signatureOf(text, "schlüssel"));
    expect(target.taken[0]).toMatchObject({ webhook: "wh-1", organization: "org" });
    expect(target.taken[0]?.events[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: "changes",
      attributes: {
        kind: "workspace",
        action: "tags-changed",
        "object-id": "ws-w0",
        name: "w0",
        details: {},
        at: expect.any(String),
        "accessor-id": "writer",
        "request-id": "req-test",
        "job-id": null,
      },
    });
    await expect.poll(async () => (await stateOf(db, "wh-1")).delivery_status).toBe("204");
    await expect.poll(() => deliveries.progress()).toMatchObject({ delivered: 3, failed: 0, pending: 0 });
    await writeChanges(db, "org", [{ name: "later" }]);
    await expect.poll(() => target.names().at(-1)).toBe("later");
    expect(target.taken).toHaveLength(4);
  });

  test("tells only what is asked for, without a secret unsigned, and nothing while it is not enabled", async () => {
    const db = await openForTest(await makeUrl());
    const [target, off] = [await startTarget(), await startTarget()];
    await addWebhook(db, { id: "wh-1", url: target.url, kinds: '["tag","project"]', actions: '["deleted"]' });
    await addWebhook(db, { id: "wh-2", url: off.url, enabled: 0 });
    await writeChanges(db, "org", [
      ...many(300, "w"),
      { name: "made", kind: "tag", action: "created" },
      { name: "gone", kind: "tag", action: "deleted" },
      { name: "workspace", kind: "workspace", action: "deleted" },
    ]);
    start(db);
    await expect.poll(() => target.names()).toEqual(["gone"]);
    expect(target.asked.map(({ signature }) => signature)).toEqual([undefined]);
    expect(off.asked).toEqual([]);
    await db.inTransaction({ kind: "organization", id: "org" }, async (tx) =>
      tx.write(tx.sql.updateTable("tag_webhooks").set({ enabled: 1 }).where("id", "=", "wh-2")),
    );
    await expect.poll(() => off.names()).toHaveLength(303);
  });

  test.each([
    ["a status that is no success", 500, "500"],
    ["a redirect", 302, expect.stringMatching(/redirect, which the server does not follow$/)],
    ["a connection that ends", (response: { destroy(): void }) => response.destroy(), expect.stringMatching(/closed/)],
  ] as const)("after %s the same is sent again, later each time, until it is taken", async (_what, answer, status) => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    target.answer = answer;
    await addWebhook(db, { id: "wh-1", url: target.url });
    await writeChanges(db, "org", [{ name: "a" }]);
    const clock = { start: Date.now(), ahead: 0 };
    const deliveries = start(db, { clock });
    const waits: number[] = [];
    for (let failures = 1; failures <= 4; failures++) {
      await expect.poll(async () => (await stateOf(db, "wh-1")).failures).toBe(failures);
      const state = await stateOf(db, "wh-1");
      expect(state).toMatchObject({ position: 0, delivery_status: status });
      waits.push(state.retry_at - Date.parse(state.delivered_at));
      expect(target.asked).toHaveLength(failures);
      clock.ahead += waits.at(-1) ?? 0;
    }
    for (const [failures, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(1000 * 2 ** failures);
      expect(wait).toBeLessThanOrEqual(2000 * 2 ** failures);
    }
    await expect.poll(() => deliveries.progress().failing).toBe(1);
    await writeChanges(db, "org", [{ name: "b" }]);
    target.answer = 200;
    clock.ahead += 3_600_000;
    await expect.poll(() => target.names()).toEqual(["a", "b"]);
    await expect.poll(() => stateOf(db, "wh-1")).toMatchObject({ failures: 0, failing_since: "", retry_at: 0 });
  });

  test("a target that does not answer holds up no other, of its organization or another one", async () => {
    const db = await openForTest(await makeUrl());
    const [slow, fast] = [await startTarget(), await startTarget()];
    slow.answer = () => undefined;
    await addWebhook(db, { id: "wh-slow", url: slow.url });
    await addWebhook(db, { id: "wh-fast", url: fast.url });
    await addWebhook(db, { id: "wh-other", url: fast.url, organizationId: "other" });
    await writeChanges(db, "org", [{ name: "a" }]);
    const deliveries = start(db);
    await expect.poll(() => slow.asked.length).toBe(1);
    for (const name of ["b", "c"]) {
      await writeChanges(db, "org", [{ name }]);
      await writeChanges(db, "other", [{ name: `other-${name}` }]);
      await expect.poll(() => fast.names()).toEqual(expect.arrayContaining([name, `other-${name}`]));
    }
    expect(slow.asked).toHaveLength(1);
    // Does not wait for it.
    await deliveries.stop();
    expect(await stateOf(db, "wh-slow")).toMatchObject({ position: 0, failures: 0 });
  });

  test("a target on loopback is not connected to unless the options allow it", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    await addWebhook(db, { id: "wh-1", url: target.url });
    await addWebhook(db, { id: "wh-2", url: target.url.replace("127.0.0.1", "localhost") });
    await writeChanges(db, "org", [{ name: "a" }]);
    start(db, { allow: [] });
    for (const id of ["wh-1", "wh-2"]) {
      await expect
        .poll(async () => (await stateOf(db, id)).delivery_status)
        .toMatch(/^connection to .* not allowed: .* a loopback address; allow it with --outbound-allow$/);
    }
    expect(target.asked).toEqual([]);
  });

  test("tells nothing before it is durable", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    await addWebhook(db, { id: "wh-1", url: target.url });
    await writeChanges(db, "org", [{ name: "a" }]);
    const held: (() => void)[] = [];
    let isHolding = true;
    start({
      ...db,
      whenDurable: (done) => (isHolding ? void held.push(done) : done()),
    });
    await expect.poll(() => held.length).toBe(1);
    // Another delivery, from its start to its target, meanwhile.
    const other = await openForTest(await makeUrl());
    const others = await startTarget();
    await addWebhook(other, { id: "wh-1", url: others.url });
    await writeChanges(other, "org", [{ name: "b" }]);
    start(other);
    await expect.poll(() => others.names()).toEqual(["b"]);
    expect(target.asked).toEqual([]);
    isHolding = false;
    held.forEach((done) => done());
    await expect.poll(() => target.names()).toEqual(["a"]);
  });

  test("what is not kept any more is passed over, and told", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    await addWebhook(db, { id: "wh-1", url: target.url });
    await writeChanges(db, "org", [{ name: "old" }]);
    await writeChanges(db, "org", [{ name: "kept" }]);
    const rows = await db.sql.selectFrom("changes").select(["name", "position"]).execute();
    const position = rows.find(({ name }) => name === "old")?.position ?? 0;
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.deleteFrom("changes").where("position", "=", position));
      tx.write(tx.sql.insertInto("change_floors").values({ organization_id: "org", position }));
    });
    start(db);
    await expect.poll(() => target.names()).toEqual(["kept"]);
    await expect.poll(async () => (await stateOf(db, "wh-1")).skipped_at).not.toBe("");
  });

  test("of several workers one delivers, and when it stops another goes on", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    await addWebhook(db, { id: "wh-1", url: target.url });
    await writeChanges(db, "org", [{ name: "a" }]);
    const first = start(db);
    await expect.poll(() => target.names()).toEqual(["a"]);
    const second = start(db);
    await writeChanges(db, "org", [{ name: "b" }]);
    await expect.poll(() => target.names()).toEqual(["a", "b"]);
    await first.stop();
    await writeChanges(db, "org", [{ name: "c" }]);
    await expect.poll(() => target.names(), { timeout: 30_000 }).toEqual(["a", "b", "c"]);
    await expect.poll(() => second.progress().delivered).toBeGreaterThan(0);
  });

  test("incident 63: a delivery that failed while the clock was ahead is tried again when that is set back", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startTarget();
    target.answer = 500;
    const clock: Clock = { start: Date.now(), ahead: 410 * 86_400_000 };
    await addWebhook(db, { id: "wh-1", url: target.url });
    await writeChanges(db, "org", many(1, "w"));
    const deliveries = start(db, { clock });
    await expect.poll(async () => (await stateOf(db, "wh-1")).failures).toBe(1);
    expect((await stateOf(db, "wh-1")).retry_at).toBeGreaterThan(clock.start + clock.ahead);
    target.answer = 204;
    clock.ahead = 0;
    await expect.poll(() => deliveries.progress()).toMatchObject({ delivered: 1, pending: 0 });
  });
});

test("the wait after a failure doubles up to an hour, less up to half of it", () => {
  expect([0, 1, 5].map((failures) => retryAfter(failures, 0))).toEqual([2000, 4000, 64_000]);
  expect([0, 1, 5].map((failures) => retryAfter(failures, 1))).toEqual([1000, 2000, 32_000]);
  for (const failures of [11, 40, 5000]) expect(retryAfter(failures, 0)).toBe(3_600_000);
});
