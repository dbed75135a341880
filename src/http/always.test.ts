/** The headers of every answer, over all routes: no route can be added that lacks them. */
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Document, readOperations } from "../../test/support/openapi-document.ts";
import { openShell, sendRaw, SHELL_TOKEN, type TestShell } from "../../test/support/shell.ts";
import { readVersion } from "../config/version.ts";

const FIXED = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  vary: "Accept-Encoding, Authorization, X-Service-Token, X-Consul-Token",
  "x-content-type-options": "nosniff",
  "x-tessera-version": readVersion(),
};
/** Answers that caches may keep: they are public, and depend on no rights. */
const KEPT: Readonly<Record<string, object>> = {
  "/.well-known/authzen-configuration": { "cache-control": "public, max-age=300" },
};
/** Beside those that the document lists. */
const UNDOCUMENTED = [
  "/openapi.json",
  "/",
  "/nowhere",
  "/v1/nowhere",
  "/api/v2/nowhere",
  "/v1/a%00",
  "/api/v2/%zz",
  "/%",
];

let shell: TestShell;
let port: number;
let routes: { method: string; path: string }[];
beforeAll(async () => {
  shell = await openShell();
  await shell.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = shell.app.server.address() as AddressInfo);
  const document = (await shell.app.inject({ url: "/openapi.json" })).json<Document>();
  const documented = readOperations(document).map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, "x"),
  }));
  routes = [...documented, ...UNDOCUMENTED.map((path) => ({ method: "GET", path }))];
  expect(routes.length).toBeGreaterThan(80);
});
afterAll(async () => shell.close());

