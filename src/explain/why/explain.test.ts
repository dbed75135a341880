import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { loginIn, makeIn, makeMethodIn, makeNamespace, METHOD, secretIn } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

interface Step {
  ID: string;
  Name: string;
  Places?: { Line: number; Column: number }[];
  Links: { Kind: string; Name?: string; Role?: string; BindingRules?: { ID: string }[] }[];
}
interface Shown {
  Resource?: string;
  Segment?: string;
  Access?: string;
  Allow?: boolean;
  DecidedBy?: string;
  Rule?: { Resource: string; Segment: string; Policy: string };
  Path?: Step[];
  Wanted?: { Rules?: string; Overruled?: boolean; Roles: { ID: string; Name: string }[]; RolesComplete: boolean };
}

const WRITE_PROD = { Resource: "workspace", Segment: "acme/prod", Access: "write" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const explain = async (body: object, query = "", token = MANAGEMENT) => {
    const answer = await v1.post(`/acl/explain${query}`, body, token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Answers: Shown[]; Refusal?: string; AccessorID?: string };
  };
  const one = async (body: object, question: object, query = "", token = MANAGEMENT): Promise<Shown> => {
    const [first] = (await explain({ ...body, Questions: [question] }, query, token)).Answers;
    if (first === undefined) throw new Error("no answer");
    return first;
  };

  describe("an explanation", () => {
    test("leads from the token over its role and policy to the rule, with line and column", async () => {
      const Name = v1.unique("writers");
      const policy = await v1.policy('acl = "read"\nworkspace_prefix "Acme/" {\n  policy = "write"\n}', Name);
      const role = v1.unique("role");
      const roleId = await v1.role({ Name: role, Policies: [{ ID: policy }] });
      const { accessor } = await v1.token({ Roles: [{ ID: roleId }] });
      const answer = await one({ AccessorID: accessor }, WRITE_PROD);
      expect(answer).toMatchObject({
        ...WRITE_PROD,
        Allow: true,
        DecidedBy: "direct",
        Rule: { Resource: "workspace", Segment: "acme/", Prefix: true, Policy: "write" },
        Path: [
          { ID: policy, Name, Places: [{ Line: 2, Column: 18 }], Links: [{ Kind: "role", ID: roleId, Name: role }] },
        ],
      });
      expect(answer.Wanted).toBeUndefined();
      expect(await one({ RoleName: role }, WRITE_PROD)).toMatchObject({ Allow: true, Path: [{ ID: policy }] });
    });

    test("of a refusal names the smallest rule that would allow it, which does, and a role that holds it", async () => {
      const readers = await v1.policy('organization "acme" { policy = "read" }');
      const writers = v1.unique("a-writers");
      const roleId = await v1.role({
        Name: writers,
        Policies: [{ ID: await v1.policy('workspace "acme/prod" { policy = "write" }') }],
      });
      const { accessor, secret } = await v1.token({ Policies: [{ ID: readers }] });
      const { Allow, Rule, Wanted } = await one({ AccessorID: accessor }, WRITE_PROD);
      expect([Allow, Rule?.Resource]).toEqual([false, "organization"]);
      expect(Wanted).toMatchObject({ RolesComplete: true });
      expect(Wanted?.Roles).toContainEqual({ ID: roleId, Name: writers });
      expect((await v1.post("/acl/authorize", [WRITE_PROD], secret)).body).toMatchObject([{ Allow: false }]);
      const added = await v1.policy(Wanted?.Rules ?? "");
      await v1.put(`/acl/token/${accessor}`, { Policies: [{ ID: readers }, { ID: added }] });
      expect((await v1.post("/acl/authorize", [WRITE_PROD], secret)).body).toMatchObject([{ Allow: true }]);
    });

    test("passes over a role that has grown past what any token may have", async () => {
      const many = (prefix: string) =>
        Array.from({ length: 12_000 }, (_, index) => `key "${prefix}${index}" { policy = "read" }`).join("\n");
      const [half, grown] = [await v1.policy(many("a")), await v1.policy("")];
      const name = v1.unique("a-much");
      await v1.role({ Name: name, Policies: [{ ID: half }, { ID: grown }] });
      expect((await v1.patch(`/acl/policy/${grown}`, { Rules: many("b") })).status).toBe(200);
      const { accessor } = await v1.token({});
      const { Allow, Wanted } = await one({ AccessorID: accessor }, { ...WRITE_PROD, Segment: "acme/other" });
      expect([Allow, Wanted?.Roles.some(({ Name }) => Name === name)]).toEqual([false, false]);
    });

    test("says that a deny has to go before any rule counts", async () => {
      const denied = await v1.policy('workspace "acme/prod" { policy = "deny" }');
      const { accessor } = await v1.token({ Policies: [{ ID: denied }] });
      expect((await one({ AccessorID: accessor }, WRITE_PROD)).Wanted).toMatchObject({ Overruled: true, Roles: [] });
    });

    test("names what no policy of a namespace can allow by no rule", async () => {
      await makeNamespace(v1, { namespace: "tenant" });
      const made = await v1.put("/acl/token?ns=tenant", {});
      const { AccessorID } = made.body as { AccessorID: string };
      const { Wanted } = await one({ AccessorID }, WRITE_PROD, "?ns=tenant");
      expect(Wanted?.Rules).toBeUndefined();
      const key = { Resource: "key", Segment: "a", Access: "read", Namespace: "tenant" };
      expect((await one({ AccessorID }, key, "?ns=tenant")).Wanted?.Rules).toBe('key "a" {\n  policy = "read"\n}');
    });

    test("decides as authorize does, whatever is asked", async () => {
      const policy = await v1.policy(
        'key_prefix "a" { policy = "list" }\nservice "w" { policy = "write" }\nmesh = "read"',
      );
      const { accessor, secret } = await v1.token({
        Policies: [{ ID: policy }],
        NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }],
      });
      const Questions = ["key", "service", "intention", "node", "mesh", "acl", "operator", "namespace"].flatMap(
        (Resource) =>
          ["read", "write"].flatMap((Access) => ["a", "w", "n"].map((Segment) => ({ Resource, Segment, Access }))),
      );
      const { Answers } = await explain({ AccessorID: accessor, Questions });
      const { body } = await v1.post("/acl/authorize", Questions, secret);
      expect(Answers.map(({ Allow }) => Allow)).toEqual((body as { Allow: boolean }[]).map(({ Allow }) => Allow));
    });

    test("leads over the binding rule of the login that gave it, and of a login that is only thought of", async () => {
      await makeMethodIn(v1, {});
      const Name = v1.unique("bound");
      await v1.role({ Name, Policies: [{ ID: await v1.policy('key "k" { policy = "read" }') }] });
      const Selector = 'value.team == "explained"';
      const rule = await v1.put("/acl/binding-rule", {
        AuthMethod: METHOD,
        BindType: "role",
        BindName: Name,
        Selector,
      });
      const { ID } = rule.body as { ID: string };
      const { AccessorID } = await loginIn(v1, {}, { team: "explained" });
      const question = { Resource: "key", Segment: "k", Access: "read" };
      const wanted = { Allow: true, Path: [{ Links: [{ Kind: "role", Name, BindingRules: [{ ID, Selector }] }] }] };
      expect(await one({ AccessorID }, question)).toMatchObject(wanted);
      const Identity = { value: { team: "explained" } };
      expect(await one({ AuthMethod: METHOD, Identity }, question)).toMatchObject(wanted);
      const refused = await explain({
        AuthMethod: METHOD,
        Identity: { value: { team: "none" } },
        Questions: [question],
      });
      expect(refused.Refusal).toBeTruthy();
      expect(refused.Answers).toMatchObject([{ Allow: false, DecidedBy: "login" }]);
    });

    test("hides each element that lies where the caller may not read", async () => {
      await makeNamespace(v1, { namespace: "given" });
      const hiddenName = v1.unique("concealed");
      const role = v1.unique("concealed-role");
      const inner = `namespace "given" { key "concealed-key" { policy = "write" } }`;
      const policy = await v1.policy(inner, hiddenName);
      await v1.role({ Name: role, Policies: [{ ID: policy }] });
      await v1.put("/namespace/given", { ACLs: { RoleDefaults: [{ Name: role }] } });
      const { body } = await v1.put("/acl/token?ns=given", {});
      const { AccessorID } = body as { AccessorID: string };
      const local = await v1.put("/acl/policy?ns=given", { Name: "local", Rules: 'acl = "read"' });
      const reader = await v1.put("/acl/token?ns=given", { Policies: [{ ID: (local.body as { ID: string }).ID }] });
      const question = { Resource: "key", Segment: "concealed-key", Access: "read", Namespace: "given" };
      const mine = await one({ AccessorID }, question, "?ns=given");
      expect(mine).toMatchObject({
        Allow: true,
        DecidedBy: "default",
        Path: [{ Name: hiddenName, Links: [{ Role: role }] }],
      });
      const theirs = await one({ AccessorID }, question, "?ns=given", (reader.body as { SecretID: string }).SecretID);
      expect(theirs).toMatchObject({
        Allow: true,
        Path: [{ ID: "hidden", Name: "hidden", Links: [{ Role: "hidden" }] }],
      });
      expect(theirs.Rule).toBeUndefined();
      for (const text of [hiddenName, role, policy]) expect(JSON.stringify(theirs)).not.toContain(text);
    });

    test("hides the auth method of a login that lies where the caller may not read", async () => {
      const place = { namespace: v1.unique("logged-in") };
      await makeNamespace(v1, place);
      const Name = v1.unique("concealed-method");
      await makeMethodIn(v1, {}, { Name, NamespaceRules: [{ BindNamespace: place.namespace }] });
      await makeIn(v1, {}, "binding-rule", { AuthMethod: Name });
      const { AccessorID } = await loginIn(v1, {}, {}, Name);
      const reader = await secretIn(v1, place, 'acl = "read"');
      const body = { AccessorID, Questions: [{ Resource: "key", Segment: "k", Access: "read" }] };
      const query = `?ns=${place.namespace}`;
      expect(await explain(body, query)).toMatchObject({ AuthMethod: Name });
      const theirs = await explain(body, query, reader);
      expect(theirs).toMatchObject({ AuthMethod: "hidden" });
      expect(JSON.stringify(theirs)).not.toContain(Name);
    });
  });

  describe("what is not explained", () => {
    test("is refused without acl:read, whoever is asked about and whether they are there", async () => {
      const stranger = await v1.tokenWith('key "a" { policy = "read" }');
      const texts = [];
      for (const AccessorID of [`${RESERVED}02`, NOBODY]) {
        const answer = await v1.post("/acl/explain", { AccessorID, Questions: [WRITE_PROD] }, stranger);
        expect(answer.status).toBe(403);
        texts.push(answer.text);
      }
      expect(texts[0]).toBe(texts[1]);
      expect((await v1.post("/acl/explain", { AccessorID: NOBODY })).status).toBe(404);
    });

    test.each([
      [{}, 400],
      [{ AccessorID: NOBODY, RoleName: "x" }, 400],
      [{ AccessorID: NOBODY, Rules: "" }, 400],
      [{ Rules: 'key "a" {' }, 400],
      [{ AccessorID: "x" }, 404],
      [{ RoleName: "none" }, 404],
    ])("is %j", async (body, status) => {
      expect((await v1.post("/acl/explain", body)).status).toBe(status);
    });

    test("are questions that nobody understands, and more than 64", async () => {
      const { accessor: AccessorID } = await v1.token({});
      for (const question of [
        { Resource: "nonsense", Access: "read" },
        { Request: "PATCH nowhere" },
        { Request: "GET /x" },
      ]) {
        expect((await v1.post("/acl/explain", { AccessorID, Questions: [question] })).status).toBe(400);
      }
      const Questions = Array.from({ length: 65 }, () => WRITE_PROD);
      expect((await v1.post("/acl/explain", { AccessorID, Questions })).status).toBe(400);
    });
  });

  describe("a method and path", () => {
    let workspace = "";
    beforeAll(async () => {
      const attributes = { name: "pathed", email: "a@example.com" };
      await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } }, MANAGEMENT);
      const body = { data: { type: "workspaces", attributes: { name: "prod" } } };
      const made = await v1.api("POST", "/organizations/pathed/workspaces", body, MANAGEMENT);
      workspace = (made.body as { data: { id: string } }).data.id;
    });

    const ask = (method: "GET" | "PATCH" | "PUT" | "DELETE", url: string, secret: string) => {
      const path = url.replace(/^\/(api\/v2|v1)/, "");
      if (method === "PUT") return v1.put(path, {}, secret);
      if (url.startsWith("/v1")) return method === "GET" ? v1.get(path, secret) : v1.delete(path, secret);
      const body = { data: { type: "workspaces", attributes: { name: "other" } } };
      return v1.api(method, path, method === "PATCH" ? body : undefined, secret);
    };

    test("ask just what the request itself is refused for", async () => {
      const { accessor: AccessorID, secret } = await v1.token({});
      const requests = [
        ["GET", `/api/v2/workspaces/${workspace}`],
        ["PATCH", `/api/v2/workspaces/${workspace}`],
        ["DELETE", "/api/v2/organizations/pathed/workspaces/prod"],
        ["GET", "/api/v2/organizations/pathed"],
        ["GET", "/api/v2/organizations/pathed/tags"],
        ["DELETE", "/api/v2/organizations/pathed"],
        ["GET", "/v1/acl/tokens"],
        ["DELETE", `/v1/acl/policy/${NOBODY}`],
        ["GET", "/v1/acl/roles"],
        ["PUT", "/v1/partition/x"],
        ["GET", "/v1/namespace/default"],
      ] as const;
      for (const [method, url] of requests) {
        v1.log.length = 0;
        const { status } = await ask(method, url, secret);
        expect([403, 404], `${method} ${url}`).toContain(status);
        const asked = v1.log
          .map((line) => JSON.parse(line) as { refused?: Record<string, string> })
          .find(({ refused }) => refused)?.refused;
        const { Resource, Segment = "", Access, Allow } = await one({ AccessorID }, { Request: `${method} ${url}` });
        expect({ method, url, resource: Resource, segment: Segment, access: Access }).toEqual({
          method,
          url,
          resource: asked?.["resource"],
          segment: asked?.["segment"] ?? "",
          access: asked?.["access"],
        });
        expect(Allow).toBe(false);
      }
    });

    test("of what the caller may not see are those of what is not there", async () => {
      const { accessor: AccessorID } = await v1.token({});
      const reader = await v1.tokenWith('acl = "read"');
      const shown = [];
      for (const id of [workspace, `ws-${"x".repeat(16)}`]) {
        const answer = await one({ AccessorID }, { Request: `PATCH /api/v2/workspaces/${id}` }, "", reader);
        shown.push(JSON.stringify(answer).replace(id, ""));
      }
      expect(shown[0]).toBe(shown[1]);
      expect(shown[0]).not.toContain("Allow");
    });
  });
});
