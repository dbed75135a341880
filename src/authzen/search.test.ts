/** Searches of the decision point: every result is known, allowed and shown once, page by page. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { pointOf } from "../../test/support/decision-point.ts";
import { createSigningKey } from "../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../test/support/login.ts";
import { useV1 } from "../../test/support/v1.ts";

const R1 = { type: "key", id: "records/record-1" };
const read = { name: "read" };
const write = { name: "write" };

forEachEngine((_engine, makeUrl) => {
  describe("searches", () => {
    const v1 = useV1(makeUrl);
    const ask = pointOf(v1);
    const find = async (searched: string, body: object, token?: string) => {
      const answer = await ask(`/access/v1/search/${searched}`, body, token === undefined ? {} : { token });
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      return answer.body as { page?: { next_token: string; count: number }; results: Record<string, string>[] };
    };
    const alice = { type: "role", id: "alice" };
    const bob = { type: "role", id: "bob" };
    let accessor: string;

    beforeAll(async () => {
      const prefix = await v1.policy(
        `key_prefix "records/" { policy = "write" } organization_prefix "" { policy = "read" }`,
      );
      const exact = await v1.policy(
        `key "records/record-1" { policy = "read" } key "records/record-2" { policy = "deny" }`,
      );
      await v1.role({ Name: "alice", Policies: [{ ID: prefix }] });
      await v1.role({ Name: "bob", Policies: [{ ID: exact }] });
      ({ accessor } = await v1.token({ Roles: [{ Name: "alice" }] }));
      for (const name of ["acme", "beta"]) {
        const made = await v1.api("POST", "/organizations", {
          data: { type: "organizations", attributes: { name, email: "a@example.com" } },
        });
        expect(made.status).toBe(201);
        await v1.api("POST", `/organizations/${name}/workspaces`, {
          data: { type: "workspaces", attributes: { name: "prod" } },
        });
      }
    });

    test("subjects: roles and tokens that may, whatever ID the request has", async () => {
      const roles = { subject: { type: "role" }, action: read, resource: R1 };
      expect(await find("subject", roles)).toEqual({ results: [alice, bob] });
      expect(await find("subject", { ...roles, subject: { type: "role", id: "alice" } })).toEqual({
        results: [alice, bob],
      });
      expect(await find("subject", { ...roles, action: write })).toEqual({ results: [alice] });
      const { results } = await find("subject", { ...roles, subject: { type: "token" }, action: write });
      expect(results).toContainEqual({ type: "token", id: accessor });
    });

    test("resources: names of exact rules, and stored objects", async () => {
      const asked = { subject: alice, action: write, resource: { type: "key" } };
      expect(await find("resource", asked)).toEqual({
        results: [R1, { type: "key", id: "records/record-2" }],
      });
      expect(await find("resource", { ...asked, subject: bob, action: read })).toEqual({ results: [R1] });
      expect(await find("resource", { ...asked, action: read, resource: { type: "organization" } })).toEqual({
        results: [
          { type: "organization", id: "acme" },
          { type: "organization", id: "beta" },
        ],
      });
      const workspaces = await find("resource", { ...asked, action: read, resource: { type: "workspace" } });
      expect(workspaces.results.map(({ id }) => id)).toEqual(["acme/prod", "beta/prod"]);
    });

    test("stored objects are shown to callers who may read them, and about one's own token without acl:read", async () => {
      const asked = { subject: alice, action: read, resource: { type: "organization" } };
      const narrow = await v1.tokenWith(`acl = "read" organization "beta" { policy = "read" }`);
      expect((await find("resource", asked, narrow)).results).toEqual([{ type: "organization", id: "beta" }]);
      const { accessor: id, secret } = await v1.token({ Roles: [{ Name: "alice" }] });
      const own = { ...asked, subject: { type: "token", id } };
      expect((await find("resource", own, secret)).results).toHaveLength(2);
      const keys = { ...own, resource: { type: "key" } };
      expect((await ask("/access/v1/search/resource", keys, { token: secret })).status).toBe(403);
      expect(
        (
          await ask(
            "/access/v1/search/subject",
            { ...asked, subject: { type: "role" }, resource: R1 },
            { token: secret },
          )
        ).status,
      ).toBe(403);
    });

    test("actions: accesses of the subject to a known resource", async () => {
      expect(await find("action", { subject: bob, resource: R1 })).toEqual({
        results: [{ name: "list" }, read].slice(1),
      });
      expect((await find("action", { subject: alice, resource: R1, action: read })).results).toContainEqual(write);
      expect(await find("action", { subject: alice, resource: { type: "organization", id: "acme" } })).toEqual({
        results: [read],
      });
    });

    test("identities: those whose active tokens may, each once, by the names that evaluations know", async () => {
      const key = createSigningKey("k1");
      const method = v1.unique("ci");
      await makeMethod(v1, key, { Name: method });
      await makeRule(v1, { AuthMethod: method, BindType: "role", BindName: "alice", Selector: 'value.team == "a"' });
      await makeRule(v1, { AuthMethod: method, BindType: "role", BindName: "bob", Selector: 'value.team != "a"' });
      const accessors: Record<string, string[]> = {};
      for (const [sub, team] of [
        ["one", "a"],
        ["two", "b"],
        ["one", "b"],
        ["three", "a"],
        ["one", "a"],
      ]) {
        const { status, body } = await login(v1, method, bearer(key, { sub, team }));
        expect(status).toBe(200);
        (accessors[sub ?? ""] ??= []).push(body.AccessorID as string);
      }
      const asked = { subject: { type: "identity" }, action: write, resource: R1 };
      // Subjects of JWTs are named with their issuer.
      const named = (...subjects: string[]) =>
        subjects.map((sub) => ({ type: "identity", id: `${method}/["","${sub}"]` }));
      const inOrder = (results: Record<string, string>[]) =>
        results.toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1));
      const { results } = await find("subject", asked);
      expect(inOrder(results)).toEqual(named("one", "three"));
      expect(inOrder((await find("subject", { ...asked, action: read })).results)).toEqual(
        named("one", "three", "two"),
      );
      // Each leads to a permit.
      for (const subject of results)
        expect((await ask("/access/v1/evaluation", { ...asked, subject })).body).toEqual({ decision: true });
      const first = await find("subject", { ...asked, page: { limit: 1 } });
      const second = await find("subject", { ...asked, page: { token: first.page?.next_token } });
      expect([...first.results, ...second.results]).toEqual(results);
      expect(second.page?.next_token).toBe("");
      // Disabled and deleted tokens are none.
      for (const id of accessors["three"] ?? []) expect((await v1.put(`/acl/token/${id}/disable`)).status).toBe(200);
      for (const id of accessors["one"] ?? []) await v1.delete(`/acl/token/${id}`);
      expect((await find("subject", asked)).results).toEqual([]);
      const mapping = { SubjectTypes: [{ Type: "person", As: "identity", Template: `${method}/\${id}` }] };
      expect((await v1.put("/acl/decision-mapping/people", mapping)).status).toBe(200);
      const people = { ...asked, subject: { type: "person" }, action: read };
      expect((await find("subject", people)).results).toEqual([{ type: "person", id: '["","two"]' }]);
      // A method of another namespace has none here.
      const namespace = v1.unique("ns");
      expect((await v1.put("/namespace", { Name: namespace })).status).toBe(200);
      expect((await ask(`/access/v1/search/subject?ns=${namespace}`, asked)).body).toEqual({ results: [] });
    });

    test("tokens of an identity in other namespaces neither count nor take the places of those that do", async () => {
      const key = createSigningKey("k2");
      const elsewhere = v1.unique("ns");
      expect((await v1.put("/namespace", { Name: elsewhere })).status).toBe(200);
      const Name = v1.unique("placed");
      const NamespaceRules = [{ Selector: 'value.team == "far"', BindNamespace: elsewhere }];
      await makeMethod(v1, key, { Name, NamespaceRules });
      await makeRule(v1, { AuthMethod: Name });
      for (const team of ["near", ...Array.from({ length: 17 }, () => "far")])
        expect((await login(v1, Name, bearer(key, { sub: "one", team }))).status).toBe(200);
      const subject = { type: "identity", id: `${Name}/["","one"]` };
      const asked = { subject, action: write, resource: { type: "service", id: "web" } };
      expect((await ask("/access/v1/evaluation", asked)).body).toEqual({ decision: true });
    });

    test("what is not known is never found, though a prefix allows it", async () => {
      const unknown = { type: "key", id: "records/never-written" };
      const nothing = { results: [] };
      expect((await ask("/access/v1/evaluation", { subject: alice, action: read, resource: unknown })).body).toEqual({
        decision: true,
      });
      expect(await find("subject", { subject: { type: "role" }, action: read, resource: unknown })).toEqual(nothing);
      expect(await find("action", { subject: alice, resource: unknown })).toEqual(nothing);
      expect(await find("action", { subject: { type: "role", id: "nobody" }, resource: R1 })).toEqual(nothing);
      expect(await find("subject", { subject: { type: "spaceship" }, action: read, resource: R1 })).toEqual(nothing);
      expect(await find("resource", { subject: alice, action: read, resource: { type: "spaceship" } })).toEqual(
        nothing,
      );
      expect(
        await find("resource", { subject: { type: "role", id: "nobody" }, action: read, resource: { type: "key" } }),
      ).toEqual(nothing);
      const missing = { type: "organization", id: "gone" };
      expect(await find("action", { subject: alice, resource: missing })).toEqual(nothing);
      expect(await find("action", { subject: alice, resource: { type: "workspace", id: "acme/gone" } })).toEqual(
        nothing,
      );
    });

    test.each([
      ["subject", { subject: { type: "role" }, action: read, resource: R1 }, 2],
      ["resource", { subject: alice, action: write, resource: { type: "key" } }, 2],
      ["resource", { subject: alice, action: read, resource: { type: "workspace" } }, 2],
      ["action", { subject: alice, resource: R1 }, 4],
    ])("pages of one %s of %j have all, each once, and the last one ends", async (searched, body, count) => {
      const whole = (await find(searched, body)).results;
      expect(whole).toHaveLength(count);
      const found: unknown[] = [];
      let token: string | undefined;
      for (let pages = 0; token !== ""; pages++) {
        expect(pages).toBeLessThan(10);
        const page = token === undefined ? { limit: 1 } : { token };
        const answer = await find(searched, { ...body, page: { ...page, other: true } });
        expect(Object.keys(answer)[0]).toBe("page");
        expect(answer.page?.count).toBe(answer.results.length);
        found.push(...answer.results);
        token = answer.page?.next_token;
      }
      expect(found).toEqual(whole);
    });

    test("a token of another search, or none of this server's, is 400", async () => {
      const body = { subject: { type: "role" }, action: read, resource: R1 };
      const { page } = await find("subject", { ...body, page: { limit: 1 } });
      const token = page?.next_token;
      for (const bad of [
        { ...body, action: write, page: { token } },
        { ...body, page: { token, limit: 2 } },
        { ...body, page: { token: "nonsense" } },
        { ...body, page: { token: Buffer.from('["x",1,"\\ud800"]').toString("base64url") } },
        { ...body, page: { limit: -1 } },
        { ...body, page: { limit: "1" } },
        { ...body, page: [] },
        { ...body, subject: {} },
        { ...body, resource: { type: "key" } },
        { ...body, action: undefined },
      ]) {
        const answer = await ask("/access/v1/search/subject", bad);
        expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String) }]);
      }
    });
  });
});
