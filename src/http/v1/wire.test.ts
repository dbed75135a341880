/** Bodies and answers as they travel: media types, lengths, JSON, packing and streams. */
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../../../test/support/shell.ts";
import { openV1Shell, type V1Shell } from "../../../test/support/v1-shell.ts";
import type { Database } from "../../storage/database.ts";
import type { V1Routes } from "./consul-api.ts";
import { acceptsGzip } from "./answer.ts";
import { sendList } from "./reads/serve.ts";
import { bytesOf, renderPieces, textOfEntry, type Bytes, type Slices } from "./reads/pieces.ts";
import { isPretty, sendJsonText } from "./render.ts";

const THING = Type.Object({ Name: Type.Optional(Type.String()) });
const body = { schema: THING, prefix: "Thing decoding failed: " };
const METHODS = ["PUT", "POST", "PATCH", "DELETE"] as const;

/** Slices that were asked for, and whether their source was told to end. */
const source = { slices: 0, ended: 0 };

const routes: V1Routes = (app, _options, done) => {
  for (const method of METHODS) {
    app.route({ method, url: "/thing", config: { body }, handler: async (request) => ({ body: request.body }) });
    app.route({ method, url: "/bare", handler: async (request) => ({ body: request.body ?? "none" }) });
  }
  app.get("/thing", async () => ({ ok: true }));
  app.put("/optional", { config: { body: { ...body, optional: true } } }, async (request) => request.body);
  app.get("/text", (_request, reply) => void sendJsonText(reply, "<a>"));
  app.get("/true", async () => true);
  app.get("/empty", async () => []);
  app.get("/escape", async () => ({ SecretID: "<hidden>", Other: 'a&b\u2028\u2029\u007f"\\é' }));
  app.get("/size/:size", async (request) => ["x".repeat(Number((request.params as { size: string }).size) - 4)]);
  app.get("/list/:count", async (request, reply) =>
    sendList(reply, rendered(request, slices(Number((request.params as { count: string }).count)))),
  );
  app.get("/broken/:after", async (request, reply) =>
    sendList(reply, rendered(request, slices(100_000, Number((request.params as { after: string }).after)))),
  );
  done();
};

function rendered(request: FastifyRequest, list: Slices<number>): Bytes {
  const pretty = isPretty(request);
  const textOf = (id: number) => textOfEntry({ ID: id, Name: "<>" }, pretty);
  return bytesOf(renderPieces(list, { textOf, keyOf: String, isPretty: pretty }));
}

async function* slices(count: number, breakAt = Infinity): Slices<number> {
  try {
    for (let start = 0; start < count; start += 1000) {
      if (start >= breakAt) throw new Error("canary-of-the-source");
      source.slices += 1;
      yield Array.from({ length: Math.min(1000, count - start) }, (_, index) => start + index);
    }
  } finally {
    source.ended += 1;
  }
}

let shell: V1Shell;
let port: number;
beforeAll(async () => {
  shell = await openV1Shell({ routes: [routes] });
  await shell.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = shell.app.server.address() as AddressInfo);
});
afterAll(async () => shell.close());

/** CVE-2026-25223: white space in Content-Type made a framework skip validation. */
describe("incident 27: whatever Content-Type says", () => {
  const types = [
    undefined,
    "",
    "application/json",
    "\tapplication/json",
    "application/json\ta",
    "application/json ; a",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "a b",
    ";",
    "undefined",
    "*",
    `application/json${";    ".repeat(500)}`,
  ];

  it.each(METHODS)("the body of %s is decoded", async (method) => {
    for (const type of types) {
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const send = async (payload: string) => shell.send({ method, url: "/v1/thing", headers, payload });
      expect([type, (await send('{"name":"a"}')).text]).toEqual([type, '{"body":{"Name":"a"}}']);
      const bad = await send('{"Name":1}');
      expect([type, bad.status, bad.text]).toEqual([
        type,
        400,
        "Thing decoding failed: json: cannot unmarshal number into Go struct field .Name of type string",
      ]);
      expect([type, (await send("")).text]).toEqual([type, "Thing decoding failed: EOF"]);
    }
  });

  it("a route without a body looks at none", async () => {
    for (const method of METHODS) {
      for (const type of ["a b", "application/json"]) {
        const answer = await shell.send({ method, url: "/v1/bare", headers: { "content-type": type }, payload: "{x" });
        expect([method, answer.text]).toEqual([method, '{"body":"none"}']);
      }
    }
    const get = await sendRaw(
      port,
      "GET /v1/thing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{x",
    );
    expect(get).toContain("200 OK");
    expect((await shell.put("/v1/optional", "")).text).toBe("{}");
  });
});

