import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../../../test/support/shell.ts";
import { AGENT_READER, openV1Shell, type V1Shell } from "../../../test/support/v1-shell.ts";
import { AppError, ERROR_CODES, type ErrorCode } from "../../errors.ts";
import type { V1Routes } from "./consul-api.ts";
import { showIndex } from "./reads/read-options.ts";

const routes: V1Routes = (app, _options, done) => {
  const missing = { missing: "Missing thing ID" };
  app.get("/whoami", async ({ ctx }) => ({ accessorId: ctx.actor.accessorId, now: ctx.now(), id: ctx.requestId }));
  app.get("/public", { config: { public: true } }, async () => ({ ok: true }));
  app.get("/thing/:id", { config: missing }, async (request) => request.params);
  app.put("/thing/:id", async (request) => request.params);
  app.put("/thing/", async () => ({ created: true }));
  app.delete("/thing/:id", { config: missing }, async () => true);
  app.post("/thing/:id/copy", async (request) => request.params);
  app.get("/scope", async (request) => request.scope);
  app.get("/scopes", { config: { anyNamespace: true } }, async (request) => request.scope);
  app.get("/read", { config: { read: true } }, async (request) => {
    showIndex(request, request.readOptions.index);
    return request.readOptions;
  });
  app.get("/missing", { config: { read: true } }, async (request) => {
    showIndex(request, 17);
    throw new AppError("not_found", "Requested thing does not exist: ACL not found");
  });
  app.get("/fail/:code", async (request) => {
    throw new AppError((request.params as { code: ErrorCode }).code, "Told to the caller");
  });
  app.get("/forbidden", { config: { read: true } }, async () => {
    throw new AppError("forbidden", "Permission denied");
  });
  app.get("/crash", async () => {
    throw new Error("canary-of-the-inside");
  });
  done();
};

let shell: V1Shell;
beforeAll(async () => {
  shell = await openV1Shell({ routes: [routes] });
});
afterAll(async () => shell.close());

const ANONYMOUS = "00000000-0000-0000-0000-000000000002";
const READER = "1f2a6f5e-8d0c-4a53-9e4b-0c1d7f1f3a02";
const token = (secret: string) => ({ "x-consul-token": secret });

async function textOf(url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const { status, text } = await shell.get(url, headers);
  return [status, text];
}

