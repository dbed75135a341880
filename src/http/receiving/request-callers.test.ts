/** Incident 68: for whom requests are worked on, until when, and whose bytes stay counted meanwhile. */
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { afterEach, expect, test } from "vitest";
import { openShell, SHELL_HEADERS, SHELL_TOKEN, type TestShell } from "../../../test/support/shell.ts";
import { CallerGone, callerNow, throwIfGone } from "../../callers.ts";
import { pause } from "../../turns.ts";

let shell: TestShell | undefined;
afterEach(async () => {
  await shell?.close();
  shell = undefined;
});

/** A route whose handler goes on until it is told to end. @param work done then */
async function open(work: (request: FastifyRequest) => unknown) {
  const begun = Promise.withResolvers<FastifyRequest>();
  const goOn = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  shell = await openShell({
    args: ["--metrics-open"],
    extraRoutes: [
      (app, _options, done) => {
        app.post("/work", async (request) => {
          begun.resolve(request);
          await goOn.promise;
          try {
            ended.resolve(await work(request));
          } catch (error) {
            ended.resolve(error);
            throw error;
          }
          return { data: null };
        });
        done();
      },
    ],
  });
  await shell.app.listen({ host: "127.0.0.1", port: 0 });
  return { shell, begun: begun.promise, goOn: goOn.resolve, ended: ended.promise };
}

/** Sends a request with a body of 100 KiB. */
async function send({ app }: TestShell): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const body = JSON.stringify({ data: "x".repeat(100 * 1024) });
  const headers = Object.entries({ host: "localhost", ...SHELL_HEADERS, "content-length": body.length });
  socket.write(
    `POST /api/v2/work HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n${body}`,
  );
  return socket;
}

async function receivingBytes({ app }: TestShell): Promise<number> {
  const { payload } = await app.inject({ url: "/metrics", headers: { host: "localhost" } });
  return Number(/^tessera_http_receiving_bytes (\d+)/m.exec(payload)?.[1]);
}

test("a handler works for its client, also behind its body, and with the share of its token", async () => {
  const { shell: opened, begun, goOn, ended } = await open(() => callerNow()?.owner);
  const socket = await send(opened);
  const { ctx, caller } = await begun;
  goOn();
  expect(await ended).toEqual({ name: ctx.actor.accessorId, group: "default/default" });
  expect(caller.isGone()).toBe(false);
  socket.destroy();
});

test("its work ends at the next pause when the client goes, and the bytes of the body stay counted until then", async () => {
  const {
    shell: opened,
    begun,
    goOn,
    ended,
  } = await open(async () => {
    expect(await receivingBytes(opened)).toBeGreaterThan(100 * 1024);
    await pause();
  });
  const socket = await send(opened);
  const { caller, id } = await begun;
  socket.destroy();
  await expect.poll(() => caller.isGone()).toBe(true);
  expect(await receivingBytes(opened)).toBeGreaterThan(100 * 1024);
  goOn();
  expect(await ended).toBeInstanceOf(CallerGone);
  await expect.poll(() => receivingBytes(opened)).toBe(0);
  const lines = opened.lines.filter(({ requestId }) => requestId === id);
  expect(lines.map(({ status, aborted }) => [status, aborted])).toEqual([[499, true]]);
});

test("it ends never once its transaction has begun, and begins none when the client has gone", async () => {
  const write = ({ ctx }: FastifyRequest, within: () => void) =>
    ctx.db.inTransaction({ kind: "root" }, async () => {
      within();
      await pause();
    });
  let socket: Socket | undefined;
  const first = await open(async (request) => {
    await write(request, () => socket?.destroy());
    await expect.poll(() => request.raw.socket.closed).toBe(true);
    await pause();
    return request.caller.isGone();
  });
  socket = await send(first.shell);
  await first.begun;
  first.goOn();
  expect(await first.ended).toBe(false);
  await first.shell.close();
  let hasBegun = false;
  const second = await open((request) => write(request, () => (hasBegun = true)));
  socket = await send(second.shell);
  const { caller } = await second.begun;
  socket.destroy();
  await expect.poll(() => caller.isGone()).toBe(true);
  second.goOn();
  expect([await second.ended, hasBegun]).toEqual([expect.any(CallerGone), false]);
});

test("whoever is there is told when what it waited for has ended with another", async () => {
  shell = await openShell({
    extraRoutes: [
      (app, _options, done) => {
        app.get("/ended", () => Promise.reject(new CallerGone()));
        done();
      },
    ],
  });
  const headers = { host: "localhost", authorization: `Bearer ${SHELL_TOKEN}` };
  const { statusCode, headers: answered } = await shell.app.inject({ url: "/api/v2/ended", headers });
  expect([statusCode, answered["retry-after"]]).toEqual([503, "1"]);
  throwIfGone();
});
