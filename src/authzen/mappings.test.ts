/** Own types at the decision point: properties reach decisions by mappings alone, and searches find what is known. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { pointOf } from "../../test/support/decision-point.ts";
import { expectSameStatements } from "../../test/support/statements.ts";
import { useV1 } from "../../test/support/v1.ts";

const entry = (Action: string, Segment: string, more: object = {}) => ({
  Action,
  Kind: "key",
  Segment,
  Access: "read",
  ...more,
});

/** Own types of a record service and of a gateway. */
const MAPPING = {
  SubjectTypes: [
    { Type: "user", As: "role", Template: "user-${id}" },
    { Type: "member", As: "role", Template: "${properties.team}-${id}" },
    { Type: "device", As: "token", Template: "${id}" },
    { Type: "person", As: "identity", Template: "jwt/${id}" },
  ],
  ResourceTypes: [
    {
      Type: "record",
      Actions: [
        entry("read", "records/${id}"),
        entry("write", "archive/${id}", { Properties: { status: "archived" }, Access: "write" }),
        entry("write", "records/${id}", { Access: "write" }),
        entry("delete", "records/${id}", { ActionProperties: { soft: true }, Access: "write" }),
        entry("delete", "purges/${id}", { ActionProperties: { soft: false }, Access: "write" }),
        entry("share", "teams/${properties.team}/${id}"),
      ],
    },
    { Type: "route", Actions: [entry("GET", "gateway/GET${id}")] },
    { Type: "space", Actions: [{ Action: "open", Kind: "workspace", Segment: "acme/${id}", Access: "read" }] },
  ],
};

