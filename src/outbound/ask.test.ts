import { createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  ask,
  CANARY,
  listen,
  LOOPBACK,
  refusal,
  serve,
  serveRaw,
  waitUntilClosed,
} from "../../test/support/outbound.ts";
import { createAsk } from "./exchange.ts";
import { createTrust } from "./trust.ts";

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe("an answer", () => {
  test("is whole, with its status and its headers", async () => {
    const { port } = await serve((request, response) => {
      void text(request).then((body) => {
        response.writeHead(
          404,
          [
            ["X-Two", "a"],
            ["x-two", "b"],
            ["Content-Type", "text/plain"],
          ].flat(),
        );
        response.end(`${request.method} ${request.url} ${request.headers["x-one"] as string} ${body} größer 😀`);
      });
    });
    const answer = await ask({
      method: "POST",
      url: `http://127.0.0.1:${port}/a%20b?c=d#e`,
      headers: { "X-One": "1" },
      body: "{ü}",
    });
    expect(answer).toMatchObject({ status: 404, body: "POST /a%20b?c=d 1 {ü} größer 😀" });
    expect(answer.headers).toMatchObject({ "x-two": "a, b", "content-type": "text/plain" });
    await waitUntilClosed();
  });

  test("may have a status of redirects that leads nowhere", async () => {
    const { port } = await serve((_request, response) => response.writeHead(304).end());
    await expect(ask(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 304, body: "" });
  });

  test("may be 1 MiB, and no more, whatever it says of its length", async () => {
    const { port } = await serve((request, response) => {
      const length = 1024 * 1024 + (request.url === "/more" ? 1 : 0);
      // Without headers of its own an answer that is written at once says how long it is.
      if (request.url === "/more") response.flushHeaders();
      else response.setHeader("content-length", length);
      response.end(CANARY.padEnd(length));
    });
    expect((await ask(`http://127.0.0.1:${port}/`)).body).toHaveLength(1024 * 1024);
    const tooLarge = `127.0.0.1:${port}: the response is larger than 1 MiB`;
    expect(await refusal(`http://127.0.0.1:${port}/more`)).toBe(tooLarge);
    await waitUntilClosed();
    const { port: lying } = await serveRaw(`HTTP/1.1 200 OK\r\ncontent-length: 1048577\r\n\r\n${CANARY}`);
    expect(await refusal(`http://127.0.0.1:${lying}/`)).toBe(`127.0.0.1:${lying}: the response is larger than 1 MiB`);
    const { port: endless } = await serve((_request, response) => {
      const more = (error?: Error | null): void => {
        if (error === undefined || error === null) response.write(CANARY.repeat(10_000), more);
      };
      more();
    });
    expect(await refusal(`http://127.0.0.1:${endless}/`)).toBe(
      `127.0.0.1:${endless}: the response is larger than 1 MiB`,
    );
    await waitUntilClosed();
  });

  test("may come byte by byte for a while, and no longer", async () => {
    const { port } = await serve((request, response) => {
      response.socket?.cork();
      for (let left = Number(request.url?.slice(1)); left > 0; left--) response.write("a");
      response.end();
      response.socket?.uncork();
    });
    expect((await ask(`http://127.0.0.1:${port}/4096`)).body).toBe("a".repeat(4096));
    expect(await refusal(`http://127.0.0.1:${port}/4097`)).toBe(`127.0.0.1:${port}: the response has too many chunks`);
    await waitUntilClosed();
  });

  test("of a million bytes, each in a chunk of its own, is not kept", async () => {
    const bytes = Buffer.from(CHUNKED + "1\r\na\r\n".repeat(1_000_000) + "0\r\n\r\n");
    const { port } = await listen(createTcpServer((socket) => socket.once("data", () => socket.end(bytes))));
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 5; round++) {
      expect(await refusal(`http://127.0.0.1:${port}/`)).toBe(`127.0.0.1:${port}: the response has too many chunks`);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    await waitUntilClosed();
  });

  test("has an end, also outside of its body", async () => {
    const endless = async (head: string, more: string): Promise<string> => {
      const part = more.repeat(10_000);
      const { port } = await listen(
        createTcpServer((socket) => {
          const write = (error?: Error | null): void => {
            if (error === undefined || error === null) socket.write(part, write);
          };
          socket.once("data", () => socket.write(head, write));
        }),
      );
      const message = await refusal(`http://127.0.0.1:${port}/`);
      return message.slice(message.indexOf(": ") + 2);
    };
    expect(await endless(CHUNKED, "0".repeat(100))).toBe("the response is larger than 1 MiB");
    expect(await endless("", "HTTP/1.1 103 Early Hints\r\n\r\n")).toBe("too many 1xx responses");
    expect(await endless("", "HTTP/1.1 100 Continue\r\n\r\n")).toBe("too many 1xx responses");
    await waitUntilClosed();
  });

  test("may be announced", async () => {
    const { port } = await serveRaw(
      "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(10) + "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    );
    await expect(ask(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 200, body: "ok" });
  });

  test("is asked for as it is, and refused when it is compressed all the same", async () => {
    const { port } = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.setHeader("content-encoding", "gzip").end(CANARY);
    });
    const url = `http://127.0.0.1:${port}/`;
    const text_ = `127.0.0.1:${port}: the response has an unexpected content encoding`;
    expect(await refusal({ method: "GET", url, headers: { "Accept-Encoding": "gzip" } })).toBe(text_);
    await waitUntilClosed();
  });
});

