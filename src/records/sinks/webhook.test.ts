import { expect, onTestFinished, test } from "vitest";
import { hurried, recordAll, recordsOf } from "../../../test/support/audit.ts";
import { auditSignature, startAuditTarget, type AuditTarget } from "../../../test/support/audit-target.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeOrganization, openForTest } from "../../../test/support/storage.ts";
import { deleteOrganization, findOrganization } from "../../organizations/store.ts";
import type { Ask } from "../../outbound/outbound.ts";
import type { Database } from "../../storage/database.ts";
import { createTargets } from "../../outbound/targets.ts";
import { startHeads } from "../heads.ts";
import { followAudit, retryAfter } from "./follow.ts";
import { findLeastPosition } from "./store.ts";
import { createWebhookSink } from "./webhook.ts";

const CHAIN = "partition/default";
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Feeds the target from now on; stopped with the test. */
function feed(db: Database, { url }: AuditTarget, { secret, allow = ["127.0.0.1"], ask }: Partial<Options> = {}) {
  const states: (string | undefined)[] = [];
  const errors: unknown[] = [];
  const asks = ask ?? createTargets({ outboundAllow: allow })("audit");
  const sink = createWebhookSink({ url, secret, ask: asks, now: db.now });
  const following = followAudit(db, sink, {
    onState: (state) => states.push(state),
    onError: (error) => errors.push(error),
    clock: hurried,
  });
  onTestFinished(async () => {
    await following.stop();
    expect(errors).toEqual([]);
  });
  return { following, states };
}

interface Options {
  secret: string;
  allow: string[];
  ask: Ask;
}

