import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Server, type Socket } from "node:net";
import { types } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import {
  garbageCollector,
  handedBytes,
  isReadingBody,
  queueNoMore,
  responseOn,
  YOUNG_HEAP_FLAG,
} from "./private-node.ts";

/** Starts a server that ends with the test, and connects to it. @returns the server, its socket and the client's */
async function connection(listener: RequestListener): Promise<{ server: Server; socket: Socket; client: Socket }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const client = connect(port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const [socket] = await accepted;
  return { server, socket, client };
}

test("a connection knows its response as long as that is in progress", async () => {
  const asked = Promise.withResolvers<Parameters<RequestListener>[1]>();
  const { socket, client } = await connection((_request, response) => asked.resolve(response));
  expect(responseOn(socket)).toBeUndefined();
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const response = await asked.promise;
  expect(responseOn(socket)).toBe(response);
  response.end("done");
  await once(response, "close");
  expect(responseOn(socket)).toBeUndefined();
});

test("a connection knows whether the body of its request is still read", async () => {
  const asked = Promise.withResolvers<Parameters<RequestListener>[0]>();
  const { socket, client } = await connection((request, response) => {
    response.end("answered before the body");
    asked.resolve(request.resume());
  });
  client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
  const request = await asked.promise;
  expect(isReadingBody(socket)).toBe(true);
  client.write("cd");
  await once(request, "end");
  expect(isReadingBody(socket)).toBe(false);
});

test("bytes that the kernel has taken are counted, those in the queue of the process are not", async () => {
  const { socket, client } = await connection(() => undefined);
  expect(handedBytes(socket)).toBe(0);
  socket.write("four");
  expect(handedBytes(socket)).toBe(4);
  // Nobody reads: no buffer of the kernel takes so much.
  client.pause();
  socket.write(Buffer.alloc(64 * 1024 * 1024));
  expect(handedBytes(socket)).toBeLessThan(4 + 64 * 1024 * 1024);
});

test("a listening server can be told to queue no more connections, and goes on to listen", async () => {
  const { server } = await connection(() => undefined);
  const { _handle: handle } = server as unknown as { _handle: { listen: unknown } };
  expect(handle.listen).toBeTypeOf("function");
  queueNoMore(server);
  expect(server.listening).toBe(true);
  // A server that does not listen has no such part.
  queueNoMore(createServer());
});

test("V8's collector runs at once, and as a promise", async () => {
  const collect = garbageCollector();
  expect(collect({ type: "minor" })).toBeUndefined();
  const collected = collect({ type: "major", execution: "async" });
  expect(types.isPromise(collected)).toBe(true);
  await collected;
});

test("V8 has the flag that keeps its young generation small", () => {
  // A program refuses an unknown flag at its start; one that is set later is only a line on stderr.
  const { status } = spawnSync(process.execPath, [YOUNG_HEAP_FLAG, "--eval", "0"]);
  expect(status).toBe(0);
  expect(spawnSync(process.execPath, ["--semi-space-grow=1", "--eval", "0"]).status).not.toBe(0);
});