/** Status and headers of what comes back for these lines until the server closes the connection. */
async function ask(
  lines: readonly string[],
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const answer = await sendRaw(port, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [first = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = "", value = ""] = field.split(/: (.*)/s, 2);
      return [name.toLowerCase(), value];
    }),
  );
  return { status: Number(first.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

describe("every answer", () => {
  it.each(["", "wrong", SHELL_TOKEN])("of every route has the fixed headers, with the token '%s'", async (token) => {
    for (const { method, path } of routes) {
      if (path === "/v1/events" && token === SHELL_TOKEN) continue;
      const headers = { host: "localhost", ...(token === "" ? {} : { "x-service-token": token }) };
      const type = path.startsWith("/api/v2") ? { "content-type": "application/vnd.api+json" } : {};
      const answer = await shell.app.inject({ method: method as "GET", url: path, headers: { ...headers, ...type } });
      const own = KEPT[path] ?? {};
      expect([method, path, answer.headers]).toEqual([method, path, expect.objectContaining({ ...FIXED, ...own })]);
      expect(answer.headers).not.toHaveProperty("strict-transport-security");
    }
  });

  it("that no route gives has them too", async () => {
    const cases: [number, string[]][] = [
      [400, ["nonsense"]],
      [400, ["GET / HTTP/1.1"]],
      [400, ["GET / HTTP/1.1", "Host: localhost", "Host: localhost"]],
      [421, ["GET / HTTP/1.1", "Host: evil.example"]],
      [431, ["GET / HTTP/1.1", "Host: localhost", `X: ${"x".repeat(20_000)}`]],
      [417, ["GET /healthz HTTP/1.1", "Host: localhost", "Expect: a-miracle"]],
      [417, ["GET /api/v2/ping HTTP/1.1", "Host: localhost", "Expect: a-miracle"]],
      [405, ["CONNECT localhost:80 HTTP/1.1", "Host: localhost"]],
      [405, ["POST /healthz HTTP/1.1", "Host: localhost"]],
    ];
    for (const [status, lines] of cases) {
      const answer = await ask(lines);
      expect([lines, answer.status, answer.headers]).toEqual([lines, status, expect.objectContaining(FIXED)]);
      expect(answer.headers["content-type"]).toMatch(/^(?:text\/plain|application\/vnd\.api\+json)/);
      expect(answer.body).not.toBe("");
      if (status === 405) expect(answer.headers["allow"]).toContain("GET, HEAD");
    }
  });

  it("to CONNECT ends the connection, also behind another request", async () => {
    const first = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answers = await sendRaw(port, `${first}CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.[0]).toBe("HTTP/1.1 200");
    // Nor does the server mind who is gone before its answer.
    const socket = connect(port, "127.0.0.1");
    socket.write("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", () => socket.resetAndDestroy());
    expect((await ask(["GET /healthz HTTP/1.1", "Host: localhost"])).status).toBe(200);
  });
});

describe("a request names one host", () => {
  it.each([
    [200, "GET http://localhost/healthz HTTP/1.1", ["Host: localhost"]],
    [200, "GET HTTP://LOCALHOST/healthz HTTP/1.1", ["Host: localhost"]],
    [401, "GET http://localhost/api/v2/account/details HTTP/1.1", ["Host: localhost"]],
    [400, "GET http://evil.example/healthz HTTP/1.1", ["Host: localhost"]],
    [400, "GET http://localhost.evil.example/healthz HTTP/1.1", ["Host: localhost"]],
    [400, "GET http://localhost@evil.example/healthz HTTP/1.1", ["Host: localhost"]],
    [400, "GET http://user@localhost/healthz HTTP/1.1", ["Host: localhost"]],
    [400, "GET ftp://localhost/healthz HTTP/1.1", ["Host: localhost"]],
    [421, "GET http://evil.example/healthz HTTP/1.1", ["Host: evil.example"]],
    [400, "GET /healthz HTTP/1.1", ["Host: localhost", "Host: evil.example"]],
    [400, "GET /healthz HTTP/1.1", ["Host: localhost, localhost"]],
  ])("%i: %s with %j", async (status, line, hosts) => {
    expect((await ask([line, ...hosts])).status).toBe(status);
  });

  it("also where the server listens off loopback", async () => {
    const exposed = await openShell({ args: ["--listen", "0.0.0.0:0", "--allow-insecure"] });
    await exposed.app.listen({ host: "127.0.0.1", port: 0 });
    const { port: itsPort } = exposed.app.server.address() as AddressInfo;
    const statusOf = async (head: string) =>
      (await sendRaw(itsPort, `${head}\r\nConnection: close\r\n\r\n`)).slice("HTTP/1.1 ".length, 12);
    expect(await statusOf("GET /healthz HTTP/1.1\r\nHost: a.example")).toBe("200");
    expect(await statusOf("GET http://a.example/healthz HTTP/1.1\r\nHost: a.example")).toBe("200");
    expect(await statusOf("GET http://b.example/healthz HTTP/1.1\r\nHost: a.example")).toBe("400");
    expect(await statusOf("GET /healthz HTTP/1.1\r\nHost: a.example\r\nHost: b.example")).toBe("400");
    await exposed.close();
  });
});

describe("HEAD", () => {
  it("answers wherever GET does, with its status and headers and without a body", async () => {
    const token = `X-Service-Token: ${SHELL_TOKEN}`;
    const type = "Content-Type: application/vnd.api+json";
    for (const { method, path } of routes) {
      if (method !== "GET" || path === "/v1/events" || path === "/metrics") continue;
      const lines = (verb: string) => [`${verb} ${path} HTTP/1.1`, "Host: localhost", token, type];
      const [get, head] = [await ask(lines("GET")), await ask(lines("HEAD"))];
      // A body of unknown length is sent in chunks.
      const without = ({ headers }: typeof get) => {
        const { "x-request-id": _id, date: _date, "transfer-encoding": _chunked, ...rest } = headers;
        return rest;
      };
      expect([path, head.status, head.body, without(head)]).toEqual([path, get.status, "", without(get)]);
    }
  });

  it("of a stream ends with its headers", async () => {
    const head = await ask(["HEAD /v1/events HTTP/1.1", "Host: localhost", `X-Service-Token: ${SHELL_TOKEN}`]);
    expect([head.status, head.headers["content-type"], head.body]).toEqual([200, "text/event-stream", ""]);
  });

  it("is no operation of its own, and the log names it", async () => {
    const document = (await shell.app.inject({ url: "/openapi.json" })).json() as { paths: Record<string, object> };
    expect(Object.values(document.paths).filter((methods) => "head" in methods)).toEqual([]);
    await ask(["HEAD /v1/acl/policies HTTP/1.1", "Host: localhost"]);
    await expect
      .poll(() => shell.lines.at(-1))
      .toMatchObject({ method: "HEAD", route: "/v1/acl/policies", status: 403 });
  });
});
