/** The decision point as callers of the standard meet it (Authorization API 1.0): evaluations, batches, errors, metadata. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { pointOf } from "../../test/support/decision-point.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../test/support/v1.ts";
import { MAX_EVALUATIONS } from "./request.ts";

const EVALUATION = "/access/v1/evaluation";
const EVALUATIONS = "/access/v1/evaluations";
const R1 = { type: "key", id: "records/record-1" };
const R2 = { type: "key", id: "records/record-2" };
const read = { name: "read" };
const write = { name: "write" };

forEachEngine((_engine, makeUrl) => {
  describe("the decision point", () => {
    const v1 = useV1(makeUrl);
    const point = pointOf(v1);
    const alice = { type: "role", id: "alice" };
    const bob = { type: "role", id: "bob" };

    beforeAll(async () => {
      const all = await v1.policy(`key_prefix "records/" { policy = "write" }`);
      const one = await v1.policy(`key "records/record-1" { policy = "read" }`);
      await v1.role({ Name: "alice", Policies: [{ ID: all }] });
      await v1.role({ Name: "bob", Policies: [{ ID: one }] });
    });

    test.each([
      [alice, read, R1, true],
      [alice, write, R1, true],
      [bob, read, R1, true],
      [bob, write, R1, false],
      [bob, read, R2, false],
      [{ type: "role", id: "nobody" }, read, R1, false],
      [{ type: "spaceship", id: "alice" }, read, R1, false],
      [{ type: "__proto__", id: "alice" }, read, R1, false],
      [alice, { name: "READ" }, R1, false],
      [alice, read, { type: "spaceship", id: "x" }, false],
    ])("%j %j %j: %s", async (subject, action, resource, decision) => {
      const answer = await point(EVALUATION, { subject, action, resource });
      expect([answer.status, answer.body]).toEqual([200, { decision }]);
      expect(answer.headers["content-type"]).toBe("application/json");
    });

    test("members that nobody knows are ignored, and properties and context change nothing", async () => {
      const more = { properties: { role: "manager" }, foo: 1 };
      const asked = {
        subject: { ...alice, ...more },
        action: { ...read, ...more },
        resource: { ...R1, ...more },
        context: { time: "2026-01-01T10:00", ip: "192.0.2.1" },
        foo: "bar",
        futureField: { a: [null] },
      };
      expect((await point(EVALUATION, asked)).body).toEqual({ decision: true });
    });

    test("a token and an identity of a login decide as authorize does", async () => {
      const { accessor, secret } = await v1.token({ Roles: [{ Name: "bob" }] });
      for (const resource of [R1, R2]) {
        for (const action of [read, write]) {
          const subject = { type: "token", id: accessor };
          const question = [{ Resource: "key", Segment: resource.id, Access: action.name }];
          const [{ Allow }] = (await v1.post("/acl/authorize", question, secret)).body;
          expect((await point(EVALUATION, { subject, action, resource })).body).toEqual({ decision: Allow });
          // About oneself it takes no permission.
          const own = await point(EVALUATION, { subject, action, resource }, { token: secret });
          expect([own.status, own.body]).toEqual([200, { decision: Allow }]);
        }
      }
      await v1.delete(`/acl/token/${accessor}`);
      const gone = { subject: { type: "token", id: accessor }, action: read, resource: R1 };
      expect((await point(EVALUATION, gone)).body).toEqual({ decision: false });
    });

    test("a subject of another namespace is unknown", async () => {
      const namespace = v1.unique("ns");
      expect((await v1.put("/namespace", { Name: namespace })).status).toBe(200);
      const asked = { subject: alice, action: read, resource: R1 };
      expect((await point(`${EVALUATION}?ns=${namespace}`, asked)).body).toEqual({ decision: false });
      const { accessor } = await v1.token({ Policies: [{ Name: "global-management" }] });
      const token = { subject: { type: "token", id: accessor }, action: read, resource: R1 };
      expect((await point(EVALUATION, token)).body).toEqual({ decision: true });
      expect((await point(`${EVALUATION}?ns=${namespace}`, token)).body).toEqual({ decision: false });
    });

    test("asking about others requires acl:read of the scope, before anything is decided", async () => {
      const { accessor, secret } = await v1.token({ Roles: [{ Name: "alice" }] });
      const statements = async (subject: object) =>
        (await point(EVALUATION, { subject, action: read, resource: R1 }, { token: secret })).status;
      expect(await statements(alice)).toBe(403);
      expect(await statements({ type: "role", id: "nobody" })).toBe(403);
      const items = [{ subject: { type: "token", id: accessor } }, { subject: bob }];
      const batch = await point(EVALUATIONS, { action: read, resource: R1, evaluations: items }, { token: secret });
      expect([batch.status, batch.body]).toEqual([403, { error: expect.stringContaining("acl:read") }]);
      const reader = await v1.tokenWith(`acl = "read"`);
      expect((await point(EVALUATION, { subject: bob, action: read, resource: R1 }, { token: reader })).body).toEqual({
        decision: true,
      });
    });

    test("a reason comes with a decision for who asks for it and may read it", async () => {
      const asked = { subject: bob, action: write, resource: R1 };
      expect((await point(`${EVALUATION}?explain=true`, asked)).body).toMatchObject({
        decision: false,
        context: {
          reason: "direct",
          rule: { Resource: "key", Segment: "records/record-1", Policy: "read" },
          minimal_rule: expect.stringContaining('key "records/record-1"'),
        },
      });
      const { accessor, secret } = await v1.token();
      const own = { subject: { type: "token", id: accessor }, action: read, resource: R1 };
      expect((await point(`${EVALUATION}?explain=true`, own, { token: secret })).status).toBe(403);
    });

    describe("a batch", () => {
      test.each([
        [{ subject: bob, resource: R1, evaluations: [{ action: read }, { action: write }] }, [true, false]],
        [{ subject: bob, action: write, resource: R1, evaluations: [{ action: read }, {}] }, [true, false]],
        [
          {
            evaluations: [
              { subject: alice, action: read, resource: R1 },
              { subject: bob, action: write, resource: R1 },
            ],
          },
          [true, false],
        ],
        [{ subject: alice, action: read, resource: {}, evaluations: [{ resource: R2 }] }, [true]],
      ])("%j", async (asked, decisions) => {
        const { status, body } = await point(EVALUATIONS, asked);
        expect([status, body]).toEqual([200, { evaluations: decisions.map((decision) => ({ decision })) }]);
      });

      test.each([
        ["execute_all", [true, false, true]],
        ["deny_on_first_deny", [true, false]],
        ["permit_on_first_permit", [true]],
      ])("%s ends where the standard says", async (semantic, decisions) => {
        const evaluations = [{ action: read }, { action: write }, { action: read }];
        const asked = {
          subject: bob,
          resource: R1,
          evaluations,
          options: { evaluations_semantic: semantic, other: 1 },
        };
        const { body } = await point(EVALUATIONS, asked);
        expect(body.evaluations.map(({ decision }: { decision: boolean }) => decision)).toEqual(decisions);
      });

      test("an item that is not a question is denied with its error, and the others are decided", async () => {
        const evaluations = [{ resource: R1 }, {}, "text", { resource: { type: "key" } }];
        const { status, body } = await point(EVALUATIONS, { subject: alice, action: read, evaluations });
        expect(status).toBe(200);
        const error = { decision: false, context: { error: { status: 400, message: expect.any(String) as string } } };
        expect(body).toEqual({ evaluations: [{ decision: true }, error, error, error] });
      });

      test("without items it is one evaluation", async () => {
        const one = { subject: alice, action: read, resource: R1 };
        expect((await point(EVALUATIONS, one)).body).toEqual({ decision: true });
        expect((await point(EVALUATIONS, { ...one, evaluations: [] })).body).toEqual({ decision: true });
        expect((await point(EVALUATIONS, { subject: alice, evaluations: [] })).status).toBe(400);
      });

      test("has a limit, and its own kinds of bad requests", async () => {
        const items = (count: number) => ({
          subject: alice,
          action: read,
          resource: R1,
          evaluations: Array.from({ length: count }, () => ({})),
        });
        expect((await point(EVALUATIONS, items(MAX_EVALUATIONS))).body.evaluations).toHaveLength(MAX_EVALUATIONS);
        const tooMany = await point(EVALUATIONS, items(10_000));
        expect([tooMany.status, tooMany.body]).toEqual([
          400,
          { error: `evaluations has 10000 items; maximum ${MAX_EVALUATIONS}` },
        ]);
        for (const bad of [
          { evaluations: {} },
          { evaluations: [{}], options: [] },
          { evaluations: [{}], options: { evaluations_semantic: "bogus_value" } },
          { evaluations: [{}], subject: "alice" },
        ])
          expect((await point(EVALUATIONS, bad)).status).toBe(400);
      });
    });

    const whole = { subject: alice, action: read, resource: R1 };
    test.each<[string, unknown, string?]>([
      ["no subject", { ...whole, subject: undefined }],
      ["no action", { ...whole, action: undefined }],
      ["no resource", { ...whole, resource: undefined }],
      ["a subject without a type", { ...whole, subject: { id: "a" } }],
      ["a subject without an ID", { ...whole, subject: { type: "role" } }],
      ["an action without a name", { ...whole, action: {} }],
      ["a subject that is a text", { ...whole, subject: "alice" }],
      ["a name that is a number", { ...whole, action: { name: 1 } }],
      ["a subject that is null", { ...whole, subject: null }],
      ["properties that are a list", { ...whole, subject: { ...alice, properties: [] } }],
      ["a context that is a text", { ...whole, context: "now" }],
      ["a list", [whole]],
      ["nothing", ""],
      ["no JSON", "{"],
      ["more behind the JSON", `${JSON.stringify(whole)} {}`],
      ["a member twice", JSON.stringify(whole).replace('"id":"alice"', '"id":"bob","id":"alice"')],
      ["one of many members twice", '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"a":1}'],
      ["very deep JSON", "[".repeat(5000)],
      ["an ID with half a character", JSON.stringify(whole).replace("alice", "\\ud800")],
      ["another content type", whole, "text/plain"],
      ["no content type", JSON.stringify(whole), ""],
    ])("%s is 400 without a decision", async (_what, body, type) => {
      for (const path of [EVALUATION, EVALUATIONS]) {
        const answer = await point(path, body, { type });
        expect([answer.status, answer.headers["content-type"]]).toEqual([400, "application/json"]);
        expect(answer.body).toEqual({ error: expect.any(String) });
      }
    });

    test("properties are as large as the body may be, and a larger body is 413", async () => {
      const sized = (size: number) => ({
        ...whole,
        context: { note: "x" },
        subject: { ...alice, properties: { note: "x".repeat(size) } },
      });
      expect((await point(EVALUATION, sized(1_000_000))).body).toEqual({ decision: true });
      const { status, body } = await point(EVALUATION, sized(1024 * 1024));
      expect([status, body]).toEqual([413, { error: expect.any(String) }]);
    });

    test("the media type may have parameters, and any case", async () => {
      for (const type of ["application/json; charset=utf-8", "Application/JSON"])
        expect((await point(EVALUATION, whole, { type })).body).toEqual({ decision: true });
    });

    test("other methods are not allowed, and other paths not found, in the form of all errors", async () => {
      const sent = { url: EVALUATION, headers: { "x-consul-token": MANAGEMENT, "x-request-id": "one" } };
      const unknown = { ...sent, method: "POST", url: "/access/v1/nowhere" } as const;
      for (const [request, status] of [
        [{ ...sent, method: "GET" }, 405],
        [{ ...sent, method: "PUT" }, 405],
        [unknown, 404],
      ] as const) {
        const answer = await v1.send(request);
        expect([answer.status, answer.headers["x-request-id"]]).toEqual([status, "one"]);
        expect(answer.body).toEqual({ error: expect.any(String) });
      }
    });

    test("without a token, or with one that nobody has, it is 401 with a challenge", async () => {
      for (const token of ["", NOBODY, "allow"]) {
        const answer = await point(EVALUATION, whole, { token });
        expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="tessera"']);
        expect(answer.body).toEqual({ error: expect.any(String) });
      }
    });

    test("the client's request ID comes back, on errors too, and nothing that would split a header", async () => {
      for (const body of [whole, {}]) {
        const { headers } = await point(EVALUATION, body, { id: "conformance-1" });
        expect(headers["x-request-id"]).toBe("conformance-1");
        expect(headers["x-tessera-request-id"]).toMatch(/./);
      }
      const { headers } = await point(EVALUATION, whole, { id: "a b" });
      expect(headers["x-request-id"]).toBe(headers["x-tessera-request-id"]);
    });

    test("the same question has the same answer, byte for byte", async () => {
      const asked = { subject: bob, resource: R1, evaluations: [{ action: read }, {}] };
      const [first, ...others] = [
        await point(EVALUATIONS, asked),
        await point(EVALUATIONS, asked),
        await point(EVALUATIONS, asked),
      ];
      for (const { text } of others) expect(text).toBe(first?.text);
    });

    test("the metadata names the endpoints to everyone, and may be cached", async () => {
      const answer = await v1.send({
        method: "GET",
        url: "/.well-known/authzen-configuration",
        headers: { host: "localhost:8500" },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers["cache-control"]).toBe("public, max-age=300");
      expect(answer.body).toEqual({
        policy_decision_point: "http://localhost:8500",
        access_evaluation_endpoint: "http://localhost:8500/access/v1/evaluation",
        access_evaluations_endpoint: "http://localhost:8500/access/v1/evaluations",
        search_subject_endpoint: "http://localhost:8500/access/v1/search/subject",
        search_resource_endpoint: "http://localhost:8500/access/v1/search/resource",
        search_action_endpoint: "http://localhost:8500/access/v1/search/action",
      });
    });
  });
});
