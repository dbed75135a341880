import { connect, type AddressInfo } from "node:net";
import { Readable } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { createSending, STREAM_BYTES, type Payload, type SendingAccount } from "./sending.ts";

const MIB = 1024 * 1024;
const LIMIT = 12 * MIB;
const SHARED = Buffer.alloc(8 * MIB, "s");
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function open(): Promise<{ app: FastifyInstance; sending: SendingAccount; port: number }> {
  const app = Fastify();
  const sending = createSending(LIMIT);
  app.decorateRequest("ctx");
  app.addHook("onRequest", (request, _reply, done) => {
    const isManagement = request.headers["x-management"] === undefined ? undefined : true;
    request.ctx = { actor: { isManagement } } as unknown as typeof request.ctx;
    done();
  });
  app.addHook("onSend", (request, reply, payload: Payload, done) => sending.admit(request, reply, payload, done));
  app.get("/v1/text/:length", async ({ params }) => "t".repeat(Number((params as { length: string }).length)));
  app.get("/api/v2/text", async () => "é".repeat(6 * MIB));
  app.post("/v1/text", async () => "t".repeat(8 * MIB));
  app.get("/metrics", { config: { outsideShares: "always" } }, async () => "m".repeat(20_000));
  app.get("/v1/audit", { config: { outsideShares: "management" } }, async () => "a".repeat(20_000));
  app.get("/v1/shared", async () => SHARED);
  app.get("/v1/stream", async () => Readable.from(["a", "b"]));
  app.setErrorHandler((error: { code: string }, _request, reply) => reply.code(500).send(error.code));
  await app.listen({ host: "127.0.0.1", port: 0 });
  closers.push(
    () => app.close(),
    () => app.server.closeAllConnections(),
  );
  return { app, sending, port: (app.server.address() as AddressInfo).port };
}

/** Asks and reads nothing. @returns a function that goes away */
function stall(port: number, path: string): () => void {
  const socket = connect(port, "127.0.0.1", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
  socket.pause().on("error", () => {});
  closers.push(() => socket.destroy());
  return () => socket.destroy();
}

describe("bytes that are being sent", () => {
  it("arrive whole, with their length, however many they are", async () => {
    const { app, sending, port } = await open();
    for (const length of [0, 20_000, 256 * 1024, 256 * 1024 + 1, 3_000_001]) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/text/${length}`);
      expect(answer.headers.get("content-length")).toBe(String(length));
      expect(await answer.text()).toBe("t".repeat(length));
    }
    expect((await app.inject("/v1/stream")).body).toBe("ab");
    await expect.poll(() => sending.pool.used()).toBe(0);
  });

  it("are counted until the client has them or is gone, and at most a piece of them is with the socket", async () => {
    const { app, sending, port } = await open();
    const unsent: number[] = [];
    app.server.on("connection", (socket) => setInterval(() => unsent.push(socket.writableLength), 5).unref());
    const leave = stall(port, `/v1/text/${8 * MIB}`);
    await expect.poll(() => sending.pool.used()).toBe(8 * MIB);
    await expect.poll(() => unsent.length).toBeGreaterThan(20);
    expect(Math.max(...unsent)).toBeLessThan(300 * 1024);
    leave();
    await expect.poll(() => sending.pool.used()).toBe(0);
  });

  it("are refused beyond the limit, in the code of the family, and what was written is answered", async () => {
    const { app, sending, port } = await open();
    const leave = stall(port, `/v1/text/${8 * MIB}`);
    await expect.poll(() => sending.pool.used()).toBe(8 * MIB);
    expect((await app.inject(`/v1/text/${5 * MIB}`)).body).toBe("rate_limited");
    expect((await app.inject("/api/v2/text")).body).toBe("unavailable");
    expect((await app.inject("/v1/text/10000")).statusCode).toBe(200);
    expect((await app.inject({ method: "POST", url: "/v1/text" })).body).toHaveLength(8 * MIB);
    expect(sending.pool.refused()).toBe(2);
    leave();
    await expect.poll(() => sending.pool.used()).toBe(0);
    expect((await app.inject(`/v1/text/${5 * MIB}`)).statusCode).toBe(200);
  });

  it("incident 69: hold up neither the numbers nor what management reads of the audit records", async () => {
    const { app, sending } = await open();
    sending.pool.force(undefined, LIMIT);
    expect((await app.inject("/metrics")).body).toHaveLength(20_000);
    expect((await app.inject("/v1/audit")).body).toBe("rate_limited");
    expect((await app.inject({ url: "/v1/audit", headers: { "x-management": "1" } })).body).toHaveLength(20_000);
  });

  it("count once where many are sent the same", async () => {
    const { app, sending, port } = await open();
    const leaves = [1, 2, 3, 4].map(() => stall(port, "/v1/shared"));
    await expect.poll(() => sending.pool.used()).toBe(SHARED.length);
    for (const leave of leaves.slice(1)) leave();
    const connections = () => new Promise((done) => app.server.getConnections((_error, count) => done(count)));
    await expect.poll(connections).toBe(1);
    expect(sending.pool.used()).toBe(SHARED.length);
    leaves[0]?.();
    await expect.poll(() => sending.pool.used()).toBe(0);
  });

  it("count a share for each answer that is made while it is sent; one that is refused is not made", async () => {
    const { sending } = await open();
    const source = new Readable({ read: () => undefined });
    sending.pool.force(undefined, LIMIT - STREAM_BYTES + 1);
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    sending.admit(
      { method: "GET", url: "/v1/stream", routeOptions: { config: {} } } as never,
      { raw: {}, getHeader: () => undefined } as never,
      source,
      resolve,
    );
    expect(await promise).toMatchObject({ code: "rate_limited" });
    expect(source.destroyed).toBe(true);
  });

  it("incident 69: of writes take nothing from readers, and who leaves them unread begins no other", async () => {
    const { app, sending } = await open();
    const requestOf = (name: string, method: string, config = {}) =>
      ({
        method,
        url: "/v1/text",
        raw: { socket: {} },
        routeOptions: { config },
        caller: { owner: { name, group: name } },
      }) as never;
    const unread = (request: never) => sending.countWhole(request, { once: () => undefined } as never, "w".repeat(MIB));
    for (let n = 0; n < 20; n++) unread(requestOf("many", "PATCH"));
    expect([sending.used(), sending.pool.used()]).toEqual([20 * MIB, 0]);
    expect((await app.inject(`/v1/text/${5 * MIB}`)).statusCode).toBe(200);
    expect(sending.refusalOf(requestOf("many", "PATCH"))).toMatch(/^Too many responses to writes are waiting/);
    expect(sending.refusalOf(requestOf("many", "GET"))).toBeUndefined();
    expect(sending.refusalOf(requestOf("other", "PATCH"))).toBeUndefined();
    // A question is a read, however it is sent.
    const question = requestOf("many", "POST", { question: true });
    expect(sending.refusalOf(question)).toBeUndefined();
    for (let n = 0; n < 9; n++) unread(question);
    expect(() => unread(question)).toThrow(/waiting for slow clients/);
  });
});
