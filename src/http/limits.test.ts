import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openShell, SHELL_TOKEN } from "../../test/support/shell.ts";
import { trackConnections } from "./lifecycle.ts";
import { cutSlowReaders } from "./limits.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** @param unreadMs for how long nothing of an answer need be taken */
function startBigAnswers(bytes: number, unreadMs = 300): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end(Buffer.alloc(bytes, "x")));
  const stop = cutSlowReaders(trackConnections(server), unreadMs, 50);
  closers.push(
    stop,
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ server, port: (server.address() as AddressInfo).port }));
  });
}

function ask(port: number): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  socket.on("error", () => {});
  closers.push(() => socket.destroy());
  return socket;
}

describe("a client that does not read its answer", () => {
  it("is cut", async () => {
    const { server, port } = await startBigAnswers(64 * 1024 * 1024);
    let closed = false;
    server.on("connection", (socket) => socket.on("close", () => (closed = true)));
    ask(port).pause();
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(true);
  });

  it("is kept as long as it reads, however slowly", async () => {
    // Takes some times longer than the kernel's buffers go without room for more.
    const BYTES = 24 * 1024 * 1024;
    const { port } = await startBigAnswers(BYTES, 1000);
    const socket = ask(port);
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    await expect.poll(() => received, { timeout: 60_000 }).toBeGreaterThanOrEqual(BYTES);
  });

  it("leaves quiet connections alone that have read all", async () => {
    const { port } = await startBigAnswers(1024 * 1024);
    const socket = ask(port);
    let received = 0;
    socket.on("data", (chunk) => (received += chunk.length));
    await sleep(1000);
    const before = received;
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => received).toBeGreaterThan(before);
  });
});

describe("a request that stalls", () => {
  it("is given 10 s for its headers and 30 s for its whole, and is cut when that is over", async () => {
    const shell = await openShell();
    const { server } = shell.app;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
    // From here on less, so that nobody waits for it; looked for once a second as ever.
    server.headersTimeout = 1000;
    server.requestTimeout = 4000;
    await shell.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.address() as AddressInfo;
    const head = `Host: localhost\r\nAuthorization: Bearer ${SHELL_TOKEN}\r\nContent-Type: application/vnd.api+json\r\n`;
    const [headers, body, unknown] = await Promise.all([
      stall(port, `GET /api/v2/ping HTTP/1.1\r\n${head}X-Slow: `),
      stall(port, `POST /api/v2/organizations HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\n{`),
      stall(port, `POST /api/v2/unknown HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\n{`),
    ]);
    expect(headers.seconds).toBeGreaterThan(0.9);
    expect(headers.answer).toContain("HTTP/1.1 408");
    expect(body.seconds).toBeGreaterThan(3.9);
    expect(body.answer).toContain("HTTP/1.1 408");
    // Refused before its body arrived; what is missing of it is not waited for any longer than that.
    expect(unknown.answer).toMatch(/^HTTP\/1\.1 404/);
    expect(unknown.answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await shell.close();
  });
});

async function stall(port: number, bytes: string): Promise<{ answer: string; seconds: number }> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
  socket.on("error", () => {});
  socket.on("close", resolve);
  await promise;
  return { answer, seconds: (performance.now() - started) / 1000 };
}
