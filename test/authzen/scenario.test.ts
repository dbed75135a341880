/**
 * The certification scenario of the Authorization API 1.0, by the IDs of its tests. Its fixture is policies and one mapping;
 * docs/api/decisions.md names what a mapping does not carry.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { pointOf } from "../support/decision-point.ts";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";

const EVALUATION = "/access/v1/evaluation";
const EVALUATIONS = "/access/v1/evaluations";

const entry = (Action: string, Segment: string, Access: string, more: object = {}) => ({
  Action,
  Kind: "key",
  Segment,
  Access,
  ...more,
});

/** The own types `user` and `record`. A role for each user has what the fixture allows. */
const MAPPING = {
  SubjectTypes: [{ Type: "user", As: "role", Template: "user-${id}" }],
  ResourceTypes: [
    {
      Type: "record",
      Actions: [
        entry("read", "records/${id}", "read"),
        entry("write", "archived/${id}", "write", { Properties: { status: "archived" } }),
        entry("write", "records/${id}", "write"),
        entry("delete", "records/${id}", "write", { ActionProperties: { soft: true } }),
        entry("delete", "purges/${id}", "write"),
      ],
    },
  ],
};
const RULES = {
  alice: `key "records/record-1" { policy = "write" } key "records/record-2" { policy = "read" }`,
  // The stored form of `role` admin: archived records may be written, others may be read.
  bob: `key "records/record-1" { policy = "read" } key_prefix "archived/" { policy = "write" }
    key "archived/record-2" { policy = "write" }`,
};

