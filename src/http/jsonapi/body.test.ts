import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, type TestShell } from "../../../test/support/shell.ts";
import type { ApiRoutes } from "./jsonapi.ts";

const BODY = Type.Object({
  data: Type.Object({
    type: Type.Literal("things"),
    attributes: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 5 }),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      size: Type.Optional(Type.Integer()),
      "auto-apply": Type.Optional(Type.Boolean()),
      mode: Type.Optional(Type.Union([Type.Literal("soft"), Type.Literal("hard")])),
      level: Type.Optional(Type.Union([Type.Literal("low"), Type.Literal("high"), Type.Null()])),
      bounds: Type.Optional(
        Type.Object({ most: Type.Integer({ minimum: 1, maximum: 9 }) }, { additionalProperties: false }),
      ),
    }),
    list: Type.Optional(Type.Array(Type.Union([byId(), byName()]), { maxItems: 3 })),
  }),
});

function byId() {
  return Type.Object({ type: Type.Literal("tags"), id: Type.String() });
}

function byName() {
  return Type.Object({ type: Type.Literal("tags"), attributes: Type.Object({ name: Type.String() }) });
}

const METHODS = ["POST", "PATCH", "PUT", "DELETE"] as const;

const routes: ApiRoutes = (app, _options, done) => {
  app.post("/things", { schema: { body: BODY } }, (request, reply) => void reply.send({ data: request.body }));
  for (const method of METHODS) {
    app.route({
      method,
      url: "/things/:id",
      schema: { body: Type.Union([Type.Null(), BODY]) },
      handler: (request, reply) => void reply.send({ got: request.body === undefined ? "nothing" : "a body" }),
    });
  }
  done();
};

let shell: TestShell;
beforeAll(async () => {
  shell = await openShell({ extraRoutes: [routes] });
});
afterAll(async () => shell.close());

const good = { data: { type: "things", attributes: { name: "a" } } };

async function send(payload: string | Buffer) {
  return shell.app.inject({ method: "POST", url: "/api/v2/things", headers: SHELL_HEADERS, payload });
}

function firstError(body: string): Record<string, unknown> {
  const { errors } = JSON.parse(body) as { errors: Record<string, unknown>[] };
  expect(errors).toHaveLength(1);
  return errors[0] ?? {};
}