describe("tokens", () => {
  it("are taken from the query, X-Service-Token, X-Consul-Token and Authorization, in this order", async () => {
    const cases: [string, Record<string, string>, string | undefined][] = [
      ["", {}, ANONYMOUS],
      [`?token=${AGENT_READER}`, { "x-service-token": "wrong" }, READER],
      ["?token=", token(AGENT_READER), READER],
      ["?token", token(AGENT_READER), READER],
      ["?token=wrong", token(AGENT_READER), undefined],
      ["", { "x-service-token": AGENT_READER, "x-consul-token": "wrong", authorization: "Bearer wrong" }, READER],
      ["", { "x-service-token": "wrong", "x-consul-token": AGENT_READER }, undefined],
      ["", { "x-service-token": "", "x-consul-token": AGENT_READER }, READER],
      ["", { "x-consul-token": AGENT_READER, authorization: "Bearer wrong" }, READER],
      ["", { authorization: `Bearer ${AGENT_READER}` }, READER],
      ["", { authorization: `bEARER \t ${AGENT_READER}  more words` }, READER],
      ["", { authorization: `Bearer\t${AGENT_READER}` }, READER],
      ["", { authorization: "Bearer" }, ANONYMOUS],
      ["", { authorization: `Basic ${AGENT_READER}` }, ANONYMOUS],
      ["", { authorization: AGENT_READER }, ANONYMOUS],
      ["", { authorization: `Bearer${AGENT_READER}` }, ANONYMOUS],
      ["", token("anonymous"), ANONYMOUS],
      ["", token(AGENT_READER.toUpperCase()), undefined],
      ["", token(READER), undefined],
    ];
    for (const [query, headers, accessorId] of cases) {
      const { status, text } = await shell.get(`/v1/whoami${query}`, headers);
      const outcome = status === 200 ? (JSON.parse(text) as { accessorId: string }).accessorId : text;
      expect([query, headers, outcome]).toEqual([query, headers, accessorId ?? "ACL not found"]);
    }
  });

  it("that are unknown are refused, before the first bootstrap with a hint", async () => {
    expect(await textOf("/v1/whoami", token("x"))).toEqual([403, "ACL not found"]);
    const fresh = await openV1Shell({ routes: [routes], isBootstrapped: () => Promise.resolve(false) });
    const { status, text } = await fresh.get("/v1/whoami", token("x"));
    await fresh.close();
    expect([status, text]).toEqual([
      403,
      "ACL system must be bootstrapped before making any requests that require authorization: ACL not found",
    ]);
  });

  it("in the query are warned of without being shown, once for many", async () => {
    const fresh = await openV1Shell({ routes: [routes] });
    for (let times = 0; times < 3; times++) await fresh.get(`/v1/whoami?token=${AGENT_READER}`);
    const { lines } = fresh;
    await fresh.close();
    expect(lines.filter(({ level }) => level === 40)).toEqual([
      expect.objectContaining({ route: "/v1/whoami", msg: "token in a URL; use a header instead" }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(AGENT_READER);
  });

  it("are never reserved words, and never what hides a secret (incident 21)", async () => {
    for (const word of ["allow", "deny", "manage"]) {
      expect(await textOf("/v1/whoami", token(word))).toEqual([403, "Cannot resolve root ACL"]);
      expect(await textOf(`/v1/whoami?token=${word}`)).toEqual([403, "Cannot resolve root ACL"]);
    }
    for (const word of ["<hidden>", "Allow", "ANONYMOUS", " anonymous2"]) {
      expect(await textOf("/v1/whoami", token(word))).toEqual([403, "ACL not found"]);
    }
  });

  it("do not matter to public routes", async () => {
    expect(await textOf("/v1/public", token("x"))).toEqual([200, '{"ok":true}']);
    expect(await textOf("/v1/public", token("deny"))).toEqual([200, '{"ok":true}']);
  });

  it("give services their context", async () => {
    const { text, headers } = await shell.get("/v1/whoami", token(AGENT_READER));
    expect(JSON.parse(text)).toEqual({ accessorId: READER, now: 1234, id: headers["x-request-id"] });
  });
});

describe("the datacenter of a request", () => {
  it("is this one, and `datacenter` wins over `dc`", async () => {
    for (const query of ["dc=dc1", "datacenter=dc1", "dc=dc2&datacenter=dc1", "dc=", "datacenter=&dc=dc1"]) {
      expect([query, (await shell.get(`/v1/whoami?${query}`)).status]).toEqual([query, 200]);
    }
    for (const query of ["dc=dc2", "datacenter=dc2&dc=dc1", "dc=DC1"]) {
      expect([query, ...(await textOf(`/v1/whoami?${query}`))]).toEqual([query, 400, "No path to datacenter"]);
    }
  });
});

describe("paths and methods", () => {
  it("OPTIONS names the methods without a token", async () => {
    for (const path of ["/v1/thing/x", "/v1/thing/"]) {
      const { status, text, headers } = await shell.send({ method: "OPTIONS", url: path, headers: token("wrong") });
      expect([path, status, text, headers["allow"]]).toEqual([path, 200, "", "OPTIONS,GET,HEAD,PUT,DELETE"]);
    }
    expect((await shell.send({ method: "OPTIONS", url: "/v1/nowhere" })).status).toBe(404);
  });

  it("a method that the path does not have is refused by its name", async () => {
    for (const method of ["POST", "PATCH", "TRACE"] as const) {
      const { status, text, headers } = await shell.send({ method, url: "/v1/thing/x" });
      expect([status, text]).toEqual([405, `method ${method} not allowed`]);
      expect(headers["allow"]).toBe("OPTIONS,GET,HEAD,PUT,DELETE");
    }
    const { headers: refused } = await shell.send({ method: "PUT", url: "/v1/whoami", payload: "{" });
    expect(refused["allow"]).toBe("OPTIONS,GET,HEAD");
  });

  it("that are unknown get the text that clients know", async () => {
    const unknown = "Invalid URL path: not a recognized HTTP API endpoint\n";
    for (const path of ["/v1/", "/v1/nowhere", "/v1/acl/create", "/v1/thing/x/copy/more", "/v1/Thing/x", "/a/v1/b"]) {
      expect([path, ...(await textOf(path))]).toEqual([path, 404, unknown]);
      const { status, text } = await shell.put(path, "{", { "content-type": "a b" });
      expect([path, status, text]).toEqual([path, 404, unknown]);
    }
    const hint = "Invalid URL path: if attempting to use the HTTP API, ensure the path starts with '/v1/'\n";
    for (const path of ["/", "/v1", "/acl/tokens", "/v2/x", "/V1/thing/x", "//v1"]) {
      expect([path, ...(await textOf(path))]).toEqual([path, 404, hint]);
    }
  });

  it("that cannot be printed are refused without a word", async () => {
    for (const part of ["%00", "a%0Ab", "%1b", "%e2%80%8b", "%C2%A0", "%7f", "%ed%a0%80"]) {
      for (const path of [`/v1/thing/${part}`, `/v1/nowhere/${part}`]) {
        const { status, text, headers } = await shell.get(path);
        expect([path, status, headers["content-type"]]).toEqual([path, 400, "text/plain; charset=utf-8"]);
        if (part !== "%ed%a0%80") expect(text).toBe("");
      }
    }
  });

  it("a missing last segment is refused by name, and makes PUT a create", async () => {
    expect(await textOf("/v1/thing/")).toEqual([400, "Missing thing ID"]);
    expect(await textOf("/v1/thing/", token("wrong"))).toEqual([400, "Missing thing ID"]);
    const deleted = await shell.send({ method: "DELETE", url: "/v1/thing/" });
    expect([deleted.status, deleted.text]).toEqual([400, "Missing thing ID"]);
    expect((await shell.put("/v1/thing/", "")).text).toBe('{"created":true}');
  });

  it("segments are decoded once", async () => {
    expect(await textOf("/v1/thing/a%252Fb%2Fc%20d%3F%c3%a9")).toEqual([200, '{"id":"a%2Fb/c d?é"}']);
    expect((await shell.get("/v1/thing/%zz")).status).toBe(400);
  });

  it("incident 23: every spelling of a route is logged as that route", async () => {
    for (const path of ["/v1/thing/x", "/v1/%74hing/x", "/v1/%74%68%69%6e%67/x", "/%76%31/thing/x", "/v1/thing/%78"]) {
      const before = shell.lines.length;
      const { status, text } = await shell.get(path);
      expect([path, status, text]).toEqual([path, 200, '{"id":"x"}']);
      expect([path, shell.lines.slice(before)]).toEqual([path, [expect.objectContaining({ route: "/v1/thing/:id" })]]);
    }
    await shell.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = shell.app.server.address() as AddressInfo;
    for (const method of ["PROPFIND", "PURGE", "QUERY"]) {
      const request = `${method} /v1/thing/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      expect([method, (await sendRaw(port, request)).slice(9, 12)]).toEqual([method, "405"]);
    }
    for (const path of ["/v1/./thing/x", "/v1/a/../thing/x", "/v1//thing/x", "/v1%2Fthing/x", "/v1/thing%2Fx"]) {
      const before = shell.lines.length;
      const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect([path, answer.slice(9, 12)]).toEqual([path, "404"]);
      expect(shell.lines.slice(before)).toEqual([expect.objectContaining({ route: "unknown", status: 404 })]);
    }
  });

  it("a query that is malformed is refused, and names of parameters are harmless", async () => {
    for (const query of ["a=%zz", "a=%", "a=%00"]) {
      expect([query, (await shell.get(`/v1/whoami?${query}`)).status]).toEqual([query, 400]);
    }
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect((await shell.get(`/v1/whoami?${name}=1`)).text).toBe(`Unknown query parameter "${name}"`);
    }
    expect((await shell.get("/v1/whoami?filter=&hash=x")).status).toBe(200);
  });
});

describe("answers", () => {
  it("have the headers of the family, refusals too", async () => {
    for (const path of ["/v1/public", "/v1/nowhere", "/v1/crash", "/v1/fail/conflict", "/v1/thing/"]) {
      expect((await shell.get(path)).headers).toMatchObject({
        "x-service-default-acl-policy": "deny",
        "x-consul-default-acl-policy": "deny",
      });
    }
    const open = await openV1Shell({ routes: [routes], defaultPolicy: "allow" });
    expect((await open.get("/v1/public")).headers["x-consul-default-acl-policy"]).toBe("allow");
    await open.close();
  });

  it.each(ERROR_CODES)("have a status for %s and the bare message", async (code) => {
    const { status, text, headers } = await shell.get(`/v1/fail/${code}`);
    const wanted: Record<ErrorCode, number> = {
      invalid: 400,
      bad_parameter: 400,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      already_exists: 400,
      conflict: 409,
      precondition_failed: 412,
      gone: 410,
      not_recorded: 422,
      limit_reached: 403,
      too_large: 413,
      rate_limited: 429,
      unavailable: 503,
      outcome_unknown: 503,
    };
    const plain = "text/plain; charset=utf-8";
    expect([status, text, headers["content-type"]]).toEqual([wanted[code], "Told to the caller", plain]);
    expect(headers["retry-after"]).toBe(code === "rate_limited" || code === "unavailable" ? "1" : undefined);
  });

  it("are plain also when the request wants to have them indented", async () => {
    expect(await textOf("/v1/fail/conflict?pretty")).toEqual([409, "Told to the caller"]);
    expect(await textOf("/v1/nowhere?pretty")).toEqual([404, "Invalid URL path: not a recognized HTTP API endpoint\n"]);
    expect(await textOf("/v1/whoami?pretty", token("x"))).toEqual([403, "ACL not found"]);
  });

  it("tell nothing of a fault inside, and the log tells all under the request id", async () => {
    const { status, text, headers } = await shell.get("/v1/crash?pretty");
    expect([status, text]).toEqual([500, "internal server error"]);
    const line = shell.lines.find(
      (entry) => entry["msg"] === "unexpected error" && entry["requestId"] === headers["x-request-id"],
    );
    expect(line).toMatchObject({ level: 50, err: { message: "canary-of-the-inside" } });
  });

  it("to reads carry the index in both spellings, refusals too", async () => {
    const meta = (index: string) =>
      Object.fromEntries(
        ["service", "consul"].flatMap((family) => [
          [`x-${family}-index`, index],
          [`x-${family}-knownleader`, "true"],
          [`x-${family}-lastcontact`, "0"],
          [`x-${family}-query-backend`, "blocking-query"],
        ]),
      );
    expect((await shell.get("/v1/read")).headers).toMatchObject(meta("1"));
    expect((await shell.get("/v1/read?index=42")).headers).toMatchObject(meta("42"));
    const missing = await shell.get("/v1/missing");
    expect([missing.status, missing.headers]).toEqual([404, expect.objectContaining(meta("17"))]);
    const forbidden = await shell.get("/v1/forbidden");
    expect([forbidden.status, forbidden.headers]).toEqual([403, expect.objectContaining(meta("1"))]);
    expect((await shell.get("/v1/read", token("x"))).headers).toMatchObject(meta("1"));
    expect((await shell.get("/v1/whoami")).headers).not.toHaveProperty("x-consul-index");
    expect((await shell.get("/v1/whoami", token("x"))).headers).not.toHaveProperty("x-consul-index");
  });
});
