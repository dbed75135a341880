import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { finishDeletion } from "../../test/support/deletion.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useStreams } from "../../test/support/event-stream.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import type { Actor } from "../rights/actor.ts";
import { createTokenResolver } from "../acl/tokens/resolve.ts";
import { readGuarded } from "../storage/feed/content-states.ts";
import { createWatches } from "../watch/watches.ts";
import { openStream } from "./service.ts";
import { readTopics } from "./topics.ts";
import { createEventWindow } from "./window.ts";

const ACCESS = { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerAddress: 2 } });
  let url: string;
  const open = useStreams(() => url);
  beforeAll(async () => {
    url = await v1.listen();
  });

  /** How many requests and streams wait for changes. */
  async function waiting(): Promise<number> {
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-consul-token": MANAGEMENT } });
    return Number(/^tessera_waiting_requests (\d+)$/m.exec(text)?.[1]);
  }

  test("tells each change with topic, key and index, a deletion too, and nothing that it holds", async () => {
    const stream = await open();
    expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(stream.response.headers.get("content-encoding")).toBeNull();
    const policy = await v1.policy('key "canary-of-rules" { policy = "read" }');
    const role = await v1.role({ Description: "canary-of-role" });
    const { accessor, secret } = await v1.token({ Description: "canary-of-token" });
    await v1.delete(`/acl/policy/${policy}`);
    await expect.poll(() => stream.keys()).toEqual([policy, role, accessor, policy]);
    expect(stream.events.map(({ event }) => event)).toEqual(["policies", "roles", "tokens", "policies"]);
    const { headers } = await v1.get("/acl/policies");
    expect(stream.events.at(-1)?.data).toEqual({
      Topic: "policies",
      Key: policy,
      Index: Number(headers["x-consul-index"]),
      Namespace: "default",
      Partition: "default",
    });
    const told = JSON.stringify(stream.events);
    expect(told).not.toContain("canary");
    expect(told).not.toContain(secret);
  });

  test("tells what changes before its answer has begun, once and first", async () => {
    const { db, now } = v1;
    const resolve = createTokenResolver(db, ACCESS, now);
    const actorOf = async () => (await resolve(MANAGEMENT)) as Actor;
    const [window, watches] = [createEventWindow(db, 100), createWatches(db, readGuarded)];
    onTestFinished(() => (window.close(), watches.close()));
    const start = await openStream(window, {
      ctx: { db, actor: await actorOf(), requestId: "of the test", log: pino({ level: "silent" }), now },
      scope: { partition: "default", namespace: "default" },
      topics: readTopics("roles"),
      after: undefined,
      waiter: watches.add(),
      actorOf,
    });
    // Behind the stream, so that it has heard by then.
    const heard = new Promise<unknown>((done) => void window.subscribe("default", done));
    const early = await v1.role();
    await heard;
    const told: (string | undefined)[] = [];
    start({ send: (events) => told.push(...events.map(({ change }) => change?.key)), end: () => undefined });
    const late = await v1.role();
    await expect.poll(() => told.at(-1)).toBe(late);
    expect(told).toEqual([early, late]);
  });

  test("tells only the topics that are asked for", async () => {
    const [stream, both] = [await open("?topics=roles"), await open("?topics=roles,%20policies")];
    const policy = await v1.policy("");
    const role = await v1.role();
    await expect.poll(() => both.keys()).toEqual([policy, role]);
    expect(stream.keys()).toEqual([role]);
  });

  test("goes on where a client stopped, once for each change", async () => {
    const stream = await open();
    const first = await v1.role();
    await expect.poll(() => stream.keys()).toEqual([first]);
    await expect.poll(() => Number(stream.lastId)).toBeGreaterThan(0);
    stream.close();
    const missed = [await v1.role(), await v1.role()];
    const again = await open("", { lastId: stream.lastId });
    await expect.poll(() => again.keys()).toEqual(missed);
    const next = await v1.role();
    await expect.poll(() => again.keys()).toEqual([...missed, next]);
    expect(Number(again.lastId)).toBeGreaterThan(Number(stream.lastId));
  });

  test("incident 13: tells nothing of a namespace that had the same name before", async () => {
    const namespace = v1.unique("again");
    await v1.put("/namespace", { Name: namespace });
    const former = await open(`?ns=${namespace}&topics=tokens`);
    const { body } = await v1.put(`/acl/token?ns=${namespace}`, {});
    await expect.poll(() => former.keys()).toEqual([body.AccessorID]);
    former.close();
    await v1.delete(`/namespace/${namespace}`);
    await finishDeletion(v1.db);
    await v1.put("/namespace", { Name: namespace });
    const { body: made } = await v1.put(`/acl/token?ns=${namespace}`, {});
    const began = String(Number(former.lastId) - 1);
    const stream = await open(`?ns=${namespace}&topics=tokens`, { lastId: began });
    await expect.poll(() => stream.keys()).toEqual([made.AccessorID]);
  });

  test("is 410 behind an event that is not kept any more, or never was", async () => {
    for (const lastId of ["1", "99999999999"]) {
      const { response } = await open("", { lastId });
      expect([lastId, response.status, await response.text()]).toEqual([
        lastId,
        410,
        `Events after ${lastId} have expired. Read the lists again and restart the stream`,
      ]);
    }
  });

  test.each([
    [
      "?topics=services",
      {},
      400,
      'Unknown topic "services"; topics are auth-methods, binding-rules, decision-mappings, declarations, namespaces, policies, roles, tokens',
    ],
    [
      "?topics=__proto__",
      {},
      400,
      'Unknown topic "__proto__"; topics are auth-methods, binding-rules, decision-mappings, declarations, namespaces, policies, roles, tokens',
    ],
    ["", { lastId: "x" }, 400, "Invalid Last-Event-ID"],
    ["", { lastId: "18446744073709551616" }, 400, "Invalid Last-Event-ID"],
    ["?ns=not.a.name", {}, 400, 'Namespace "not.a.name" is not a name'],
    ["", { token: "nobody" }, 403, "ACL not found"],
    ["", { token: "" }, 403, expect.stringContaining("lacks permission 'acl:read'")],
  ])("GET /v1/events%s with %o is %i", async (query, options, status, text) => {
    const { response } = await open(query, options);
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  describe("rights", () => {
    test("are asked at each event", async () => {
      const reading = await v1.policy('acl = "read"');
      const { accessor, secret } = await v1.token({ Policies: [{ ID: reading }] });
      const stream = await open("?topics=roles", { token: secret });
      const whole = await open("?topics=roles");
      const seen = await v1.role();
      await expect.poll(() => stream.keys()).toEqual([seen]);
      await v1.put(`/acl/token/${accessor}`, { Policies: [] });
      const unseen = await v1.role();
      // A caller that subscribed after it and may see it has received it.
      await expect.poll(() => whole.keys()).toEqual([seen, unseen]);
      await v1.put(`/acl/token/${accessor}`, { Policies: [{ ID: reading }] });
      const last = await v1.role();
      await expect.poll(() => stream.keys()).toEqual([seen, last]);
      expect(stream.isOver).toBe(false);
    });

    test("end with the token: the stream is closed", async () => {
      const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
      const stream = await open("", { token: secret });
      await v1.delete(`/acl/token/${accessor}`);
      await expect.poll(() => stream.isOver).toBe(true);
      expect((await open("", { token: secret, lastId: stream.lastId })).response.status).toBe(403);
    });

    test("end when the token expires", async () => {
      const now = Date.now();
      v1.setNow(now);
      const ExpirationTime = new Date(now + 60_000).toISOString();
      const { secret } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }], ExpirationTime });
      v1.setNow(now + 59_500);
      const stream = await open("", { token: secret });
      expect(stream.isOver).toBe(false);
      v1.setNow(now + 60_000);
      await expect.poll(() => stream.isOver).toBe(true);
      v1.setNow(undefined);
    });
  });

  test("a client that does not read is cut off, and can go on", async () => {
    const { connect } = await import("node:net");
    await expect.poll(waiting).toBe(0);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${MANAGEMENT}\r\n\r\n`);
    await new Promise((resolve) => {
      socket.once("data", resolve);
    });
    socket.pause();
    // Past what the kernel's buffers take.
    const role = await v1.role();
    const event = { table: "roles", namespace: "default", partition: "default", key: "x".repeat(100_000) };
    for (let round = 0; round < 150; round++) {
      await v1.db.inTransaction({ kind: "partition", name: "default" }, (tx) => Promise.resolve(tx.touch(event)));
    }
    await expect.poll(waiting).toBe(0);
    let isClosed = false;
    socket.once("close", () => (isClosed = true));
    socket.resume();
    await expect.poll(() => isClosed).toBe(true);
    expect((await v1.get(`/acl/role/${role}`)).status).toBe(200);
  });

  test("clients that go while their token is looked up leave nothing behind", async () => {
    const { connect } = await import("node:net");
    const index = String((await v1.get("/acl/roles")).headers["x-consul-index"]);
    const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    for (let round = 0; round < 60; round++) {
      // The write removes the token from the cache: the server has to read it.
      await v1.put(`/acl/token/${accessor}`, { Policies: [{ Name: "global-management" }], Description: String(round) });
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      const path = round % 2 === 0 ? "/v1/events" : `/v1/acl/roles?index=${index}&wait=10m`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${secret}\r\n\r\n`);
      for (let turns = round % 8; turns > 0; turns--) await setImmediate();
      socket.resetAndDestroy();
    }
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  });

  test("too many of one address without a token are refused", async () => {
    const anonymous = "00000000-0000-0000-0000-000000000002";
    await v1.put(`/acl/token/${anonymous}`, { Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const opened = [await open("", { token: "" }), await open("", { token: "" }), await open("", { token: "" })];
    expect(opened.map(({ response }) => response.status)).toEqual([200, 200, 429]);
    opened.forEach((stream) => stream.close());
    await expect
      .poll(async () => {
        const stream = await open("", { token: "" });
        stream.close();
        return stream.response.status;
      })
      .toBe(200);
  });

  test("a server that stops ends streams, and answers who waits", async () => {
    const stream = await open();
    const index = (await v1.get("/acl/roles")).headers["x-consul-index"] as string;
    const before = await waiting();
    const held = fetch(`${url}/v1/acl/roles?index=${index}&wait=10m`, { headers: { "x-consul-token": MANAGEMENT } });
    await expect.poll(waiting).toBe(before + 1);
    const closed = v1.close();
    expect((await held).status).toBe(200);
    await expect.poll(() => stream.isOver).toBe(true);
    await closed;
  });
});
