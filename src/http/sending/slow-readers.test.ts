import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { trackConnections } from "../lifecycle.ts";
import { cutSlowReaders } from "./slow-readers.ts";

const MIB = 1024 * 1024;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const answerOf =
  (bytes: number): RequestListener =>
  (_request, response) =>
    response.end(Buffer.alloc(bytes, "x"));

/** @param overMs over how long a client has to take 1,000 bytes a second */
async function start(answer: RequestListener, overMs = 300) {
  const server = createServer(answer);
  const sockets = trackConnections(server);
  let sweeps = 0;
  const counted = { [Symbol.iterator]: () => ((sweeps += 1), sockets.values()) } as ReadonlySet<Socket>;
  const stop = cutSlowReaders(counted, { bytesPerSecond: 1000, overMs, overMsUnknown: overMs }, 20);
  let closed = 0;
  server.on("connection", (socket) => socket.on("close", () => (closed += 1)));
  closers.push(
    stop,
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, closed: () => closed, sweeps: () => sweeps };
}

function ask(port: number): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  socket.on("error", () => {});
  closers.push(() => socket.destroy());
  return socket;
}

describe("incident 69: a client that reads its answer slowly", () => {
  it("is cut when it takes nothing", async () => {
    const { port, closed } = await start(answerOf(64 * MIB));
    ask(port).pause();
    await expect.poll(closed, { timeout: 60_000 }).toBe(1);
  });

  it("is cut when it takes some bytes now and then", async () => {
    const { port, closed } = await start(answerOf(64 * MIB));
    const socket = ask(port).pause();
    socket.on("readable", () => undefined);
    const trickle = setInterval(() => socket.read(Math.min(1, socket.readableLength)), 20);
    closers.push(() => clearInterval(trickle));
    await expect.poll(closed, { timeout: 60_000 }).toBe(1);
  });

  it("is kept as long as it takes enough", async () => {
    // Takes some times longer than the kernel's buffers go without room for more.
    const BYTES = 24 * MIB;
    const { port } = await start(answerOf(BYTES), 1000);
    const socket = ask(port);
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    await expect.poll(() => received, { timeout: 60_000 }).toBeGreaterThanOrEqual(BYTES);
  });
});

describe("a connection on which nothing waits to be taken is kept", () => {
  it("when its client has read all", async () => {
    const { port, sweeps } = await start(answerOf(MIB));
    const socket = ask(port);
    let received = 0;
    socket.on("data", (chunk) => (received += chunk.length));
    await expect.poll(() => received).toBeGreaterThan(MIB);
    const [before, then] = [received, sweeps()];
    await expect.poll(sweeps).toBeGreaterThan(then + 30);
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => received).toBeGreaterThan(before);
  });

  it("when its answer is not made yet, or a stream that is quiet", async () => {
    const waiting = await start(() => undefined);
    const quiet = await start((_request, response) => response.write(": still here\n\n"));
    ask(waiting.port);
    let received = 0;
    ask(quiet.port).on("data", (chunk) => (received += chunk.length));
    await expect.poll(() => received).toBeGreaterThan(0);
    const then = [waiting.sweeps(), quiet.sweeps()] as const;
    await expect.poll(waiting.sweeps).toBeGreaterThan(then[0] + 30);
    await expect.poll(quiet.sweeps).toBeGreaterThan(then[1] + 30);
    expect([waiting.closed(), quiet.closed()]).toEqual([0, 0]);
  });
});
