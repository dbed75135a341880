/** Incident 69: of each thing that callers share, one takes what it can get, and another one is served all the same. */
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { displacedBy } from "../../src/acl/sessions/service.ts";
import { workFor } from "../../src/callers.ts";
import { limitConnections } from "../../src/http/receiving/limits.ts";
import { answerInOrder } from "../../src/http/receiving/pipelining.ts";
import { createOpenExports } from "../../src/limits/open-exports.ts";
import { createOwnedLane } from "../../src/limits/owned-lane.ts";
import { createFindPeer } from "../../src/outbound/peers.ts";
import { boundedAsk } from "../../src/outbound/lookups.ts";
import { inTurn } from "../../src/tags/changes/hooks/worker.ts";
import { createWaitLimits } from "../../src/watch/wait-limits.ts";
import { somebody } from "../support/callers.ts";
import { forEachEngine } from "../support/engines.ts";
import { makeCounter, openForTest } from "../support/storage.ts";

const greedy = somebody("greedy");
const other = somebody("other");
const LARGE = /uses a large share/;
const token = (name: string, group = "default/default") => ({ name, group });

/** How many of these were refused, and how. */
async function refusalsOf(all: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(all);
  return settled.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
}

/** Returns work that does not end before the test does. */
function untilFinished(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return () => promise;
}

forEachEngine((_engine, makeUrl) => {
  test("writes: who has most of the places leaves some to others, in the same partition and in others", async () => {
    const db = await openForTest(await makeUrl(), { queueLimit: 64 });
    const [crowded, quiet] = [
      await makeCounter(db, "partition", "crowded"),
      await makeCounter(db, "partition", "quiet"),
    ];
    const write = (counter: typeof quiet) => db.inTransaction(counter, async (tx) => tx.unrecorded("a test of places"));
    const many = workFor(greedy, () => Array.from({ length: 200 }, () => write(crowded)));
    const others = workFor(other, () => [write(crowded), write(quiet)]);
    expect((await refusalsOf(many)).filter((refusal) => LARGE.test(refusal)).length).toBeGreaterThan(100);
    expect(await refusalsOf(others)).toEqual([]);
  });

  test("long reads: who has most of the places leaves some to others", async () => {
    const db = await openForTest(await makeUrl(), { longLimit: 64 });
    const read = () => db.long.sql.selectFrom("counters").select("name").execute();
    const many = workFor(greedy, () => Array.from({ length: 200 }, read));
    const others = workFor(other, () => [read(), read()]);
    expect((await refusalsOf(many)).filter((refusal) => LARGE.test(refusal)).length).toBeGreaterThan(100);
    expect(await refusalsOf(others)).toEqual([]);
  });
});

test("exports: nine tokens of a tenant blind neither another one nor management", () => {
  const exports = createOpenExports({ ofOwner: 8, all: 64 });
  let open = 0;
  for (let n = 0; n < 72; n++) {
    try {
      exports.enter(token(`${n % 9}`, "default/tenant"), false);
      open += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: "rate_limited", message: expect.stringMatching(LARGE) });
    }
  }
  expect(open).toBe(48);
  for (let n = 0; n < 8; n++) exports.enter(token("b", "default/other"), false);
  for (let n = 0; n < 8; n++) exports.enter(token("c", "default/third"), false);
  expect(() => exports.enter(token("d", "default/fourth"), false)).toThrow("Too many exports in total; retry later");
  // It sees what goes on when all is taken.
  const leave = Array.from({ length: 8 }, () => exports.enter(token("m"), true));
  expect(() => exports.enter(token("m"), true)).toThrow("of one token");
  for (const each of leave) each();
  expect(exports.count()).toBe(64);
});

test("waits: 10,000 of one token wait, and as many more as leave others theirs", () => {
  const { enter } = createWaitLimits({ perToken: 16_384, perAddress: 256, all: 20_480 });
  for (let n = 0; n < 15_360; n++) enter(token("a"), false);
  expect(() => enter(token("a"), false)).toThrow(LARGE);
  for (let n = 0; n < 2560; n++) enter(token("b"), false);
  for (let n = 0; n < 256; n++) enter(token("address 192.0.2.1", "anonymous"), true);
  expect(() => enter(token("address 192.0.2.1", "anonymous"), true)).toThrow("of one address without a token");
  for (let n = 0; n < 2304; n++) enter(token("c", "default/other"), false);
  expect(() => enter(token("d", "default/third"), false)).toThrow(
    "Too many blocking queries and event streams; retry later",
  );
});

async function listening(server: Server): Promise<() => Promise<Socket>> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    return socket;
  };
}

test("connections: one address does not have them all", async () => {
  const server = createServer((_request, response) => response.end());
  let count = 0;
  const peers = ["a", "a", "a", "a", "a", "a", "a", "b", "b", "c"];
  const { open, dropped } = limitConnections(server, 8, () => ({ name: peers[count++] ?? "" }));
  const knock = await listening(server);
  for (let n = 0; n < 6; n++) await knock();
  await expect.poll(open).toBe(6);
  await knock();
  await expect.poll(dropped).toBe(1);
  await knock();
  await expect.poll(open).toBe(7);
  await knock();
  await expect.poll(dropped).toBe(2);
  await knock();
  await expect.poll(open).toBe(8);
});