forEachEngine((_engine, makeUrl) => {
  describe("own types", () => {
    const v1 = useV1(makeUrl);
    const ask = pointOf(v1);
    const alice = { type: "user", id: "alice" };
    const bob = { type: "user", id: "bob" };
    const r1 = { type: "record", id: "1" };
    let device = { accessor: "", secret: "" };

    const decide = async (subject: object, name: string, resource: object, properties: object = {}) => {
      const answer = await ask("/access/v1/evaluation?explain=true", {
        subject,
        action: { name, properties },
        resource,
      });
      expect(answer.status).toBe(200);
      return answer.body as { decision: boolean; context: { reason: string } };
    };
    const find = async (searched: string, body: object) => {
      const answer = await ask(`/access/v1/search/${searched}`, body);
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      return answer.body as { results: object[]; context?: object };
    };

    beforeAll(async () => {
      const exact = await v1.policy(
        `key "records/1" { policy = "write" } key "records/2" { policy = "read" } key "gateway/GET/todos" { policy = "read" }
         key "teams/web/1" { policy = "read" }`,
      );
      const prefix = await v1.policy(
        `key_prefix "" { policy = "read" } key "archive/2" { policy = "write" } key_prefix "purges/" { policy = "deny" }
         workspace_prefix "acme/" { policy = "read" }`,
      );
      await v1.role({ Name: "user-alice", Policies: [{ ID: exact }] });
      await v1.role({ Name: "user-bob", Policies: [{ ID: prefix }] });
      await v1.role({ Name: "staff", Policies: [{ ID: prefix }] });
      device = await v1.token({ Roles: [{ Name: "user-alice" }] });
      await v1.api("POST", "/organizations", {
        data: { type: "organizations", attributes: { name: "acme", email: "a@example.com" } },
      });
      await v1.api("POST", "/organizations/acme/workspaces", {
        data: { type: "workspaces", attributes: { name: "prod" } },
      });
      const { status, text } = await v1.put("/acl/decision-mapping/app", MAPPING);
      expect([status, text]).toEqual([200, expect.anything()]);
    });

    test.each([
      [alice, "read", r1, {}, true],
      [bob, "read", r1, {}, true],
      [bob, "write", r1, {}, false],
      [alice, "delete", r1, { soft: true }, true],
      [alice, "delete", r1, { soft: false }, false],
      [alice, "write", { type: "record", id: "2", properties: { status: "archived" } }, {}, false],
      [bob, "write", { type: "record", id: "2", properties: { status: "archived" } }, {}, true],
      [bob, "write", { type: "record", id: "2", properties: { status: "active" } }, {}, false],
      [{ type: "member", id: "alice", properties: { team: "user" } }, "read", r1, {}, true],
      [alice, "GET", { type: "route", id: "/todos" }, {}, true],
      [alice, "GET", { type: "route", id: "/users" }, {}, false],
      [alice, "share", { ...r1, properties: { team: "web" } }, {}, true],
    ])("%j %s %j %j: %s", async (subject, name, resource, properties, decision) => {
      expect(await decide(subject, name, resource, properties)).toMatchObject({ decision });
    });

    const NONE = "no mapping of the resource type matches the action and its properties";
    test.each([
      ["an action that is not mapped", alice, "list", r1, {}, NONE],
      ["an action without the property", alice, "delete", r1, {}, NONE],
      ["a property of another type", alice, "delete", r1, { soft: "true" }, NONE],
      ["a resource without the property", alice, "share", r1, {}, "resource: properties.team is missing or empty"],
      [
        "a value that reaches into what follows",
        alice,
        "share",
        { ...r1, properties: { team: "web/1" } },
        {},
        'resource: properties.team contains "/"',
      ],
      ["an empty ID", bob, "read", { type: "record", id: "" }, {}, "resource: id is missing or empty"],
      ["a value that is an object", bob, "share", { ...r1, properties: { team: {} } }, {}, "resource: properties.team"],
      ["a subject without its property", { type: "member", id: "a" }, "read", r1, {}, "subject: properties.team"],
      ["an unknown subject", { type: "user", id: "nobody" }, "read", r1, {}, "unknown subject"],
      ["an unknown type", alice, "read", { type: "spaceship", id: "1" }, {}, "unknown resource type or action"],
    ])("%s is denied, with the reason", async (_what, subject, name, resource, properties, reason) => {
      const answer = await decide(subject, name, resource, properties);
      expect(answer).toMatchObject({ decision: false, context: { reason: expect.stringContaining(reason) } });
    });

    test("no property influences a decision about what is stored", async () => {
      const workspace = { type: "workspace", id: "acme/prod" };
      const properties = { status: "archived", organization: "other", id: "other/prod", team: "x" };
      for (const [role, decision] of [
        ["staff", true],
        ["user-alice", false],
      ] as const) {
        const subject = { type: "role", id: role, properties: { ...properties, role: "admin", id: "staff" } };
        for (const more of [{}, { properties }])
          expect(await decide(subject, "read", { ...workspace, ...more }, properties)).toMatchObject({ decision });
      }
    });

    test("one's own token is asked about as a mapped subject, without acl:read", async () => {
      const own = { subject: { type: "device", id: device.accessor }, action: { name: "read" }, resource: r1 };
      const answer = await ask("/access/v1/evaluation", own, { token: device.secret });
      expect([answer.status, answer.body]).toEqual([200, { decision: true }]);
      const other = await ask("/access/v1/evaluation", { ...own, subject: alice }, { token: device.secret });
      expect(other.status).toBe(403);
    });

    test("a changed mapping decides from the answer of its write on", async () => {
      const lamp = { type: "lamp", id: "1" };
      expect(await decide(alice, "on", lamp)).toMatchObject({ decision: false });
      for (const [Segment, decision] of [
        ["records/${id}", true],
        ["none/${id}", false],
        ["records/${id}", true],
      ] as const) {
        const content = { ResourceTypes: [{ Type: "lamp", Actions: [entry("on", Segment)] }] };
        expect((await v1.put("/acl/decision-mapping/lamps", content)).status).toBe(200);
        expect(await decide(alice, "on", lamp)).toMatchObject({ decision });
      }
      await v1.delete("/acl/decision-mapping/lamps");
      expect(await decide(alice, "on", lamp)).toMatchObject({ decision: false });
    });

    test("mappings are for all namespaces of their partition, and for no other partition", async () => {
      const [namespace, partition] = [v1.unique("ns"), v1.unique("p")];
      await v1.put("/namespace", { Name: namespace });
      await v1.put("/partition", { Name: partition });
      for (const [query, decision] of [
        [`?ns=${namespace}`, true],
        [`?partition=${partition}`, false],
      ] as const) {
        const policy = await v1.put(`/acl/policy${query}`, { Name: "p", Rules: 'key "records/1" { policy = "read" }' });
        await v1.put(`/acl/role${query}`, { Name: "user-carol", Policies: [{ ID: policy.body.ID }] });
        const asked = { subject: { type: "user", id: "carol" }, action: { name: "read" }, resource: r1 };
        expect((await ask(`/access/v1/evaluation${query}`, asked)).body).toEqual({ decision });
      }
    });

    test("a denied, an unknown and an unmapped question cost the same statements", async () => {
      const route = { type: "route", id: "/users" };
      const nobody = { type: "user", id: "nobody" };
      for (const [one, other] of [
        [() => decide(nobody, "GET", route), () => decide(nobody, "sell", r1)],
        [() => decide(nobody, "GET", route), () => decide({ type: "member", id: "nobody" }, "read", r1)],
        [() => decide(alice, "GET", route), () => decide(alice, "sell", r1)],
        [() => decide(alice, "GET", route), () => decide(alice, "share", r1)],
      ] as const)
        await expectSameStatements(v1.db, one, other);
    });

    describe("searches", () => {
      const read = { name: "read" };
      const RULES = { context: { search: "rules" } };
      type Paged = { results: object[]; page: { next_token: string } };

      test("resources are IDs in names of exact rules, and the answer says so", async () => {
        const asked = { subject: alice, action: read, resource: { type: "record" } };
        const results = [r1, { type: "record", id: "2" }];
        expect(await find("resource", asked)).toEqual({ ...RULES, results });
        expect(await find("resource", { ...asked, action: { name: "write" } })).toEqual({ ...RULES, results: [r1] });
        expect(await find("resource", { ...asked, subject: { type: "user", id: "nobody" } })).toEqual({
          ...RULES,
          results: [],
        });
        const paged = await find("resource", { ...asked, page: { limit: 1 } });
        expect(Object.keys(paged)).toEqual(["page", "context", "results"]);
        expect(paged.results).toEqual([r1]);
        const shared = {
          ...asked,
          action: { name: "share" },
          resource: { type: "record", properties: { team: "web" } },
        };
        expect((await find("resource", shared)).results).toEqual([r1]);
        expect(await find("resource", { ...asked, action: { name: "share" } })).toEqual({ results: [] });
      });

      test("resources are found with the properties that an access needs, by the entry that decides, each once", async () => {
        const Actions = [
          entry("read", "cold/${id}", { Access: "read", Properties: { status: "archived" } }),
          entry("read", "docs/${id}", { Access: "read" }),
          // The entry before it matches whatever this one matches.
          entry("read", "hidden/${id}", { Access: "read", Properties: { kind: "x" } }),
        ];
        const docs = { ResourceTypes: [{ Type: "doc", Actions }] };
        expect((await v1.put("/acl/decision-mapping/docs", docs)).status).toBe(200);
        const names = ["cold/a", "cold/b", "docs/b", "docs/c", "hidden/d"];
        const policy = await v1.policy(names.map((name) => `key "${name}" { policy = "read" }`).join("\n"));
        await v1.role({ Name: "user-reader", Policies: [{ ID: policy }] });
        const subject = { type: "user", id: "reader" };
        const asked = { subject, action: read, resource: { type: "doc" } };
        const doc = (id: string, properties?: object) => ({ type: "doc", id, ...(properties && { properties }) });
        const results = [doc("b"), doc("c"), doc("a", { status: "archived" })];
        expect(await find("resource", asked)).toEqual({ ...RULES, results });
        for (const resource of results)
          expect(await decide(subject, "read", resource)).toMatchObject({ decision: true });
        const of = (status: string) => ({ ...asked, resource: { type: "doc", properties: { status } } });
        expect((await find("resource", of("archived"))).results).toEqual([doc("a"), doc("b")]);
        expect((await find("resource", of("active"))).results).toEqual([doc("b"), doc("c")]);
        const first = (await find("resource", { ...asked, page: { limit: 2 } })) as Paged;
        const second = await find("resource", { ...asked, page: { token: first.page.next_token } });
        expect([...first.results, ...second.results]).toEqual(results);
      });

      test("resources of a kind that is stored are found where they are stored", async () => {
        const asked = { subject: bob, action: { name: "open" }, resource: { type: "space" } };
        expect(await find("resource", asked)).toEqual({ results: [{ type: "space", id: "prod" }] });
        expect(await find("action", { subject: bob, resource: { type: "space", id: "gone" } })).toEqual({
          results: [],
        });
      });

      test("subjects are stored roles and tokens whose names the template makes", async () => {
        const asked = { subject: { type: "user" }, action: read, resource: r1 };
        expect(await find("subject", asked)).toEqual({ results: [alice, bob] });
        const archived = { type: "record", id: "2", properties: { status: "archived" } };
        const writers = { ...asked, action: { name: "write" }, resource: archived };
        expect(await find("subject", writers)).toEqual({ results: [bob] });
        const members = { ...asked, subject: { type: "member", properties: { team: "user" } } };
        expect((await find("subject", members)).results).toEqual(
          [alice, bob].map(({ id }) => ({ type: "member", id })),
        );
        const devices = await find("subject", { ...asked, subject: { type: "device" } });
        expect(devices.results).toContainEqual({ type: "device", id: device.accessor });
        for (const type of ["member", "person"])
          expect(await find("subject", { ...asked, subject: { type } })).toEqual({ results: [] });
      });

      test("actions are the mapped ones that the subject may do", async () => {
        const names = async (subject: object, resource: object) =>
          (await find("action", { subject, resource })).results.map((each) => (each as { name: string }).name);
        expect(await names(alice, r1)).toEqual(["read", "write"]);
        expect(await names(bob, { type: "record", id: "2", properties: { status: "archived" } })).toEqual([
          "read",
          "write",
        ]);
        expect(await names({ type: "user", id: "nobody" }, r1)).toEqual([]);
      });

      test("no prefix makes a resource known", async () => {
        const unknown = { type: "record", id: "never-written" };
        expect(await decide(bob, "read", unknown)).toMatchObject({ decision: true });
        expect((await find("subject", { subject: { type: "user" }, action: read, resource: unknown })).results).toEqual(
          [],
        );
        expect((await find("action", { subject: bob, resource: unknown })).results).toEqual([]);
      });
    });
  });
});
