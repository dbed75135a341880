import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, SHELL_TOKEN, type TestShell } from "../../../test/support/shell.ts";
import { AppError, ERROR_CODES, type ErrorCode } from "../../errors.ts";
import type { ApiRoutes } from "./jsonapi.ts";

const BODY = Type.Object({ data: Type.Object({ type: Type.Literal("things") }) });

const METHODS = ["POST", "PATCH", "PUT", "DELETE"] as const;

const routes: ApiRoutes = (app, _options, done) => {
  for (const method of METHODS) {
    app.route({ method, url: "/things", schema: { body: BODY }, handler: async (request) => ({ data: request.body }) });
  }
  app.get(
    "/things",
    {
      schema: {
        querystring: Type.Object({ q: Type.Optional(Type.String()), "filter[a]": Type.Optional(Type.String()) }),
      },
    },
    async (request) => ({
      query: request.query,
      accessorId: request.ctx.actor.accessorId,
      requestId: request.ctx.requestId,
      now: request.ctx.now(),
    }),
  );
  app.get("/things/:id", async (request) => request.params);
  app.get("/fail/:code", async (request) => {
    const { code } = request.params as { code: ErrorCode };
    throw new AppError(code, "Told to the caller", { pointer: "/data/attributes/name" });
  });
  app.get("/crash", async () => {
    throw new Error("canary-of-the-inside");
  });
  app.get("/nothing", (_request, reply) => void reply.code(204).send());
  done();
};

let shell: TestShell;
beforeAll(async () => {
  shell = await openShell({ extraRoutes: [routes], now: () => 1234 });
});
afterAll(async () => shell.close());

const good = { data: { type: "things", attributes: { name: "a" } } };

async function send(
  payload: string | Buffer,
  headers: Record<string, string> = {},
  method: (typeof METHODS)[number] = "POST",
) {
  return shell.app.inject({ method, url: "/api/v2/things", headers: { ...SHELL_HEADERS, ...headers }, payload });
}

async function get(url: string, headers: Record<string, string> = { authorization: `Bearer ${SHELL_TOKEN}` }) {
  return shell.app.inject({ method: "GET", url, headers });
}

function firstError(body: string): Record<string, unknown> {
  const { errors } = JSON.parse(body) as { errors: Record<string, unknown>[] };
  expect(errors).toHaveLength(1);
  expect(errors[0]?.["status"]).toEqual(expect.any(String));
  return errors[0] ?? {};
}

