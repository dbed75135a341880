import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { openShell, sendRaw, SHELL_TOKEN } from "../../../test/support/shell.ts";
import { MAX_HELD_PER_CONNECTION, answerInOrder, type Pipelines } from "./pipelining.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface TestServer {
  server: Server;
  port: number;
  turns: Pipelines;
  /** URLs of the requests that were begun, in order. */
  begun: string[];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(handler: Handler, tls?: { cert: string; key: string }): Promise<TestServer> {
  const begun: string[] = [];
  const handle: Handler = (request, response) => {
    begun.push(`${request.method} ${request.url}`);
    if (request.headers.host === undefined) response.writeHead(400, { connection: "close" }).end();
    else handler(request, response);
  };
  const options = { requireHostHeader: false };
  const server = tls === undefined ? createServer(options, handle) : createSecureServer({ ...options, ...tls }, handle);
  server.on("checkExpectation", (_request, response) => response.writeHead(417).end());
  const turns = answerInOrder(server);
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port, turns, begun };
}

function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

const LAST = "Connection: close\r\n";

/** Answers with the path, the earlier requests turns later than those behind them. */
const slowFirst: Handler = ({ url = "" }, response) => {
  const later = (turns: number) => (turns > 0 ? void setImmediate(later, turns - 1) : response.end(`<${url}>`));
  later(30 - 10 * Number(url.slice(1)));
};

function bodiesOf(answers: string): string[] {
  return answers.match(/<[^>]*>/g) ?? [];
}

describe("requests that are sent ahead", () => {
  it("are answered in order, and none is begun before the one before is answered", async () => {
    let running = 0;
    let most = 0;
    const { port, turns, begun } = await listen((request, response) => {
      most = Math.max(most, ++running);
      response.once("finish", () => (running -= 1));
      slowFirst(request, response);
    });
    const answers = await sendRaw(port, [0, 1, 2, 3, 4].map((n) => get(`/${n}`, n === 4 ? LAST : "")).join(""));
    expect(bodiesOf(answers)).toEqual(["</0>", "</1>", "</2>", "</3>", "</4>"]);
    expect(begun).toHaveLength(5);
    expect([most, turns.held()]).toEqual([1, 0]);
  });

  it("may come in any pieces, also when thousands do", async () => {
    const { port, turns } = await listen(({ url = "" }, response) => response.end(`<${url}>`));
    const sent = Array.from({ length: 3000 }, (_, n) => get(`/${n}`, `X-Long: ${"x".repeat(200)}\r\n`));
    const answers = await sendRaw(port, `${sent.join("")}${get("/last", LAST)}`);
    expect(bodiesOf(answers)).toEqual([...sent.map((_, n) => `</${n}>`), "</last>"]);
    expect([turns.held(), turns.cut()]).toEqual([0, 0]);
  });

  it("keep their bodies, whole or in chunks", async () => {
    const { port } = await listen((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => setImmediate(() => response.end(`<${request.url} ${body.length} ${body.at(-1)}>`)));
    });
    const long = "b".repeat(300_000);
    const answers = await sendRaw(
      port,
      `${get("/0")}POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\naaa` +
        `POST /2 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ncc\r\n1\r\nd\r\n0\r\n\r\n` +
        `POST /3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${long.length}\r\n\r\n${long}${get("/4", LAST)}`,
    );
    expect(bodiesOf(answers)).toEqual([
      "</0 0 undefined>",
      "</1 3 a>",
      "</2 3 d>",
      `</3 ${long.length} b>`,
      "</4 0 undefined>",
    ]);
  });

  it("get what Node would answer out of turn in turn: 100, 417, and 400 without a host", async () => {
    const { port } = await listen(slowFirst);
    const answers = await sendRaw(
      port,
      `${get("/0")}POST /1 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx` +
        `${get("/2", "Expect: wonders\r\n")}HEAD /3 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /4 HTTP/1.1\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+|<.*?>/g)).toEqual([
      "HTTP/1.1 200",
      "</0>",
      "HTTP/1.1 100",
      "HTTP/1.1 200",
      "</1>",
      "HTTP/1.1 417",
      "HTTP/1.1 200",
      "HTTP/1.1 400",
    ]);
  });

  it("are answered over TLS too", async () => {
    const tls = makeCertificate();
    const { port, turns } = await listen(slowFirst, tls);
    const socket = connectSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false });
    let answers = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (answers += chunk));
    socket.write([0, 1, 2].map((n) => get(`/${n}`, n === 2 ? LAST : "")).join(""));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(bodiesOf(answers)).toEqual(["</0>", "</1>", "</2>"]);
    expect(turns.held()).toBe(0);
  });

  it("wait until the answer before them is out of the memory, not just made", async () => {
    const { port, begun, turns } = await listen((_request, response) => response.end(Buffer.alloc(32 * 1024 * 1024)));
    const socket = open(port, get("/0") + get("/1"));
    socket.pause();
    await expect.poll(() => turns.held()).toBe(1);
    // Another connection is served meanwhile.
    await sendRaw(port, get("/other", LAST));
    expect(begun).toEqual(["GET /0", "GET /other"]);
    socket.resume();
    await expect.poll(() => begun).toEqual(["GET /0", "GET /other", "GET /1"]);
  });
});

function open(port: number, bytes: string): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.on("error", () => {});
  closers.push(() => socket.destroy());
  return socket;
}

describe("a client that sent ahead", () => {
  it("leaves nothing behind when it goes, and what waited is never begun", async () => {
    const { port, begun, turns } = await listen(({ url }, response) => void (url === "/ok" && response.end("<ok>")));
    const socket = open(port, get("/0").repeat(50));
    await expect.poll(() => turns.held()).toBe(49);
    socket.destroy();
    await expect.poll(() => turns.held()).toBe(0);
    expect(bodiesOf(await sendRaw(port, get("/ok", LAST)))).toEqual(["<ok>"]);
    expect(begun).toEqual(["GET /0", "GET /ok"]);
  });

  it("is cut when it is too much, and others are not", async () => {
    const { port, turns } = await listen(({ url = "" }, response) => void (url === "/ok" && response.end("<ok>")));
    const socket = open(port, get("/0").repeat(MAX_HELD_PER_CONNECTION + 2));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(turns.cut()).toBe(1);
    await expect.poll(() => turns.held()).toBe(0);
    expect(bodiesOf(await sendRaw(port, get("/ok", LAST)))).toEqual(["<ok>"]);
  });

  it("is sent no further answer behind one that closes the connection", async () => {
    const { port, begun, turns } = await listen((_request, response) =>
      setImmediate(() => response.writeHead(200, { connection: "close" }).end("<0>")),
    );
    expect(bodiesOf(await sendRaw(port, get("/0") + get("/1")))).toEqual(["<0>"]);
    await expect.poll(() => turns.held()).toBe(0);
    expect(begun).toEqual(["GET /0"]);
  });
});

describe("the server's own requests that are sent ahead", () => {
  it("are answered in front of what is malformed behind them", async () => {
    const shell = await openShell();
    await shell.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = shell.app.server.address() as AddressInfo;
    const ping = get("/api/v2/ping", `Authorization: Bearer ${SHELL_TOKEN}\r\n`);
    const answers = await sendRaw(port, `${ping}${get("/v1/status/leader")}${ping}no request\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 204", "HTTP/1.1 200", "HTTP/1.1 204"]);
    await shell.close();
  });
});