forEachEngine((_engine, makeUrl) => {
  test("every record of every chain is posted in order and signed, and each head behind what it is the head of", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    await recordAll(db, names(1100));
    await recordAll(db, ["a", "b"], await makeOrganization(db, "org"));
    feed(db, target, { secret: "schlüssel" });
    await expect.poll(() => target.places(CHAIN)).toEqual(upTo(1100));
    await expect.poll(() => target.places("organization/org")).toEqual([1, 2]);
    for (const { text, signature } of target.asked) {
      expect(signature).toBe(auditSignature(text, "schlüssel"));
      expect(text.length).toBeLessThan(600_000);
    }
    const [last] = (await recordsOf(db, CHAIN)).slice(-1);
    const records = target.taken.filter((line) => line.type === "record");
    expect(records.find(({ record }) => record.chain === CHAIN && record.seq === 1100)?.record).toEqual(last);
    const heads = startHeads(db, { onBroken: () => undefined, onError: () => undefined });
    onTestFinished(heads.stop);
    const headsOf = () =>
      target.taken.flatMap((line) => (line.type === "head" ? [[line.head.chain, line.head.seq]] : []));
    await expect.poll(headsOf).toEqual([
      ["organization/org", 2],
      [CHAIN, 1100],
    ]);
    await recordAll(db, ["later"]);
    await expect.poll(() => target.places(CHAIN).at(-1)).toBe(1101);
  });

  test.each([
    ["a status that is no success", 500, "the sink returned status 500"],
    ["a redirect", 302, expect.stringMatching(/redirect, which the server does not follow$/)],
    ["a connection that ends", (response: { destroy(): void }) => response.destroy(), expect.stringMatching(/closed/)],
  ] as const)("after %s the same comes again, until it is taken", async (_what, answer, reason) => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    target.answer = answer;
    await recordAll(db, ["a", "b"]);
    const { following, states } = feed(db, target);
    await expect.poll(() => target.asked.length, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(states).toEqual([reason]);
    await expect.poll(() => following.progress()).toMatchObject({ behindRecords: 2 });
    expect(following.progress().failures).toBeGreaterThan(0);
    await recordAll(db, ["c"]);
    target.answer = 200;
    await expect.poll(() => target.places(CHAIN), { timeout: 20_000 }).toEqual([1, 2, 3]);
    await expect.poll(() => states, { timeout: 20_000 }).toEqual([reason, undefined]);
    await expect
      .poll(() => following.progress(), { timeout: 40_000 })
      .toMatchObject({ behindRecords: 0, behindSeconds: 0 });
  });

  test("a target that is slow holds up nobody, neither writers nor the stop of the server", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    target.answer = () => undefined;
    await recordAll(db, ["a"]);
    const { following } = feed(db, target);
    await expect.poll(() => target.asked.length).toBe(1);
    for (const name of names(20)) await recordAll(db, [name]);
    await expect.poll(() => following.progress().behindRecords, { timeout: 40_000 }).toBe(21);
    await following.stop();
    target.answer = 200;
    feed(db, target);
    await expect.poll(() => target.places(CHAIN), { timeout: 20_000 }).toEqual(upTo(21));
  });

  test("a target that says when to come again is left alone until then", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    target.answer = (response) => response.writeHead(429, { "retry-after": "3600" }).end();
    await recordAll(db, ["a"]);
    const { states } = feed(db, target);
    await expect.poll(() => states).toEqual(["the sink returned status 429"]);
    target.answer = 200;
    // One that says nothing of the kind is asked again and again meanwhile.
    const other = await openForTest(await makeUrl());
    const others = await startAuditTarget();
    others.answer = 500;
    await recordAll(other, ["b"]);
    feed(other, others);
    await expect.poll(() => others.asked.length).toBeGreaterThan(2);
    expect(target.asked).toHaveLength(1);
  });

  test("a target on the machine itself is not connected to unless that is allowed", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    await recordAll(db, ["a"]);
    const { states } = feed(db, target, { allow: [] });
    await expect
      .poll(() => states)
      .toEqual([
        expect.stringMatching(/^connection to .* not allowed: .* a loopback address; allow it with --outbound-allow$/),
      ]);
    expect(target.asked).toEqual([]);
  });

  test("the chain of an organization that is gone is posted to its end", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    const counter = await makeOrganization(db, "org");
    await recordAll(db, ["a", "b"], counter);
    await db.inTransaction({ kind: "root" }, async (tx) => {
      const [organization] = await findOrganization(tx, "org").then((found) => (found === undefined ? [] : [found]));
      if (organization !== undefined) deleteOrganization(tx, organization);
    });
    feed(db, target);
    await expect.poll(() => target.places("organization/org")).toEqual([1, 2]);
  });

  test("news that no change feed tells of are found, and a record that is longer than a post goes by itself", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    feed({ ...db, feed: { ...db.feed, subscribe: () => () => undefined } }, target);
    await recordAll(db, ["a", "x".repeat(600_000), "b"]);
    await expect.poll(() => target.places(CHAIN), { timeout: 20_000 }).toEqual([1, 2, 3]);
    expect(target.asked.map(({ text }) => text.trimEnd().split("\n").length)).toEqual([1, 1, 1]);
  });

  test("nothing is posted before it is durable", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    await recordAll(db, ["a"]);
    const held: (() => void)[] = [];
    let isHolding = true;
    feed({ ...db, whenDurable: (done) => (isHolding ? void held.push(done) : done()) }, target);
    await expect.poll(() => held.length).toBe(1);
    // Another sink is fed from its start to its target meanwhile.
    const other = await openForTest(await makeUrl());
    const others = await startAuditTarget();
    await recordAll(other, ["b"]);
    feed(other, others);
    await expect.poll(() => others.places(CHAIN)).toEqual([1]);
    expect(target.asked).toEqual([]);
    isHolding = false;
    held.forEach((done) => done());
    await expect.poll(() => target.places(CHAIN)).toEqual([1]);
  });

  test("of several servers one posts at a time, and another goes on when it has ended", async () => {
    const db = await openForTest(await makeUrl());
    const target = await startAuditTarget();
    const first = feed(db, target);
    await recordAll(db, ["a"]);
    await expect.poll(() => target.places(CHAIN)).toEqual([1]);
    // A stop before the place is stored posts the record again: at least once is all that is promised.
    await expect.poll(() => findLeastPosition(db, CHAIN, "")).toBe(1);
    feed(db, target);
    await first.following.stop();
    await recordAll(db, ["b"]);
    await expect.poll(() => target.places(CHAIN), { timeout: 30_000 }).toEqual([1, 2]);
  });
});

test("the time between two tries doubles from a second to five minutes, and is up to half shorter", () => {
  expect([1, 2, 6].map((failures) => retryAfter(failures, 0))).toEqual([1000, 2000, 32_000]);
  expect([1, 2, 6].map((failures) => retryAfter(failures, 1))).toEqual([500, 1000, 16_000]);
  for (const failures of [10, 40, 5000]) expect(retryAfter(failures, 0)).toBe(300_000);
});
