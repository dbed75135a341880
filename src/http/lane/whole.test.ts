/** Requests whose end is certain, held against Node's own parser: where one ends for us, it ends for Node. */
import { createServer } from "node:http";
import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { sized } from "../../../test/support/length.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { isWholeRequest } from "./whole.ts";

const GET = "GET /v1/acl/policies?index=7 HTTP/1.1\r\nHost: a\r\nX-Other: \r\nAuthorization: Bearer 6d2b\r\n\r\n";
const PUT = "PUT /v1/acl/policy HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\n{}";
const isWhole = (text: string): boolean => isWholeRequest(Buffer.from(text, "latin1"));

test("a request from its first byte to its last is whole, and no part of it, and none with more behind it", () => {
  for (const whole of [GET, PUT]) {
    expect(isWhole(whole)).toBe(true);
    for (let at = 0; at < whole.length; at++) expect(isWhole(whole.slice(0, at)), String(at)).toBe(false);
    for (const more of [whole, "\r\n", " ", "GET"]) expect(isWhole(whole + more)).toBe(false);
  }
});

test.each<[reason: string, from: string | RegExp, to: string]>([
  ["another method", "PUT", "CONNECT"],
  ["another version", "HTTP/1.1", "HTTP/1.0"],
  ["a bare line feed", "\r\nConn", "\nConn"],
  ["a second length", "Content-Length", "Content-Length: 2\r\nContent-Length"],
  ["a signed length", "Length: 2", "Length: +2"],
  ["a long length", "Length: 2", "Length: 02"],
  ["a transfer encoding", "Content-Length: 2", "Content-Length: 2\r\nTransfer-Encoding: chunked"],
  ["an expectation", "Content-Length: 2", "Content-Length: 2\r\nExpect: 100-continue"],
  ["an upgrade", "Content-Length: 2", "Content-Length: 2\r\nUpgrade: websocket"],
  ["the end of the connection", "Keep-Alive", "close"],
  ["a folded line", "Host: a", "Host: a\r\n b"],
  ["a blank before the colon", "Host:", "Host :"],
  ["a tab", "Host: ", "Host:\t"],
  ["a byte above ASCII", "Host: a", "Host: \u00e9"],
])("%s makes the end uncertain", (_reason, from, to) => {
  const changed = PUT.replace(from, to);
  expect(changed).not.toBe(PUT);
  expect(isWhole(changed)).toBe(false);
});

/** URLs of the requests that Node reads. */
function readByNode(text: string): Promise<string[]> {
  return new Promise((resolve) => {
    const urls: string[] = [];
    const server = createServer({ joinDuplicateHeaders: true, requireHostHeader: false }, (request, response) => {
      request.resume().on("end", () => {
        urls.push(request.url ?? "");
        response.end();
      });
    });
    server.on("clientError", () => urls.push("error"));
    const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
    server.emit("connection", socket);
    socket.push(Buffer.from(text, "latin1"));
    // As many turns as two requests take, of which one has a body.
    let turns = 6;
    const next = (): void => {
      if (turns-- > 0) return void setImmediate(next);
      socket.destroy();
      resolve(urls);
    };
    next();
  });
}

const PIECES = [
  "\r\n",
  "\n",
  "\r",
  " ",
  "\t",
  ":",
  ": ",
  "\0",
  "Content-Length: 2\r\n",
  "Content-Length: 0\r\n",
  "content-length:2\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Connection: close\r\n",
  "GET / HTTP/1.1\r\n",
  "0\r\n\r\n",
  "{}",
  "0",
];

test("of changed requests, each that is whole is one for Node, and the next one begins behind it", async () => {
  const random = randomOfRun();
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  let found = 0;
  for (let round = 0; round < sized(20_000, 500_000); round++) {
    let text = pick([GET, PUT]);
    for (let changes = between(1, 3); changes > 0; changes--) {
      const at = between(0, text.length - 1);
      const piece = between(0, 2) === 0 ? String.fromCharCode(between(0, 255)) : pick(PIECES);
      const cut = between(0, 2) === 0 ? between(1, 6) : 0;
      text = text.slice(0, at) + (between(0, 3) === 0 ? "" : piece) + text.slice(at + cut);
    }
    if (!isWhole(text)) continue;
    found += 1;
    const urls = await readByNode(`${text}GET /behind HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect([urls.length, urls.at(-1)], JSON.stringify(text)).toEqual([2, "/behind"]);
  }
  expect(found).toBeGreaterThan(sized(1000, 25_000));
});