const alice = { type: "user", id: "alice" };
const bob = { type: "user", id: "bob" };
const admin = { ...bob, properties: { role: "admin" } };
const r1 = { type: "record", id: "record-1" };
const r2 = { type: "record", id: "record-2" };
const active = { ...r1, properties: { status: "active" } };
const archived = { ...r2, properties: { status: "archived" } };
const read = { name: "read" };
const write = { name: "write" };
const context = { time: "2026-01-01T10:00", ip: "192.0.2.1" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const ask = pointOf(v1);

  beforeAll(async () => {
    for (const [name, rules] of Object.entries(RULES)) {
      const policy = await v1.policy(rules);
      await v1.role({ Name: `user-${name}`, Policies: [{ ID: policy }] });
    }
    expect((await v1.put("/acl/decision-mapping/scenario", MAPPING)).status).toBe(200);
  });

  describe("Basic", () => {
    test.each([
      ["c-2-2-1", { subject: alice, action: read, resource: r1 }, true],
      ["c-2-2-2", { subject: bob, action: write, resource: r1 }, false],
      ["c-2-2-3", { subject: alice, action: read, resource: r1, context }, true],
      ["c-2-2-4", { subject: alice, action: write, resource: archived }, false],
      ["c-2-2-5", { subject: admin, action: write, resource: archived }, true],
      ["c-2-2-6", { subject: alice, action: { name: "delete", properties: { soft: true } }, resource: r1 }, true],
      ["c-2-2-7", { subject: alice, action: { name: "delete", properties: { soft: false } }, resource: r1 }, false],
      [
        "c-2-2-8",
        {
          subject: { ...alice, properties: { department: "Sales", role: "manager" } },
          action: { ...read, properties: { method: "GET" } },
          resource: { ...r1, properties: { status: "active", owner: "bob" } },
        },
        true,
      ],
      ["c-2-2-9", { subject: alice, action: read, resource: r1, foo: "bar", futureField: { a: 1 } }, true],
    ])("%s", async (_id, body, decision) => {
      const answers = [await ask(EVALUATION, body), await ask(EVALUATION, body)];
      // c-2-3-1, c-2-3-2, c-2-6
      for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, { decision }]);
    });

    const whole = { subject: alice, action: read, resource: r1 };
    test.each<[string, unknown, string?]>([
      ["c-2-4-1: no subject", { ...whole, subject: undefined }],
      ["c-2-4-1: no action", { ...whole, action: undefined }],
      ["c-2-4-1: no resource", { ...whole, resource: undefined }],
      ["c-2-4-2: no type of the subject", { ...whole, subject: { id: "alice" } }],
      ["c-2-4-2: no ID of the subject", { ...whole, subject: { type: "user" } }],
      ["c-2-4-2: no name of the action", { ...whole, action: {} }],
      ["c-2-4-2: no type of the resource", { ...whole, resource: { id: "record-1" } }],
      ["c-2-4-2: no ID of the resource", { ...whole, resource: { type: "record" } }],
      ["c-2-4-3: text/plain", whole, "text/plain"],
      ["c-2-4-4: malformed JSON", "{"],
      ["c-2-4-5: empty body", ""],
      ["c-2-4-6: a subject that is a string", { ...whole, subject: "alice" }],
      ["c-2-4-6: a name that is a number", { ...whole, action: { name: 1 } }],
    ])("%s", async (_id, body, type) => {
      expect((await ask(EVALUATION, body, type === undefined ? {} : { type })).status).toBe(400);
    });

    test("c-2-5-1, c-2-5-2: the request ID", async () => {
      expect((await ask(EVALUATION, whole, { id: "conformance-1" })).headers["x-request-id"]).toBe("conformance-1");
      expect((await ask(EVALUATION, whole)).status).toBe(200);
    });
  });

  describe("Batch", () => {
    test.each([
      ["c-3-2-1", { subject: alice, action: read, evaluations: [{ resource: r1 }, { resource: r2 }] }, [true, true]],
      ["c-3-2-2", { subject: bob, resource: r1, evaluations: [{ action: read }, { action: write }] }, [true, false]],
      [
        "c-3-2-3",
        { subject: alice, action: write, evaluations: [{ resource: active }, { resource: archived }] },
        [true, false],
      ],
      [
        "c-3-2-4",
        { action: write, resource: archived, evaluations: [{ subject: alice }, { subject: admin }] },
        [false, true],
      ],
      [
        "c-3-2-5",
        {
          evaluations: [
            { subject: alice, action: read, resource: r1 },
            { subject: bob, action: write, resource: r1 },
          ],
        },
        [true, false],
      ],
      [
        "c-3-2-6",
        { subject: alice, action: read, context, evaluations: [{ resource: r1 }, { resource: r2, context: {} }] },
        [true, true],
      ],
      [
        "c-3-2-7",
        { subject: alice, action: write, resource: active, evaluations: [{}, { resource: archived }] },
        [true, false],
      ],
    ])("%s", async (_id, body, decisions) => {
      // c-3-3-1 to c-3-3-4
      const { status, body: answer } = await ask(EVALUATIONS, body);
      expect([status, answer]).toEqual([200, { evaluations: decisions.map((decision) => ({ decision })) }]);
    });

    test("c-3-4-1: an item without a resource", async () => {
      const options = { evaluations_semantic: "execute_all" };
      const { body } = await ask(EVALUATIONS, {
        subject: alice,
        action: read,
        options,
        evaluations: [{ resource: r1 }, {}],
      });
      expect(body.evaluations).toMatchObject([{ decision: true }, { decision: false }]);
    });

    test("c-3-4-2, c-3-4-3: no items", async () => {
      const one = { subject: alice, action: read, resource: r1 };
      for (const body of [one, { ...one, evaluations: [] }])
        expect((await ask(EVALUATIONS, body)).body).toEqual({ decision: true });
    });
  });

  describe("Search", () => {
    const find = async (searched: string, body: object) => {
      const answer = await ask(`/access/v1/search/${searched}`, body);
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      return answer.body as { page?: { next_token: string }; results: object[] };
    };
    const users = { subject: { type: "user" }, action: read, resource: r1 };
    const records = { subject: alice, action: read, resource: { type: "record" } };
    const actions = { subject: alice, resource: r1 };

    test.each([
      ["c-4-2-1", "subject", users, [alice, bob]],
      ["c-4-2-2", "subject", { ...users, context }, [alice, bob]],
      ["c-4-2-3", "subject", { ...users, subject: alice }, [alice, bob]],
      ["c-4-2-4", "subject", { ...users, action: write, resource: archived }, [bob]],
      ["c-4-3-1", "resource", records, [r1, r2]],
      ["c-4-3-2", "resource", { ...records, context }, [r1, r2]],
      ["c-4-3-3", "resource", { ...records, resource: r1 }, [r1, r2]],
      ["c-4-4-1", "action", actions, [read, write]],
      ["c-4-4-2", "action", { ...actions, context }, [read, write]],
      ["c-4-4-3", "action", { subject: admin, resource: archived }, [write]],
    ])("%s", async (_id, searched, body, results) => {
      expect((await find(searched, body)).results).toEqual(results);
    });

    test("c-4-3-4: a record is found with the status that the access needs", async () => {
      const asked = { subject: admin, action: write, resource: { type: "record" } };
      const { results } = await find("resource", asked);
      expect(results).toEqual([archived]);
      // Each result leads to a permit.
      for (const resource of results)
        expect((await ask(EVALUATION, { subject: admin, action: write, resource })).body).toEqual({ decision: true });
      const withStatus = { ...asked, resource: { type: "record", properties: { status: "archived" } } };
      expect((await find("resource", withStatus)).results).toEqual([r2]);
      const other = { ...asked, resource: { type: "record", properties: { status: "active" } } };
      expect((await find("resource", other)).results).toEqual([]);
    });

    test("c-4-5-1 to c-4-5-3: pages", async () => {
      const first = await find("subject", { ...users, page: { limit: 1 } });
      const token = first.page?.next_token;
      expect([first.results, token]).toEqual([[alice], expect.stringMatching(/./)]);
      expect(await find("subject", { ...users, page: { token } })).toMatchObject({
        page: { next_token: "" },
        results: [bob],
      });
    });

    test.each([
      ["c-4-6-1", "action", { ...actions, subject: { type: "user", id: "nonexistent-user" } }],
      ["c-4-6-1", "resource", { ...records, subject: { type: "user", id: "nonexistent-user" } }],
      ["c-4-6-1", "subject", { ...users, resource: { type: "record", id: "nonexistent" } }],
      ["c-4-6-2", "subject", { ...users, subject: { type: "spaceship" } }],
      ["c-4-6-2", "resource", { ...records, resource: { type: "spaceship" } }],
      ["c-4-6-2", "action", { ...actions, resource: { type: "spaceship", id: "1" } }],
    ])("%s: nothing is found in a search for a %s of %j", async (_id, searched, body) => {
      expect((await find(searched, body)).results).toEqual([]);
    });

    test.each([
      ["c-4-7-1", "subject", { ...users, action: undefined }],
      ["c-4-7-1", "resource", { ...records, subject: undefined }],
      ["c-4-7-1", "action", { ...actions, resource: undefined }],
      ["c-4-7-2", "subject", { ...users, resource: { type: "record" } }],
      ["c-4-7-2", "resource", { ...records, subject: { type: "user" } }],
      ["c-4-7-2", "action", { ...actions, subject: { type: "user" } }],
    ])("%s: a search for a %s of %j is 400", async (_id, searched, body) => {
      expect((await ask(`/access/v1/search/${searched}`, body)).status).toBe(400);
    });
  });
});