describe("authentication", () => {
  it("takes a token from Authorization, X-Service-Token and X-Consul-Token, in the order of precedence", async () => {
    const cases: [Record<string, string>, number][] = [
      [{ authorization: `Bearer ${SHELL_TOKEN}` }, 200],
      [{ authorization: `bearer ${SHELL_TOKEN}` }, 200],
      [{ authorization: `BEARER   ${SHELL_TOKEN} ` }, 200],
      [{ "x-service-token": SHELL_TOKEN }, 200],
      [{ "x-consul-token": SHELL_TOKEN }, 200],
      [{ "x-service-token": SHELL_TOKEN, "x-consul-token": "wrong", authorization: "Bearer wrong" }, 200],
      [{ "x-service-token": "wrong", "x-consul-token": SHELL_TOKEN, authorization: `Bearer ${SHELL_TOKEN}` }, 401],
      [{ "x-consul-token": SHELL_TOKEN, authorization: "Bearer wrong" }, 200],
      [{ "x-service-token": "", authorization: `Bearer ${SHELL_TOKEN}` }, 200],
      [{ authorization: SHELL_TOKEN }, 401],
      [{ authorization: `Basic ${SHELL_TOKEN}` }, 401],
      [{ authorization: "Bearer " }, 401],
      [{ authorization: `Bearer ${SHELL_TOKEN}x` }, 401],
      [{ authorization: "Bearer anonymous" }, 401],
      [{}, 401],
    ];
    for (const [headers, status] of cases) {
      const answer = await get("/api/v2/things", headers);
      expect([headers, answer.statusCode]).toEqual([headers, status]);
      if (status === 401) expect(answer.body).toBe('{"errors":[{"status":"401","title":"unauthorized"}]}');
    }
  });

  it("gives the services their context", async () => {
    const answer = await get("/api/v2/things");
    expect(answer.json()).toMatchObject({ now: 1234, requestId: answer.headers["x-request-id"] });
    expect(answer.json().accessorId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("answers public routes without a token", async () => {
    expect((await get("/api/v2/ping", {})).statusCode).toBe(204);
  });

  it("looks for the route before the token", async () => {
    const answer = await get("/api/v2/unknown", { authorization: "Bearer wrong" });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe('{"errors":[{"status":"404","title":"not found"}]}');
  });
});

describe("answers", () => {
  it("carry the family's headers and media type, refusals too", async () => {
    for (const url of ["/api/v2/things", "/api/v2/unknown", "/api/v2/crash", "/api/v2/fail/conflict"]) {
      const { headers } = await get(url);
      expect(headers).toMatchObject({
        "tfp-api-version": "2.6",
        "tfp-appname": "Terraform Enterprise",
        "x-tfe-version": "v202504-1",
        "content-type": "application/vnd.api+json",
      });
      expect(Object.keys(headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    }
    const empty = await get("/api/v2/nothing");
    expect([empty.statusCode, empty.body, empty.headers["content-type"]]).toEqual([204, "", undefined]);
    expect(empty.headers["tfp-api-version"]).toBe("2.6");
  });

  it.each(ERROR_CODES)("have a status and a title for %s", async (code) => {
    const answer = await get(`/api/v2/fail/${code}`);
    const error = firstError(answer.body);
    expect(error["status"]).toBe(String(answer.statusCode));
    expect([answer.statusCode, error["title"]]).toEqual(
      {
        invalid: [422, "invalid attribute"],
        bad_parameter: [400, "bad request"],
        unauthenticated: [401, "unauthorized"],
        forbidden: [403, "forbidden"],
        not_found: [404, "not found"],
        already_exists: [422, "invalid attribute"],
        conflict: [409, "conflict"],
        precondition_failed: [412, "precondition failed"],
        gone: [410, "gone"],
        not_recorded: [422, "unprocessable entity"],
        limit_reached: [422, "unprocessable entity"],
        too_large: [413, "payload too large"],
        rate_limited: [429, "Too many requests"],
        unavailable: [503, "service unavailable"],
        outcome_unknown: [503, "service unavailable"],
      }[code],
    );
    expect(error["detail"]).toBe(code === "unauthenticated" ? undefined : "Told to the caller");
    expect(answer.headers["retry-after"]).toBe(["unavailable", "rate_limited"].includes(code) ? "1" : undefined);
  });

  it("tell nothing of a fault inside, and the log tells all under the request id", async () => {
    const answer = await get("/api/v2/crash");
    expect(answer.statusCode).toBe(500);
    expect(answer.body).toBe('{"errors":[{"status":"500","title":"internal server error"}]}');
    const id = answer.headers["x-request-id"];
    const line = shell.lines.find((entry) => entry["msg"] === "unexpected error" && entry["requestId"] === id);
    expect(line).toMatchObject({ level: 50, err: { message: "canary-of-the-inside" } });
  });
});

/** CVE-2026-25223: white space in Content-Type made a framework skip validation. */
describe("incident 27: media types", () => {
  const accepted = [
    "application/vnd.api+json",
    "Application/VND.API+JSON",
    " application/vnd.api+json",
    "\tapplication/vnd.api+json\t",
    "application/vnd.api+json; charset=utf-8",
    "application/vnd.api+json\t;\tcharset=utf-8",
    'application/vnd.api+json; profile="a;b, c"',
    "application/vnd.api+json;",
    `application/vnd.api+json${";    ".repeat(190)}`,
  ];
  const refused = [
    "application/json",
    "application/vnd.api+jsonx",
    "application/vnd.api +json",
    "application\t/vnd.api+json",
    "application/\tvnd.api+json",
    "application/vnd.api+json\ta",
    "application/vnd.api+json a",
    "application/vnd.api+json, application/json",
    "application/json; application/vnd.api+json",
    "application/vnd.api+json; =x",
    'application/vnd.api+json; a="b',
    `application/vnd.api+json${";    ".repeat(190)}=`,
    `application/vnd.api+json${";    ".repeat(2000)}`,
    "text/plain",
    "application",
    "",
    ";",
    "undefined",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ];

  it.each(METHODS)("are checked on %s with a body", async (method) => {
    for (const type of refused) {
      for (const payload of [JSON.stringify(good), "{"]) {
        const answer = await send(payload, { "content-type": type }, method);
        expect([type, answer.statusCode]).toEqual([type, 415]);
        expect(firstError(answer.body)).toEqual({
          status: "415",
          title: "invalid content type",
          detail: "content-type must be application/vnd.api+json",
        });
      }
    }
    const { "content-type": _none, ...headers } = SHELL_HEADERS;
    const answer = await shell.app.inject({ method, url: "/api/v2/things", headers, payload: JSON.stringify(good) });
    expect(answer.statusCode).toBe(415);
  });

  it.each(METHODS)("incident 83: do not matter to %s without a body", async (method) => {
    const { "content-type": _none, ...headers } = SHELL_HEADERS;
    const wanted = (await send("", {}, method)).statusCode;
    expect(wanted).not.toBe(415);
    for (const type of [undefined, ...refused]) {
      const given = type === undefined ? headers : { ...headers, "content-type": type };
      const answer = await shell.app.inject({ method, url: "/api/v2/things", headers: given });
      expect([type, answer.statusCode]).toEqual([type, wanted]);
    }
  });

  it.each(METHODS)("that are accepted never skip validation of %s", async (method) => {
    for (const type of accepted) {
      expect([type, (await send(JSON.stringify(good), { "content-type": type }, method)).statusCode]).toEqual([
        type,
        200,
      ]);
      expect([type, (await send('{"data":1}', { "content-type": type }, method)).statusCode]).toEqual([type, 422]);
    }
  });

  it("do not matter to GET", async () => {
    const answer = await get("/api/v2/things", { authorization: `Bearer ${SHELL_TOKEN}`, "content-type": "a/b" });
    expect(answer.statusCode).toBe(200);
  });
});

describe("URLs", () => {
  it("with a malformed query are refused after the token was checked", async () => {
    for (const query of [
      "q=%",
      "q=%zz",
      "q=%ff",
      "q=%ed%a0%80",
      "q=%00",
      "%00=1",
      "q=1&q=2",
      "a=1&%61=2",
      "q=%c0%80",
    ]) {
      const answer = await get(`/api/v2/things?${query}`);
      expect([query, answer.statusCode]).toEqual([query, 400]);
      expect(firstError(answer.body)["title"]).toBe("bad request");
      expect((await get(`/api/v2/things?${query}`, {})).statusCode).toBe(401);
    }
  });

  it("keep names of parameters harmless", async () => {
    const answer = await get("/api/v2/things?__proto__=1&constructor=2&page[size]=3&filter%5Ba%5D=b+c%2Bd&&=x&e");
    expect(answer.statusCode).toBe(200);
    expect(Object.entries(answer.json().query as object)).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["page[size]", "3"],
      ["filter[a]", "b c+d"],
      ["", "x"],
      ["e", ""],
    ]);
  });

  it("with a NUL in the path name nothing", async () => {
    for (const path of ["/api/v2/things/%00", "/api/v2/things/a%00b"]) {
      const answer = await get(path);
      expect([answer.statusCode, firstError(answer.body)["title"]]).toEqual([404, "not found"]);
    }
  });

  it("with a malformed path get the family's error", async () => {
    for (const path of ["/api/v2/things/%", "/api/v2/things/%zz", "/api/v2/%ff", "/api/v2/things/%ed%a0%80"]) {
      const answer = await get(path);
      expect([path, answer.statusCode, firstError(answer.body)["title"]]).toEqual([path, 400, "bad request"]);
      expect(answer.headers).toMatchObject({ "tfp-api-version": "2.6", "content-type": "application/vnd.api+json" });
    }
  });

  it("may be as long as headers may be", async () => {
    const long = "x".repeat(10_000);
    expect((await get(`/api/v2/things/${long}`)).json()).toEqual({ id: long });
    expect((await get(`/api/v2/unknown/${long}/${long}`)).statusCode).toBe(404);
  });
});