test("connections count by address where that is one client's", () => {
  const bare = createFindPeer([]);
  for (const address of ["127.0.0.1", "::1", "10.1.2.3", "::ffff:192.168.0.7", "fd00::1", undefined, "nonsense"])
    expect([address, bare(address)]).toEqual([address, undefined]);
  expect(bare("8.8.8.8")).toEqual({ name: "address 8.8.8.8" });
  expect(bare("2a00:1450:4001::1")).toEqual(bare("2a00:1450:4001::2"));
  const behind = createFindPeer(["10.0.0.0/8", "::1"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "::1"])
    expect([address, behind(address)]).toEqual([address, undefined]);
  expect(behind("192.168.0.7")).toEqual({ name: "address 192.168.0.7" });
});

test("requests sent ahead: connections of one address leave room for those of others", async () => {
  const server = createServer({ requireHostHeader: false }, () => undefined);
  server.on("checkExpectation", () => undefined);
  let count = 0;
  const turns = answerInOrder(server, () => ({ name: count++ < 15 ? "a" : "b" }));
  const knock = await listening(server);
  const ask = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (let n = 0; n < 13; n++) {
    (await knock()).write(ask.repeat(1000));
    await expect.poll(() => turns.held() >= Math.min(12_000, n * 900) || turns.cut() > 0).toBe(true);
  }
  await expect.poll(turns.cut).toBeGreaterThan(0);
  const cut = turns.cut();
  const held = turns.held();
  (await knock()).write(ask.repeat(3));
  await expect.poll(turns.held).toBeGreaterThan(held);
  expect(turns.cut()).toBe(cut);
});

test("work in places: tokens of one namespace leave places among those that wait", async () => {
  const lane = createOwnedLane("work", 2, "Too much", {
    code: "rate_limited",
    waiting: { ofOwner: 9, all: 30, milliseconds: 60_000 },
  });
  const taken = Array.from({ length: 40 }, async (_, n) => lane.take(`${n % 10}`, "default/crowd"));
  const refused: unknown[] = [];
  for (const each of taken) each.catch((error: unknown) => refused.push(error));
  await expect.poll(() => refused.length).toBe(16);
  expect(refused[0]).toMatchObject({ code: "rate_limited", message: expect.stringMatching(LARGE) });
  const late = lane.take("x", "default/other");
  expect(lane.waiting()).toBe(23);
  for (const each of taken) void each.then((leave) => leave()).catch(() => undefined);
  (await late)();
});

test("requests to a provider: logins of one address leave places to those of others", async () => {
  const held = untilFinished();
  const ask = boundedAsk(async () => held().then(() => ({ status: 200, headers: {}, body: "" })), {
    running: 2,
    waiting: 6,
    milliseconds: 60_000,
  });
  const request = { method: "GET", url: "https://provider.example" } as const;
  for (let n = 0; n < 6; n++) workFor(greedy, () => ask(request)).catch(() => undefined);
  await expect(workFor(greedy, () => ask(request))).rejects.toThrow(LARGE);
  const others: unknown[] = [];
  workFor(other, () => ask(request)).catch((error: unknown) => others.push(error));
  await expect(workFor(other, () => ask(request))).rejects.toThrow(LARGE);
  expect(others).toEqual([]);
});

test("webhooks: those of an organization with the fewest lanes come first", () => {
  const due = ["a1", "a2", "a3", "b1", "b2", "c1"].map((id) => ({ id, organizationId: id.slice(0, 1) }));
  const order = (held: Record<string, number>) => inTurn(due, (name) => held[name] ?? 0).map(({ id }) => id);
  expect(order({})).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  expect(order({ a: 2, b: 1 })).toEqual(["c1", "b1", "a1", "b2", "a2", "a3"]);
});

test("sessions: who begins one after the other has its own displaced", () => {
  const living = [
    { id: "oldest", address: "192.0.2.1" },
    ...Array.from({ length: 5 }, (_, n) => ({ id: `g${n}`, address: "192.0.2.9" })),
    { id: "newer", address: "192.0.2.2" },
  ];
  const ids = (address: string, most: number) => displacedBy({ address }, living, most).map(({ id }) => id);
  expect(ids("192.0.2.9", 7)).toEqual(["g0"]);
  expect(ids("192.0.2.3", 7)).toEqual(["g0"]);
  expect(ids("192.0.2.9", 5)).toEqual(["g0", "g1", "g2"]);
  expect(ids("192.0.2.9", 8)).toEqual([]);
  expect(displacedBy({ address: "192.0.2.3" }, [{ address: "192.0.2.1" }, { address: "192.0.2.2" }], 2)).toEqual([
    { address: "192.0.2.1" },
  ]);
});