describe("bodies", () => {
  it("that cannot be parsed are refused with the family's error", async () => {
    const cases: [string, string | Buffer, string][] = [
      ["not JSON", "{", "not valid JSON"],
      ["a form", "a=b", "not valid JSON"],
      ["two documents", "{}{}", "not valid JSON"],
      ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "not valid UTF-8"],
      ["a byte order mark", `\ufeff${JSON.stringify(good)}`, "not valid JSON"],
      ["UTF-16", Buffer.from(JSON.stringify(good), "utf16le"), "not valid JSON"],
      ["nested 30,000 deep", "[".repeat(30_000) + "]".repeat(30_000), "nested too deeply"],
      ["objects nested deep", `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`, "nested too deeply"],
      ["unclosed and deep", "[".repeat(30_000), "not valid JSON"],
      ["as deep as fits", "[".repeat(500_000) + "]".repeat(500_000), "at most 20,000 values"],
      ["a raw control character", '{"data":"\u0001"}', "not valid JSON"],
      ["nothing", "", "must be an object"],
      ["null", "null", "must be an object"],
      ["an array", "[]", "must be an object"],
      ["a string", '"x"', "must be an object"],
    ];
    for (const [what, payload, detail] of cases) {
      const answer = await send(payload);
      expect([what, answer.statusCode]).toEqual([what, 422]);
      const error = firstError(answer.body);
      expect(error["title"]).toBe("unprocessable entity");
      expect(error["detail"]).toContain(detail);
    }
  });

  it("with text that no engine could keep are refused where it stands", async () => {
    const cases: [string, string | undefined][] = [
      [String.raw`{"data":{"type":"things","attributes":{"name":"a\u0000b"}}}`, "/data/attributes/name"],
      [String.raw`{"data":{"type":"things","attributes":{"name":"\ud800"}}}`, "/data/attributes/name"],
      [String.raw`{"data":{"type":"things","attributes":{"name":"\udc00\ud800"}}}`, "/data/attributes/name"],
      [String.raw`{"data":{"type":"things","attributes":{"name":"a","x\u0000":1}}}`, "/data/attributes"],
      [String.raw`{"a~b/c":["\ud800"]}`, "/a~0b~1c/0"],
      [String.raw`{"data":{"type":"things","attributes":{"name":"a","__proto__":{}}}}`, "/data/attributes"],
      [String.raw`{"__proto__":{"data":{}}}`, ""],
      [String.raw`{"\u005f_proto__":1}`, ""],
      [String.raw`{"a":[[1],{"b":2}],"c":{"d":["\u0000"]}}`, "/c/d/0"],
      [String.raw`{"a":{"${"~/".repeat(250_000)}":["\u0000"]}}`, "/a"],
    ];
    for (const [payload, pointer] of cases) {
      const answer = await send(payload);
      expect([payload, answer.statusCode]).toEqual([payload, 422]);
      expect(firstError(answer.body)["source"]).toEqual({ pointer });
    }
    expect((await send(String.raw`{"data":{"type":"things","attributes":{"name":"\ud83d\ude00"}}}`)).statusCode).toBe(
      200,
    );
  });

  it("have at most 1,000 entries in any list, known or not, and are told which list has more", async () => {
    const entries = (count: number) => Array.from({ length: count }, () => 1);
    const cases: [object, string][] = [
      [{ data: entries(1001) }, "/data"],
      [{ ...good, extra: { "a/b": [entries(1000), entries(1001)] } }, "/extra/a~1b/1"],
      [{ data: { type: "things", attributes: { name: "a", x: entries(15_000) } } }, "/data/attributes/x"],
    ];
    for (const [body, pointer] of cases) {
      const answer = await send(JSON.stringify(body));
      expect(answer.statusCode).toBe(422);
      expect(firstError(answer.body)).toMatchObject({
        detail: "A list must have at most 1,000 entries",
        source: { pointer },
      });
    }
    expect((await send(JSON.stringify({ ...good, extra: entries(1000) }))).statusCode).toBe(200);
  });

  it("have at most 20,000 values in all, which commas and brackets in texts are not", async () => {
    // The body, `data`, its type, its attributes, the name, `text` and `more`; what is left is for the members of `more`.
    const body = (members: number, text = "") =>
      JSON.stringify({ ...good, text, more: Object.fromEntries(Array.from({ length: members }, (_, i) => [i, {}])) });
    expect((await send(body(19_993))).statusCode).toBe(200);
    expect((await send(body(19_993, '\\"[,{'.repeat(50_000)))).statusCode).toBe(200);
    for (const members of [19_994, 80_000]) {
      const answer = await send(body(members));
      expect(answer.statusCode).toBe(422);
      expect(firstError(answer.body)).toEqual({
        status: "422",
        title: "unprocessable entity",
        detail: "The request body must have at most 20,000 values in total",
        source: { pointer: "" },
      });
    }
  });

  it("are validated without being changed", async () => {
    const body = { data: { type: "things", attributes: { name: "a", unknown: [1] } }, extra: { constructor: 1 } };
    expect((await send(JSON.stringify(body))).json()).toEqual({ data: body });
  });

  it("of the wrong shape are told which member is wrong", async () => {
    const thing = (attributes: object, more: object = {}) => ({ data: { type: "things", attributes, ...more } });
    const cases: [unknown, string | undefined, string, string][] = [
      [{}, "/data", "unprocessable entity", "Data is missing"],
      [{ data: [] }, "/data", "unprocessable entity", "Data must be an object"],
      [{ data: { type: "things" } }, "/data/attributes", "unprocessable entity", "Attributes is missing"],
      [
        { data: { type: "other", attributes: { name: "a" } } },
        "/data/type",
        "unprocessable entity",
        'Type must be "things"',
      ],
      [thing({}), "/data/attributes/name", "invalid attribute", "Name is missing"],
      [thing({ name: 1 }), "/data/attributes/name", "invalid attribute", "Name must be a string"],
      [thing({ name: "" }), "/data/attributes/name", "invalid attribute", "Name must not be empty"],
      [
        thing({ name: "abcdef" }),
        "/data/attributes/name",
        "invalid attribute",
        "Name is too long (maximum is 5 characters)",
      ],
      [thing({ name: "a", note: 1 }), "/data/attributes/note", "invalid attribute", "Note must be a string or null"],
      [thing({ name: "a", size: 1.5 }), "/data/attributes/size", "invalid attribute", "Size must be an integer"],
      [thing({ name: "a", size: "1" }), "/data/attributes/size", "invalid attribute", "Size must be an integer"],
      [
        thing({ name: "a", "auto-apply": "true" }),
        "/data/attributes/auto-apply",
        "invalid attribute",
        "Auto apply must be a boolean",
      ],
      ...(
        [
          [{ mode: "ask" }, "mode", 'Mode must be one of "soft", "hard"'],
          [{ mode: 1 }, "mode", 'Mode must be one of "soft", "hard"'],
          [{ level: "mid" }, "level", 'Level must be one of "low", "high" or null'],
          [{ bounds: { most: 10 } }, "bounds/most", "Most must be at most 9"],
          [{ bounds: { most: 0 } }, "bounds/most", "Most must be at least 1"],
          [{ bounds: { most: 1, least: 0 } }, "bounds/least", "Least is not known"],
        ] as const
      ).map(([more, at, detail]): [unknown, string, string, string] => [
        thing({ name: "a", ...more }),
        `/data/attributes/${at}`,
        "invalid attribute",
        detail,
      ]),
      [
        thing({ name: "a" }, { list: ["1", "2", "3", "4"].map((id) => ({ type: "tags", id })) }),
        "/data/list",
        "unprocessable entity",
        "List must not have more than 3 entries",
      ],
      [
        thing({ name: "a" }, { list: [{ type: "tags", id: 1 }] }),
        "/data/list/0/id",
        "unprocessable entity",
        "Id must be a string",
      ],
    ];
    for (const [body, pointer, title, detail] of cases) {
      const answer = await send(JSON.stringify(body));
      expect(answer.statusCode).toBe(422);
      expect(firstError(answer.body)).toEqual({ status: "422", title, detail, source: { pointer } });
    }
  });

  it("may be empty where the schema allows it", async () => {
    for (const method of METHODS) {
      const empty = await shell.app.inject({ method, url: "/api/v2/things/x", headers: SHELL_HEADERS });
      expect([method, empty.json()]).toEqual([method, { got: "nothing" }]);
      const full = await shell.app.inject({ method, url: "/api/v2/things/x", headers: SHELL_HEADERS, payload: good });
      expect([method, full.json()]).toEqual([method, { got: "a body" }]);
    }
  });
});
