import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openShell, SHELL_HEADERS } from "../../../test/support/shell.ts";

const { authorization } = SHELL_HEADERS;

describe("the log of requests", () => {
  it("notes a write whose client has gone", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slow = await openShell({
      extraRoutes: [
        (app, _options, done) => {
          app.post("/slow", ({ raw }, reply) => {
            raw.socket.once("close", () => void reply.send({}));
            begin();
          });
          done();
        },
      ],
    });
    await slow.app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect((slow.app.server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    const head = `Host: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/vnd.api+json`;
    socket.write(`POST /api/v2/slow HTTP/1.1\r\n${head}\r\nContent-Length: 0\r\n\r\n`);
    await begun;
    socket.destroy();
    await expect
      .poll(() => slow.lines.at(-1))
      .toMatchObject({
        method: "POST",
        route: "/api/v2/slow",
        // Not the 200 that an answer begins with: there was none.
        status: 499,
        aborted: true,
      });
    await slow.close();
  });

  it("notes what Node's parser refuses, which no route sees", async () => {
    const shell = await openShell({});
    await shell.app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect((shell.app.server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(30_000)}\r\n\r\n`);
    await expect.poll(() => shell.lines.at(-1)).toMatchObject({ route: "unknown", status: 431 });
    socket.destroy();
    await shell.close();
  });

  it("notes the trace that a request is part of, and nothing that is no trace", async () => {
    const shell = await openShell({});
    const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (const [traceparent, noted] of [
      [trace, trace],
      [`${trace}-more`, undefined],
      ["00-x\nforged", undefined],
      [trace.toUpperCase(), undefined],
    ] as const) {
      await shell.app.inject({ url: "/api/v2/none", headers: { ...SHELL_HEADERS, traceparent } });
      await expect.poll(() => shell.lines.at(-1)).toMatchObject({ route: "unknown", status: 404 });
      expect(shell.lines.at(-1)?.["traceparent"]).toBe(noted);
    }
    await shell.close();
  });

  it("has no error for who comes while the server starts or stops, nor for a client that leaves a long answer", async () => {
    const shell = await openShell({
      extraRoutes: [
        (app, _options, done) => {
          app.get("/endless", (_request, reply) => {
            const stream = new PassThrough();
            stream.write("{");
            return reply.type("application/json").send(stream);
          });
          done();
        },
      ],
    });
    shell.app.lifecycle.phase = "starting";
    for (const url of ["/readyz", "/ui", "/api/v2/ping"]) {
      await shell.app.inject({ url, headers: SHELL_HEADERS });
      await expect.poll(() => shell.lines.at(-1)).toMatchObject({ status: 503, level: 30 });
    }
    shell.app.lifecycle.phase = "serving";
    await shell.app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect((shell.app.server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`GET /api/v2/endless HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
    await once(socket, "data");
    socket.destroy();
    await expect.poll(() => shell.app.connections.size).toBe(0);
    await shell.close();
    expect(shell.lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });
});
