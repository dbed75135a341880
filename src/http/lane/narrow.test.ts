/** The narrow form, held against Node's own parser: what the lane reads, Node reads alike. */
import { createServer, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { sized } from "../../../test/support/length.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { parseNarrow, type LastHeaders, type NarrowRequest } from "./narrow.ts";

const GET = "GET /v1/acl/token/self HTTP/1.1\r\nHost: 127.0.0.1:8500\r\nAuthorization: Bearer 6d2b\r\n\r\n";
const POST =
  "POST /v1/acl/authorize HTTP/1.1\r\nHost: a\r\nX-Consul-Token: 6d2b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]";
const fresh = (): LastHeaders => ({ text: "", headers: undefined });
const parse = (text: string): NarrowRequest | undefined => parseNarrow(Buffer.from(text, "latin1"), fresh());

test("a whole request is read", () => {
  expect(parse(GET)).toEqual({
    method: "GET",
    url: "/v1/acl/token/self",
    headers: { host: "127.0.0.1:8500", authorization: "Bearer 6d2b" },
    body: undefined,
  });
  expect(parse(POST)).toMatchObject({ method: "POST", url: "/v1/acl/authorize", body: Buffer.from("[]") });
});

test("no part of a request is read as one, and nothing behind it", () => {
  for (const whole of [GET, POST]) {
    for (let at = 0; at < whole.length; at++) expect(parse(whole.slice(0, at)), String(at)).toBeUndefined();
    for (const more of [whole, "\r\n", " ", "GET"]) expect(parse(whole + more)).toBeUndefined();
  }
});

test.each<[reason: string, from: string | RegExp, to: string]>([
  ["another method", "GET", "HEAD"],
  ["a method in lower case", "GET", "get"],
  ["another version", "HTTP/1.1", "HTTP/1.0"],
  ["an absolute target", "/v1/", "http://127.0.0.1:8500/v1/"],
  ["a query", "self ", "self?index=1 "],
  ["a fragment", "self ", "self#a "],
  ["an escape", "self", "se%6cf"],
  ["an empty segment", "/acl/", "//acl/"],
  ["two blanks", "GET ", "GET  "],
  ["a line break before", "GET", "\r\nGET"],
  ["a bare line feed", "\r\nAuth", "\nAuth"],
  ["a bare carriage return", "\r\nAuth", "\rAuth"],
  ["no host", /Host[^\r]*\r\n/, ""],
  ["a second host", "Host", "Host: other\r\nHost"],
  ["a second token", "Authorization", "Authorization: Bearer 1\r\nauthorization"],
  ["a blank before the colon", "Host:", "Host :"],
  ["a tab behind the colon", "Host: ", "Host:\t"],
  ["no blank behind the colon", "Host: ", "Host:"],
  ["a blank at the end", "6d2b", "6d2b "],
  ["a folded line", "6d2b", "6d2b\r\n more"],
  ["an empty value", "Bearer 6d2b", ""],
  ["a byte above ASCII", "6d2b", "6d2\u00e9"],
  ["a NUL", "6d2b", "6d2\0"],
  ["a length without a body", "\r\n\r\n", "\r\nContent-Length: 1\r\n\r\n"],
  ["a body of a read", "\r\n\r\n", "\r\nContent-Length: 1\r\n\r\n "],
  ["a transfer encoding", "\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["an expectation", "\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"],
  ["an upgrade", "\r\n\r\n", "\r\nUpgrade: h2c\r\n\r\n"],
  ["the end of the connection", "\r\n\r\n", "\r\nConnection: close\r\n\r\n"],
  ["a cookie", "\r\n\r\n", "\r\nCookie: a=b\r\n\r\n"],
  ["an origin", "\r\n\r\n", "\r\nOrigin: http://a\r\n\r\n"],
  ["an address in front", "\r\n\r\n", "\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n"],
  ["another address in front", "\r\n\r\n", "\r\nForwarded: for=10.0.0.1\r\n\r\n"],
  ["a trace", "\r\n\r\n", "\r\nTraceparent: 00-0-0-01\r\n\r\n"],
  ["a namespace", "\r\n\r\n", "\r\nX-Consul-Namespace: a\r\n\r\n"],
  ["an unknown header", "\r\n\r\n", "\r\nX-Other: a\r\n\r\n"],
  ["a name of the prototype", "\r\n\r\n", "\r\n__proto__: a\r\n\r\n"],
  ["a long head", "6d2b", "a".repeat(5000)],
])("%s is left to Node", (_reason, from, to) => {
  const changed = GET.replace(from, to);
  expect(changed).not.toBe(GET);
  expect(parse(changed)).toBeUndefined();
});

test.each(["02", "+2", "2.0", "0x2", "3", "1", "-1", "", "99999"])(
  "the length %j of two bytes is left to Node",
  (length) => {
    expect(parse(POST.replace("Content-Length: 2", `Content-Length: ${length}`))).toBeUndefined();
  },
);

test("headers that are repeated to the letter are read once, and others anew", () => {
  const last = fresh();
  const first = parseNarrow(Buffer.from(GET), last);
  expect(parseNarrow(Buffer.from(GET), last)?.headers).toBe(first?.headers);
  const other = parseNarrow(Buffer.from(GET.replace("6d2b", "7e3c")), last);
  expect(other?.headers["authorization"]).toBe("Bearer 7e3c");
  expect(parseNarrow(Buffer.from(GET.replace("Host", "Cookie")), last)).toBeUndefined();
  expect(parseNarrow(Buffer.from(GET.replace("Host", "Cookie")), last)).toBeUndefined();
});

/** How Node reads bytes of a connection: the requests, and whether anything was wrong. */
function readByNode(
  bytes: Buffer,
): Promise<{ requests: (Omit<NarrowRequest, "body"> & { body: string })[]; isBad: boolean }> {
  return new Promise((resolve) => {
    const requests: (Omit<NarrowRequest, "body"> & { body: string })[] = [];
    let isBad = false;
    const server = createServer(
      { joinDuplicateHeaders: true, requireHostHeader: false },
      (request: IncomingMessage, response) => {
        let body = "";
        request.setEncoding("latin1").on("data", (part: string) => (body += part));
        request.on("end", () => {
          const { method, url = "", headers } = request;
          requests.push({ method: method as "GET", url, headers: headers as Record<string, string>, body });
          response.end();
        });
      },
    );
    server.on("clientError", () => (isBad = true));
    const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
    server.emit("connection", socket);
    socket.push(bytes);
    // The parser takes what is pushed in the next turn, and the body's end in the one after.
    setImmediate(() =>
      setImmediate(() => {
        socket.destroy();
        resolve({ requests, isBad });
      }),
    );
  });
}

/** Pieces that make trouble wherever they stand. */
const PIECES = [
  "\r\n",
  "\n",
  "\r",
  " ",
  "\t",
  ":",
  ": ",
  "\0",
  "\x7f",
  "\u00e9",
  "Host: b\r\n",
  "Content-Length: 2\r\n",
  "Content-Length: 0\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Connection: close\r\n",
  "//",
  "/../",
  "%2f",
  "?",
  "#",
  "GET / HTTP/1.1\r\n",
  "[]",
  "0",
];

test("a million changed requests: whatever the lane reads, Node reads as the same one request", async () => {
  const random = randomOfRun();
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  let read = 0;
  for (let round = 0; round < sized(40_000, 1_000_000); round++) {
    let text = pick([GET, POST]);
    for (let changes = between(1, 3); changes > 0; changes--) {
      const at = between(0, text.length - 1);
      const cut = between(0, 2) === 0 ? between(1, 6) : 0;
      const piece = between(0, 2) === 0 ? String.fromCharCode(between(0, 255)) : pick(PIECES);
      text = text.slice(0, at) + (between(0, 3) === 0 ? "" : piece) + text.slice(at + cut);
    }
    const bytes = Buffer.from(text, "latin1");
    const narrow = parseNarrow(bytes, fresh());
    if (narrow === undefined) continue;
    read += 1;
    const { requests, isBad } = await readByNode(bytes);
    const { method, url, headers, body } = narrow;
    expect([requests, isBad], JSON.stringify(text)).toEqual([
      [{ method, url, headers, body: body?.toString("latin1") ?? "" }],
      false,
    ]);
  }
  expect(read).toBeGreaterThan(sized(400, 10_000));
});
