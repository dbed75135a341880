import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShell, sendRaw, SHELL_HEADERS, SHELL_TOKEN, type TestShell } from "../../test/support/shell.ts";
import { hostCheck } from "./receiving/host-check.ts";
import type { ApiRoutes } from "./jsonapi/jsonapi.ts";

const routes: ApiRoutes = (app, _options, done) => {
  app.get("/orgs/:org/tags", async (request) => request.params);
  app.post("/orgs/:org/tags", { schema: { body: Type.Object({}) } }, async () => ({}));
  app.delete("/orgs/:org/tags", async () => ({}));
  app.get("/orgs/:org", async (request) => request.params);
  app.patch("/orgs/special", async () => ({}));
  done();
};

let shell: TestShell;
let port: number;
beforeAll(async () => {
  shell = await openShell({ extraRoutes: [routes], args: ["--allowed-hosts", "Tessera.Test"] });
  await shell.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = shell.app.server.address() as AddressInfo);
});
afterAll(async () => shell.close());

const authorization = `Bearer ${SHELL_TOKEN}`;

async function inject(method: string, url: string, headers: Record<string, string> = {}) {
  return shell.app.inject({ method: method as "GET", url, headers: { ...SHELL_HEADERS, ...headers } });
}

describe("methods that a path lacks", () => {
  it("get 405 with the ones it has, in the family's error and whatever the token", async () => {
    const cases: [string, string, string][] = [
      ["PUT", "/api/v2/orgs/acme/tags", "DELETE, GET, HEAD, POST"],
      ["OPTIONS", "/api/v2/orgs/acme/tags?x=1", "DELETE, GET, HEAD, POST"],
      ["PATCH", "/api/v2/orgs/acme", "GET, HEAD"],
      ["DELETE", "/api/v2/orgs/special", "GET, HEAD, PATCH"],
      ["DELETE", "/api/v2/orgs/%73pecial", "GET, HEAD, PATCH"],
      ["PROPFIND", "/api/v2/orgs/acme", "GET, HEAD"],
      ["TRACE", "/api/v2/ping", "GET, HEAD"],
      ["POST", "/api/v2/ping", "GET, HEAD"],
    ];
    for (const [method, url, allow] of cases) {
      const answer = await inject(method, url, { authorization: "Bearer wrong", "content-type": "a/b" });
      expect([method, url, answer.statusCode, answer.headers["allow"]]).toEqual([method, url, 405, allow]);
      expect(answer.headers["content-type"]).toBe("application/vnd.api+json");
      expect(answer.json().errors[0]).toMatchObject({ status: "405", title: "method not allowed" });
    }
  });

  it("get 405 outside the families too", async () => {
    const answer = await inject("POST", "/healthz");
    expect([answer.statusCode, answer.headers["allow"], answer.body]).toEqual([
      405,
      "GET, HEAD",
      "Method not allowed: this path supports GET, HEAD\n",
    ]);
  });

  it("are not confused with paths that do not exist", async () => {
    for (const [method, url] of [
      ["PUT", "/api/v2/orgs/acme/tags/"],
      ["PUT", "/api/v2/orgs//tags"],
      ["POST", "/api/v2/orgs/acme%2Ftags/x"],
      ["POST", "/api/v2"],
      ["GET", "/api/v2/"],
      ["POST", "/api/v2x"],
      ["GET", "/"],
      ["GET", "/api/v3/orgs"],
    ] as const) {
      const answer = await inject(method, url);
      expect([method, url, answer.statusCode, answer.headers["allow"]]).toEqual([method, url, 404, undefined]);
    }
    expect((await inject("GET", "/nowhere")).body).toBe(
      "Invalid URL path: if attempting to use the HTTP API, ensure the path starts with '/v1/'\n",
    );
  });
});

