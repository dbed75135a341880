/** Connections that come back to the lane behind an answer of Node's, and those that do not. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { answerOn, openSocket } from "../../../test/attacks/raw-client.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { accessLog: false } });
  let url: string;
  beforeAll(async () => {
    url = await v1.listen();
  });

  const bytesOf = (method: string, path: string, body?: string, more = ""): string =>
    `${method} /v1${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${MANAGEMENT}\r\n${body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}${more}\r\n${body ?? ""}`;
  const NARROW = () => bytesOf("GET", "/acl/token/self");

  async function ask(socket: Socket, bytes: string): Promise<string> {
    socket.write(bytes, "latin1");
    return answerOn(socket);
  }

  async function answered(): Promise<number> {
    const { text } = await v1.send({
      method: "GET",
      url: "/metrics",
      headers: { authorization: `Bearer ${MANAGEMENT}` },
    });
    return Number(/^tessera_lane_answers_total (\d+)$/m.exec(text)?.[1]);
  }

  /** A connection of which the lane has answered some requests. */
  async function narrowed(requests = 5): Promise<{ socket: Socket; answer: string }> {
    const socket = await openSocket(url);
    let answer = "";
    for (let count = 0; count < requests; count++) answer = await ask(socket, NARROW());
    return { socket, answer };
  }

  test("of requests of which one in a hundred is Node's, all others stay in the lane", async () => {
    const before = await answered();
    const socket = await openSocket(url);
    const others = [
      bytesOf("GET", "/acl/policies?pretty"),
      bytesOf("GET", "/acl/policy/name/none"),
      bytesOf("PUT", "/acl/policy", JSON.stringify({ Name: v1.unique("p") })),
      bytesOf("GET", "/acl/token/self", undefined, "X-Other: 1\r\n"),
    ];
    let first: string | undefined;
    for (const other of others) {
      for (let count = 0; count < 99; count++) {
        const answer = await ask(socket, NARROW());
        expect(answer).toBe((first ??= answer));
      }
      expect(await ask(socket, other)).toMatch(/^HTTP\/1\.1 [24]/);
    }
    expect(await ask(socket, NARROW())).toBe(first);
    socket.destroy();
    expect((await answered()) - before).toBe(99 * others.length + 1);
  });

  test("a connection whose requests are mostly others is Node's for good", async () => {
    const { socket, answer } = await narrowed(2);
    const before = await answered();
    for (let count = 0; count < 3; count++) await ask(socket, bytesOf("GET", "/acl/policies?pretty"));
    for (let count = 0; count < 5; count++) expect(await ask(socket, NARROW())).toBe(answer);
    socket.destroy();
    expect(await answered()).toBe(before);
  });

  test("a request whose end is not certain is Node's, in parts at any byte, with all behind it", async () => {
    const { socket: known, answer } = await narrowed(1);
    known.destroy();
    const other = bytesOf("PUT", "/internal/acl/authorize", "[]");
    const expected = (await ask((await narrowed(1)).socket, other)).slice(0, 12);
    for (let at = 1; at < other.length; at += 7) {
      const { socket } = await narrowed(2);
      socket.write(other.slice(0, at), "latin1");
      await new Promise((resolve) => setImmediate(resolve));
      expect((await ask(socket, other.slice(at))).slice(0, 12), String(at)).toBe(expected);
      expect(await ask(socket, NARROW())).toBe(answer);
      socket.destroy();
    }
  });

  test("what is sent ahead of an answer of Node's is answered in its order", async () => {
    for (const ahead of [1, 20]) {
      const { socket } = await narrowed(30);
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      for (let count = 0; count < ahead; count++) {
        socket.write(bytesOf("GET", "/acl/policy/name/none"));
        await new Promise((resolve) => setImmediate(resolve));
        socket.write(NARROW() + bytesOf("GET", "/acl/policy/name/none") + NARROW());
      }
      await expect.poll(() => text.split("HTTP/1.1 ").length - 1, { timeout: 20_000 }).toBe(4 * ahead);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect(statuses).toEqual(Array.from({ length: ahead }, () => ["404", "200", "404", "200"]).flat());
      socket.destroy();
    }
  });

  test("who closes its half behind a narrow request is answered; behind any other request as on a connection of Node's", async () => {
    const closing = async (socket: Socket, last: string): Promise<string> => {
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      socket.end(last);
      await once(socket, "close");
      return text;
    };
    const returned = async (): Promise<Socket> => {
      const { socket } = await narrowed(3);
      await ask(socket, bytesOf("GET", "/acl/policies?pretty"));
      return socket;
    };
    const narrow = await closing(await returned(), NARROW());
    expect(narrow).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(narrow.match(/HTTP\/1\.1/g)).toHaveLength(1);
    // Node ends a connection whose client has closed its half, whatever it still has to answer.
    const other = bytesOf("GET", "/acl/policy/name/none");
    const nodes = await closing(await openSocket(url), other);
    expect((await closing(await returned(), other)).slice(0, 12)).toBe(nodes.slice(0, 12));
  });

  test("an answer that ends its connection ends it", async () => {
    const { socket } = await narrowed(3);
    await ask(socket, bytesOf("GET", "/acl/policies?pretty"));
    const closed = once(socket, "close");
    expect(await ask(socket, bytesOf("GET", "/acl/token/self", undefined, "Connection: close\r\n"))).toMatch(
      /Connection: close/i,
    );
    await closed;
  });

  test("bytes that are no request are refused behind an answer of Node's as before one", async () => {
    const { socket } = await narrowed(3);
    await ask(socket, bytesOf("GET", "/acl/policies?pretty"));
    await ask(socket, NARROW());
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.write("no request at all\r\n\r\n");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("a server that stops answers what it has, and closes the connections that were lent to Node", async () => {
    const { socket } = await narrowed(3);
    await ask(socket, bytesOf("GET", "/acl/policies?pretty"));
    await ask(socket, NARROW());
    const closed = once(socket, "close");
    await v1.close();
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
