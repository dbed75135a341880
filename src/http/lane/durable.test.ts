/** The lane and what is not durable yet: it waits, it answers nothing that storage lost, and what comes meanwhile is answered. */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Lifecycle } from "../lifecycle.ts";
import type { Database } from "../../storage/database.ts";
import { openLane } from "./connections.ts";
import { createLane } from "./lane.ts";
import type { LaneRoute } from "./route.ts";

const REQUEST = "GET /known HTTP/1.1\r\nHost: a\r\n\r\n";

type Done = (error?: Error) => void;

/** A server whose lane knows one route, and whose storage says when it is durable. */
async function start() {
  const waiting: Done[] = [];
  let isDurable = true;
  const db = {
    whenDurable: (done: Done) => void (isDurable ? done() : waiting.push(done)),
  } as unknown as Database;
  const lifecycle: Lifecycle = { phase: "serving", endsConnections: false };
  const server: Server = createServer((_request, response) => response.end("by Node"));
  const lane = createLane({
    db,
    metrics: { observe: () => undefined },
    lifecycle,
    findHostFault: () => undefined,
    isForeign: () => false,
    nextId: () => "id",
    keepAliveSeconds: () => 5,
  });
  const manner = { headOf: () => [], fixed: [], packs: () => false };
  const route = {
    record: { method: "GET", pattern: "/known", config: {} },
    family: { manner },
    answer: () => ({ type: "text/plain", body: "by the lane" }),
  };
  lane.offer(route as unknown as LaneRoute);
  let read = (): number => 0;
  server.on("connection", (served: Socket) => (read = () => served.bytesRead));
  const connections = openLane(server, false, lane.answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
  onTestFinished(() => {
    socket.destroy();
    connections.stop();
    server.close();
    server.closeAllConnections();
  });
  const settle = (error?: Error): void => {
    isDurable = true;
    for (const done of waiting.splice(0)) done(error);
  };
  return {
    ask: () => socket.write(REQUEST),
    /** How many requests have arrived. */
    arrived: () => read() / REQUEST.length,
    waits: async () => {
      isDurable = false;
      socket.write(REQUEST);
      await expect.poll(() => waiting.length).toBe(1);
    },
    settle,
    lifecycle,
    server,
    bodies: () => text.match(/by (?:Node|the lane)/g) ?? [],
    connections,
  };
}

test("an answer waits until what it may have seen is durable", async () => {
  const { waits, settle, bodies } = await start();
  await waits();
  expect(bodies()).toEqual([]);
  settle();
  await expect.poll(bodies).toEqual(["by the lane"]);
});

test("what storage could not make durable is Node's to answer", async () => {
  const { waits, settle, bodies } = await start();
  await waits();
  settle(new Error("the disk is gone"));
  await expect.poll(bodies).toEqual(["by Node"]);
});

test("what comes while an answer waits is answered behind it, by Node, and what comes behind that by the lane", async () => {
  const { ask, arrived, waits, settle, bodies } = await start();
  await waits();
  ask();
  await expect.poll(arrived).toBe(2);
  settle();
  await expect.poll(bodies).toEqual(["by the lane", "by Node"]);
  ask();
  await expect.poll(bodies).toEqual(["by the lane", "by Node", "by the lane"]);
  // Nothing is answered twice.
  ask();
  await expect.poll(bodies).toEqual(["by the lane", "by Node", "by the lane", "by the lane"]);
});

test.each([{ phase: "starting" }, { phase: "stopping" }, { endsConnections: true }] as const)(
  "from the moment on that the server is %j Node answers, which says what follows from it",
  async (change) => {
    const { ask, bodies, lifecycle } = await start();
    ask();
    await expect.poll(bodies).toEqual(["by the lane"]);
    Object.assign(lifecycle, change);
    ask();
    await expect.poll(() => bodies().length).toBe(2);
    expect(bodies()).toEqual(["by the lane", "by Node"]);
  },
);

test("idle connections that were answered can be closed, and all of them at once", async () => {
  const { ask, bodies, connections } = await start();
  ask();
  await expect.poll(bodies).toEqual(["by the lane"]);
  expect(connections.size()).toBe(1);
  connections.closeIdle();
  await expect.poll(connections.size).toBe(0);
});

test("each connection that sends nothing is told so and closed, and one that asked goes on", async () => {
  const { ask, bodies, connections, server } = await start();
  const codes: unknown[] = [];
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    codes.push(error.code);
    socket.destroy();
  });
  ask();
  await expect.poll(bodies).toEqual(["by the lane"]);
  const { port } = server.address() as AddressInfo;
  const silent = Array.from({ length: 300 }, () => connect(port, "127.0.0.1"));
  const closed = silent.map(async (socket) => once(socket.resume(), "close"));
  await expect.poll(connections.size).toBe(301);
  server.headersTimeout = 1000;
  await Promise.all(closed);
  expect(codes).toEqual(Array(300).fill("ERR_HTTP_REQUEST_TIMEOUT"));
  await expect.poll(connections.size).toBe(1);
  ask();
  await expect.poll(bodies).toEqual(["by the lane", "by the lane"]);
});