describe("the Host header", () => {
  it("must name loopback or an allowed host while listening on loopback", async () => {
    const accepts = hostCheck(["tessera.test"]);
    const good = [
      "localhost",
      "LOCALHOST:1",
      "127.0.0.1:8500",
      "127.9.9.9",
      "[::1]:8500",
      "tessera.test:443",
      "Tessera.TEST",
    ];
    const bad = [
      "",
      "evil.example",
      "127.0.0.1.evil.example",
      "localhost.evil",
      "[::2]",
      "a b",
      "localhost:x",
      "x@localhost",
    ];
    for (const host of [...good, ...good]) expect([host, accepts(host)]).toEqual([host, true]);
    for (const host of bad) expect([host, accepts(host)]).toEqual([host, false]);
    expect(accepts(undefined)).toBe(false);
  });

  it("is answered with 421 otherwise, before the token is looked at", async () => {
    const answer = await inject("GET", "/api/v2/orgs/acme", { host: "evil.example" });
    expect([answer.statusCode, answer.json().errors[0].title]).toEqual([421, "misdirected request"]);
    expect(answer.headers["tfp-api-version"]).toBe("2.6");
    expect((await inject("GET", "/healthz", { host: "evil.example" })).statusCode).toBe(421);
    expect((await inject("GET", "/api/v2/orgs/acme", { host: "tessera.test" })).statusCode).toBe(200);
  });

  it("may be anything where the server listens elsewhere", async () => {
    const exposed = await openShell({ args: ["--listen", "0.0.0.0:0", "--allow-insecure"] });
    const answer = await exposed.app.inject({ url: "/api/v2/ping", headers: { host: "tessera.example" } });
    expect(answer.statusCode).toBe(204);
    await exposed.close();
  });

  it("may be that of the public URL", async () => {
    const proxied = await openShell({ args: ["--public-url", "https://tags.example/"] });
    expect((await proxied.app.inject({ url: "/healthz", headers: { host: "tags.example" } })).statusCode).toBe(200);
    expect((await proxied.app.inject({ url: "/healthz", headers: { host: "tags.example.com" } })).statusCode).toBe(421);
    await proxied.close();
  });
});