describe("what is no answer", () => {
  test.each<[what: string, bytes: string, text: string]>([
    [
      "cut off",
      `HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${CANARY}`,
      "connection closed before the response was complete",
    ],
    [
      "cut off in a chunk",
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n${CANARY}`,
      "connection closed before the response was complete",
    ],
    ["nothing", "", "connection closed before the response was complete"],
    ["a protocol of another kind", `${CANARY} 1.0\r\n\r\n`, "the response is not valid HTTP"],
    ["a header that is none", `HTTP/1.1 200 OK\r\n${CANARY}\r\n\r\n`, "the response is not valid HTTP"],
    [
      "headers without an end",
      `HTTP/1.1 200 OK\r\nx: ${CANARY.repeat(2000)}\r\n\r\n`,
      "response headers are too large",
    ],
    [
      "an upgrade",
      `HTTP/1.1 101 ${CANARY}\r\nconnection: upgrade\r\nupgrade: ${CANARY}\r\n\r\n`,
      "the connection was closed before the response",
    ],
  ])("is refused in words of ours: %s", async (_what, bytes, words) => {
    const { port } = await serveRaw(bytes);
    expect(await refusal(`http://127.0.0.1:${port}/`)).toBe(`127.0.0.1:${port}: ${words}`);
    await waitUntilClosed();
  });

  test("is what a server gives that is not there", async () => {
    const server = createTcpServer();
    const { port } = await listen(server);
    await new Promise((closed) => server.close(closed));
    expect(await refusal(`http://127.0.0.1:${port}/`)).toBe(`127.0.0.1:${port}: connection refused`);
    expect(await refusal(`http://localhost:${port}/`)).toBe(`localhost:${port}: connection refused`);
  });
});

describe("a request takes no longer than it may", () => {
  const times = { connectMilliseconds: 200, totalMilliseconds: 300 };

  test("when the answer comes a byte at a time", async () => {
    const { port } = await serve((_request, response) => {
      const timer = setInterval(() => response.write("a"), 10);
      response.once("close", () => clearInterval(timer));
    });
    expect(await refusal(`http://127.0.0.1:${port}/`, times)).toBe(`127.0.0.1:${port}: no response within 0.3 s`);
    await waitUntilClosed();
  });

  test("when nothing is answered", async () => {
    const { port } = await serve(() => undefined);
    expect(await refusal(`http://127.0.0.1:${port}/`, times)).toBe(`127.0.0.1:${port}: no response within 0.3 s`);
    await waitUntilClosed();
  });

  test("when the body is not taken", async () => {
    const { port } = await listen(createTcpServer((socket) => socket.pause()));
    const request = { method: "POST", url: `http://127.0.0.1:${port}/`, body: "x".repeat(20_000_000) } as const;
    expect(await refusal(request, times)).toBe(`127.0.0.1:${port}: no response within 0.3 s`);
  });

  test("when no secure connection is made", async () => {
    const { port } = await listen(createTcpServer((socket) => socket.resume()));
    expect(await refusal(`https://127.0.0.1:${port}/`, times)).toBe(`127.0.0.1:${port}: no connection within 0.2 s`);
    await waitUntilClosed();
  });

  test("when the resolver is silent, for this name and for the fifth", async () => {
    const silent = createAsk({
      ...LOOPBACK,
      ...times,
      trust: createTrust(),
      resolve: () => new Promise<never>(() => undefined),
    });
    const asked = ["a", "b", "c", "d", "e", "a"].map((name) => silent({ method: "GET", url: `http://${name}.test/` }));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : ""))).toEqual(
      ["a", "b", "c", "d", "e", "a"].map((name) => `Error: ${name}.test: no connection within 0.2 s`),
    );
  });
});

describe("a request is refused before anything is sent", () => {
  test.each([
    ["", "the URL is not valid"],
    ["idp.example.com", "the URL is not valid"],
    ["ftp://idp.test/", "the URL must be one of https or http"],
    ["file:///etc/passwd", "the URL must be one of https or http"],
    ["http://user@idp.test/", "idp.test: the URL must not contain a user name or a password"],
    [`https://:${CANARY}@idp.test:8443/`, "idp.test:8443: the URL must not contain a user name or a password"],
    [`http://${"a.".repeat(200)}test/`, "the URL has a host that is too long"],
  ])("for the URL %j", async (url, text_) => {
    expect(await refusal(url)).toBe(text_);
  });

  test("for a header that would be several", async () => {
    const { port, met } = await serve((_request, response) => response.end());
    for (const headers of [{ authorization: `Bearer ${CANARY}\r\nx: y` }, { [`a ${CANARY}`]: "b" }]) {
      expect(await refusal({ method: "GET", url: `http://127.0.0.1:${port}/`, headers })).toBe(
        `127.0.0.1:${port}: invalid request header`,
      );
    }
    expect(met()).toBe(0);
  });
});