describe("incident 26: lengths", () => {
  const head = "PUT /v1/thing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

  it("over 1 MiB are refused, announced or not", async () => {
    const big = `{"Name":"${"x".repeat(1024 * 1024)}"}`;
    const answer = await shell.put("/v1/thing", big);
    expect([answer.status, answer.text]).toEqual([413, "The request body is larger than 1 MiB"]);
    const chunked = await sendRaw(
      port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
    );
    expect(chunked.slice(9, 12)).toBe("413");
    expect((await sendRaw(port, `${head}Content-Length: 99999999999\r\n\r\n{}`)).slice(9, 12)).toBe("413");
    const fits = `{"Name":"${"x".repeat(1024 * 1024 - 11)}"}`;
    expect([fits.length, (await shell.put("/v1/thing", fits)).status]).toEqual([1024 * 1024, 200]);
  });

  it("that lie end in a refusal or no answer, and nothing is decoded that was not announced", async () => {
    expect(await sendRaw(port, `${head}Content-Length: 2\r\n\r\n{}{"Name":1}`)).toContain('{"body":{}}');
    expect((await sendRaw(port, `${head}Content-Length: -1\r\n\r\n{}`)).slice(9, 12)).toBe("400");
    expect((await sendRaw(port, `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`)).slice(9, 12)).toBe("400");
    const both = `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    expect((await sendRaw(port, both)).slice(9, 12)).toBe("400");
  });
});

describe("JSON", () => {
  it("is compact, and indented with a line break at its end where that is asked for", async () => {
    const get = async (path: string) => (await shell.get(`/v1/${path}`)).text;
    expect([await get("thing"), await get("true"), await get("empty")]).toEqual(['{"ok":true}', "true", "[]"]);
    for (const query of ["?pretty", "?pretty=false", "?pretty="]) {
      expect(await get(`true${query}`)).toBe("true\n");
      expect(await get(`thing${query}`)).toBe('{\n    "ok": true\n}\n');
      expect(await get(`empty${query}`)).toBe("[]\n");
      expect(await get(`text${query}`)).toBe('"\\u003ca\\u003e"\n');
    }
    expect(await get("text")).toBe('"\\u003ca\\u003e"');
  });

  it("has its media type without a charset", async () => {
    for (const path of ["thing", "true", "empty", "text", "list/1", "list/9999", "thing?pretty"]) {
      expect([path, (await shell.get(`/v1/${path}`)).headers["content-type"]]).toEqual([path, "application/json"]);
    }
  });

  it("is escaped as Go does it", async () => {
    expect((await shell.get("/v1/escape")).text).toBe(
      '{"SecretID":"\\u003chidden\\u003e","Other":"a\\u0026b\\u2028\\u2029\u007f\\"\\\\é"}',
    );
  });
});

describe("packing", () => {
  it("happens from 1,400 bytes on, where the client takes it", async () => {
    const gzip = { "accept-encoding": "gzip" };
    const small = await shell.get("/v1/size/1399", gzip);
    expect([small.text.length, small.headers["content-encoding"]]).toEqual([1399, undefined]);
    for (const size of [1400, 30_000, 200_000, 3_000_000]) {
      const plain = await shell.get(`/v1/size/${size}`);
      expect([plain.text.length, plain.headers["content-encoding"]]).toEqual([size, undefined]);
      const packed = await shell.get(`/v1/size/${size}`, gzip);
      expect([packed.headers["content-encoding"], packed.headers["vary"]]).toEqual([
        "gzip",
        "Accept-Encoding, Authorization, X-Service-Token, X-Consul-Token",
      ]);
      // A long answer is compressed while it is sent.
      expect(packed.headers["content-length"]).toBe(size > 256 * 1024 ? undefined : String(packed.bytes.length));
      expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
    }
  });

  it("reads the weights of Accept-Encoding", () => {
    for (const header of ["gzip", "GZIP", "deflate, gzip", "gzip;q=0.5", "gzip ; Q=1", "br;q=0,gzip"]) {
      expect([header, acceptsGzip(header)]).toEqual([header, true]);
    }
    for (const header of [undefined, "", "br", "gzip;q=0", "gzip; q=0.000", "xgzip", "identity", "*"]) {
      expect([header, acceptsGzip(header)]).toEqual([header, false]);
    }
  });
});

describe("a streamed list", () => {
  const list = (count: number) => Array.from({ length: count }, (_, ID) => ({ ID, Name: "<>" }));

  it("is the same array, whatever its length, packed and indented too", async () => {
    for (const count of [0, 1, 2, 1000, 1001, 5000]) {
      expect(JSON.parse((await shell.get(`/v1/list/${count}`)).text)).toEqual(list(count));
      const pretty = (await shell.get(`/v1/list/${count}?pretty`)).text;
      expect(pretty).toBe(`${JSON.stringify(list(count), null, 4)}\n`.replaceAll("<>", "\\u003c\\u003e"));
      const packed = await shell.get(`/v1/list/${count}`, { "accept-encoding": "gzip" });
      const isPacked = packed.headers["content-encoding"] === "gzip";
      expect([count, isPacked]).toEqual([count, count >= 1000]);
      expect(JSON.parse(String(isPacked ? gunzipSync(packed.bytes) : packed.bytes))).toEqual(list(count));
    }
    expect((await shell.get("/v1/list/1")).headers["content-length"]).toBe("32");
  });

  it("that fails at its start is an error answer; later, the connection breaks off", async () => {
    const { status, text } = await shell.get("/v1/broken/0");
    expect([status, text]).toEqual([500, "internal server error"]);
    const answer = await sendRaw(port, "GET /v1/broken/20000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(answer).toContain("200 OK");
    expect(answer).not.toContain("canary");
    expect(answer.endsWith("\r\n0\r\n\r\n")).toBe(false);
  });

  it.each(["", "Accept-Encoding: gzip\r\n"])("waits for its client, and ends when that goes (%j)", async (headers) => {
    Object.assign(source, { slices: 0, ended: 0 });
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /v1/list/10000000 HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`),
    );
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    let before = -1;
    while (before !== source.slices) {
      before = source.slices;
      await sleep(200);
    }
    expect(source.slices).toBeGreaterThan(0);
    expect(source.slices).toBeLessThan(9000);
    expect(source.ended).toBe(0);
    socket.destroy();
    await expect.poll(() => source.ended).toBe(1);
  });
});

describe("no answer leaves before what it may have seen is durable", () => {
  let gated: V1Shell;
  afterEach(async () => gated.close());

  it("and a failed sync is 503", async () => {
    const whenDurable: Database["whenDurable"] = (done) => done(new Error("the disk is gone"));
    gated = await openV1Shell({ routes: [routes], wrap: (db) => ({ ...db, whenDurable }) });
    const { status, text, headers } = await gated.get("/v1/size/5000", { "accept-encoding": "gzip" });
    expect([status, text]).toEqual([503, "Storage failed; the outcome of the write is unknown"]);
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      vary: "Accept-Encoding, Authorization, X-Service-Token, X-Consul-Token",
    });
    expect(headers).not.toHaveProperty("content-encoding");
  });
});