describe("the log", () => {
  it("has a line for every write, refusal and failure, and none for a successful read", async () => {
    const before = shell.lines.length;
    await inject("GET", "/api/v2/orgs/acme");
    await inject("POST", "/api/v2/orgs/acme/tags");
    await inject("DELETE", "/api/v2/orgs/acme/tags");
    await inject("GET", "/api/v2/orgs/acme", { authorization: "" });
    await inject("GET", "/api/v2/none");
    const lines = shell.lines.slice(before).map(({ method, route, status }) => [method, route, status]);
    expect(lines).toEqual([
      ["POST", "/api/v2/orgs/:org/tags", 422],
      ["DELETE", "/api/v2/orgs/:org/tags", 200],
      ["GET", "/api/v2/orgs/:org", 401],
      ["GET", "unknown", 404],
    ]);
    const [, written] = shell.lines.slice(before);
    expect(written).toMatchObject({ level: 30, msg: "request", requestId: expect.stringMatching(/^[0-9a-f]{12}-/) });
    expect(written?.["accessorId"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(written?.["durationMs"]).toEqual(expect.any(Number));
  });

  it("has reads too with --access-log", async () => {
    const verbose = await openShell({ extraRoutes: [routes], args: ["--access-log"] });
    await verbose.app.inject({ url: "/api/v2/orgs/acme", headers: SHELL_HEADERS });
    expect(verbose.lines.at(-1)).toMatchObject({ method: "GET", route: "/api/v2/orgs/:org", status: 200 });
    await verbose.close();
  });

  it("incident 23: shows every spelling of a path as its route", async () => {
    const before = shell.lines.length;
    for (const url of [
      "/api/v2/orgs/acme/tags",
      "/api/v2/orgs/%61cme/tags",
      "/api/v2/%6frgs/acme/t%61gs",
      "/api/v2/orgs/a%2Fb/tags?secret=x",
      "http://localhost/api/v2/orgs/acme/tags",
    ]) {
      await inject("DELETE", url);
    }
    const lines = shell.lines.slice(before).map(({ route }) => route);
    expect(lines).toEqual(new Array(5).fill("/api/v2/orgs/:org/tags"));
  });

  it("incident 24: never holds a secret, or text from outside that could pass for a line", async () => {
    const canary = "canary-7f3b";
    const forged = `%0a{"level":"info","msg":"${canary}"}`;
    await inject("DELETE", `/api/v2/orgs/${canary}/tags?q=${canary}`, { authorization: `Bearer ${canary}` });
    await inject("DELETE", `/api/v2/orgs/x${forged}/tags`, { "x-service-token": canary, "user-agent": canary });
    await inject("GET", `/api/v2/${canary}`, { "x-consul-token": canary, referer: canary });
    await inject("GET", `/api/v2/orgs/%zz${canary}`, { cookie: canary, host: `${canary}.example` });
    await inject("POST", "/api/v2/orgs/x/tags", { "content-type": canary });
    await shell.app.inject({ method: "POST", url: "/api/v2/orgs/x/tags", headers: SHELL_HEADERS, payload: canary });
    await sendRaw(port, `GET /${canary} HTTP/1.1\r\n${canary}\r\n\r\n`);
    expect(shell.text()).not.toContain(canary);
    expect(shell.text()).not.toContain(SHELL_TOKEN);
    const metrics = (await inject("GET", "/metrics")).body;
    expect(metrics).not.toContain(canary);
    expect(metrics).not.toContain("acme");
  });
});

describe("bytes that are no request", () => {
  const head = `Host: localhost\r\nAuthorization: ${authorization}\r\n`;
  const write = `${head}Content-Type: application/vnd.api+json\r\n`;

  it("get a 4xx and leave the server well", async () => {
    const cases: [string, string][] = [
      ["nonsense\r\n\r\n", "400"],
      ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"],
      ["GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "400"],
      [`GET /a b HTTP/1.1\r\n${head}\r\n`, "400"],
      [`GET /\0 HTTP/1.1\r\n${head}\r\n`, "400"],
      [`GET / HTTP/1.1\r\n${head}X: ${"x".repeat(20_000)}\r\n\r\n`, "431"],
      [`GET /${"x".repeat(20_000)} HTTP/1.1\r\n${head}\r\n`, "431"],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n`, "400"],
      [`POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, "400"],
      [`POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Content-Length: -1\r\n\r\n`, "400"],
      [`POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, "400"],
      [`POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, "400"],
      [`POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Transfer-Encoding: gzip\r\nConnection: close\r\n\r\n`, "4"],
      [
        `POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Expect: a-miracle\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
        "417",
      ],
      [`GET /api/v2/ping HTTP/1.0\r\n\r\n`, "421"],
    ];
    for (const [bytes, status] of cases) {
      const answer = await sendRaw(port, bytes);
      expect([bytes.slice(0, 60), answer.slice(0, 12)]).toEqual([
        bytes.slice(0, 60),
        expect.stringContaining(` ${status}`),
      ]);
    }
    expect((await inject("GET", "/healthz")).statusCode).toBe(200);
  });

  it("do not disturb the answer to a good request before them", async () => {
    const slow = await openShell({
      extraRoutes: [
        (app, _options, done) => {
          app.get("/slow", async () => {
            await setImmediate();
            return { slow: true };
          });
          done();
        },
      ],
    });
    await slow.app.listen({ host: "127.0.0.1", port: 0 });
    const { port: slowPort } = slow.app.server.address() as AddressInfo;
    const answer = await sendRaw(slowPort, `GET /api/v2/slow HTTP/1.1\r\n${head}\r\nnonsense\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    expect(answer).toContain('{"slow":true}');
    await slow.close();
  });

  it("incident 26: a body over 1 MiB is refused, whether its length is told, hidden or a lie", async () => {
    const big = "x".repeat(2 * 1024 * 1024);
    const path = `POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Connection: close\r\n`;
    const chunked = `${path}Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`;
    for (const bytes of [`${path}Content-Length: ${big.length}\r\n\r\n${big}`, chunked]) {
      const answer = await sendRaw(port, bytes);
      expect(answer).toContain("HTTP/1.1 413");
      expect(answer).toContain('"title":"payload too large"');
    }
    const lie = await sendRaw(port, `${path}Content-Length: 999999999999\r\n\r\n{}`);
    expect(lie).toContain("HTTP/1.1 413");
  });

  it("answers the next request on a connection whose body was refused", async () => {
    const big = "x".repeat(2 * 1024 * 1024);
    const answer = await sendRaw(
      port,
      `POST /api/v2/orgs/a/tags HTTP/1.1\r\n${write}Content-Length: ${big.length}\r\n\r\n${big}` +
        `GET /api/v2/orgs/next HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
    expect(answer).toContain('{"org":"next"}');
  });
});

describe("request ids", () => {
  it("are on every answer and differ", async () => {
    const ids = new Set<unknown>();
    for (const url of ["/healthz", "/api/v2/none", "/none", "/api/v2/%zz", "/api/v2/orgs/a", "/api/v2/orgs/a"]) {
      ids.add((await inject("GET", url)).headers["x-request-id"]);
    }
    expect(ids.size).toBe(6);
    expect(ids).not.toContain(undefined);
  });
});
