import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeIn, makeMethodIn, makeNamespace, METHOD, secretIn } from "../../../test/support/scopes.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

interface Entry {
  Kind: string;
  ID: string;
  Name?: string;
  DecidedBy: string;
  Policies: { ID: string; Name: string }[];
  Selector?: string;
}

const RULES = [
  'workspace "acme/prod" { policy = "write" }',
  'workspace "acme/prod" { policy = "deny" }',
  'workspace_prefix "acme/" { policy = "read" }',
  'organization "acme" { policy = "write" }',
  'key_prefix "a" { policy = "write" }',
  'key "a/b" { policy = "deny" }',
  'namespace "team" { key "a/b" { policy = "read" } acl = "read" }',
  'service_prefix "" { policy = "read" }',
  'service "web" { policy = "write" }',
  'operator = "write"',
];
const QUESTIONS = [
  { Resource: "workspace", Segment: "acme/prod", Access: "write" },
  { Resource: "workspace", Segment: "acme/prod", Access: "read" },
  { Resource: "key", Segment: "a/b", Access: "read" },
  { Resource: "key", Segment: "a/b", Access: "read", Namespace: "team" },
  { Resource: "service", Segment: "web", Access: "write" },
  { Resource: "service", Segment: "web", Access: "read", Namespace: "team" },
  { Resource: "intention", Segment: "*", Access: "read" },
  { Resource: "namespace", Segment: "team", Access: "read" },
  { Resource: "acl", Segment: "", Access: "read", Namespace: "team" },
];
const random = randomOfRun();
const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.25);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    const policies: string[] = [];
    for (const rules of RULES) policies.push(await v1.policy(rules));
    const roles: string[] = [];
    for (let count = 0; count < 6; count++) {
      roles.push(await v1.role({ Name: v1.unique("role"), Policies: some(policies).map((ID) => ({ ID })) }));
    }
    for (let count = 0; count < 25; count++) {
      const ServiceIdentities = random() < 0.2 ? [{ ServiceName: "web" }] : [];
      const Policies = some(policies).map((ID) => ({ ID }));
      const made = await v1.token({ Policies, Roles: some(roles).map((ID) => ({ ID })), ServiceIdentities });
      tokens.set(made.accessor, made.secret);
    }
    await v1.put("/namespace/team", { ACLs: { PolicyDefaults: [{ ID: policies[6] }, { ID: policies[8] }] } });
    for (const place of [{ ServiceIdentities: [{ ServiceName: "web" }] }, {}]) {
      const { AccessorID, SecretID } = (await makeIn(v1, { namespace: "team" }, "token", place)) as Record<
        string,
        string
      >;
      tokens.set(String(AccessorID), String(SecretID));
    }
  });
  const ask = async (query: string, token = MANAGEMENT) => {
    const answer = await v1.get(`/acl/access?${query}`, token);
    expect(answer.status, answer.text).toBe(200);
    return { ...answer, entries: answer.body as Entry[], next: answer.headers["x-service-next"] as string | undefined };
  };
  const queryOf = ({
    Resource,
    Segment,
    Access,
    Namespace = "default",
  }: {
    Resource: string;
    Segment: string;
    Access: string;
    Namespace?: string;
  }) => new URLSearchParams({ resource: Resource, segment: Segment, access: Access, ns: Namespace }).toString();

  describe("the list of who may", () => {
    test.each(QUESTIONS)("has just the tokens that authorize allows: %j", async (question) => {
      const wanted: string[] = [];
      for (const [accessor, secret] of tokens) {
        const { body } = await v1.post("/acl/authorize", [question], secret);
        if ((body as { Allow: boolean }[])[0]?.Allow === true) wanted.push(accessor);
      }
      const { entries } = await ask(`${queryOf(question)}&kind=token&page-size=1000`);
      const found = entries.map(({ ID }) => ID).filter((id) => tokens.has(id));
      expect(found.toSorted()).toEqual(wanted.toSorted());
    });

    test.each([1, 3, 1000])("comes whole in pages of %i, each entry once", async (size) => {
      const query = queryOf({ Resource: "key", Segment: "a/b", Access: "read", Namespace: "team" });
      const whole = (await ask(`${query}&page-size=1000`)).entries;
      const found: Entry[] = [];
      let after = "";
      do {
        const page = await ask(`${query}&page-size=${size}${after && `&after=${after}`}`);
        expect(page.entries.length).toBeLessThanOrEqual(size);
        found.push(...page.entries);
        after = page.next ?? "";
      } while (after !== "");
      expect(found).toEqual(whole);
      expect(new Set(found.map(({ ID }) => ID)).size).toBe(found.length);
    });

    test("has roles, and binding rules with their condition, which the identity may decide", async () => {
      await makeMethodIn(v1, {});
      const policy = await v1.policy('session "here" { policy = "write" }');
      const Name = v1.unique("sessions");
      const role = await v1.role({ Name, Policies: [{ ID: policy }] });
      const rule = async (more: object) =>
        ((await v1.put("/acl/binding-rule", { AuthMethod: METHOD, BindType: "role", ...more })).body as { ID: string })
          .ID;
      const Selector = 'value.team == "a"';
      const literal = await rule({ BindName: Name, Selector });
      const computed = await rule({ BindName: "${value.team}" });
      const other = await rule({ BindName: "nobody" });
      const { entries } = await ask("resource=session&segment=here&access=write");
      const of = (id: string) => entries.find(({ ID }) => ID === id);
      expect(of(role)).toMatchObject({ Kind: "role", Name, Policies: [{ ID: policy }] });
      expect(of(literal)).toMatchObject({
        Kind: "binding-rule",
        Selector,
        DecidedBy: "direct",
        Policies: [{ ID: policy }],
      });
      expect(of(computed)).toMatchObject({ DecidedBy: "computed" });
      expect(of(other)).toBeUndefined();
      // Subjects with certain access come first.
      const { accessor } = await v1.token({ Roles: [{ ID: role }] });
      const kinds = (await ask("resource=session&segment=here&access=write")).entries.map(({ Kind, ID }) => [Kind, ID]);
      const at = (id: string) => kinds.findIndex(([, each]) => each === id);
      expect([at(role) < at(accessor), at(accessor) < at(literal)]).toEqual([true, true]);
    });

    test("incident 85: of rules that compute what they give it has those that can give just this", async () => {
      await makeMethodIn(v1, {});
      await makeNamespace(v1, { namespace: "crews" });
      await makeMethodIn(v1, { namespace: "crews" });
      const rules: Record<string, string> = {};
      for (const [namespace, BindType, BindName, more] of [
        ["default", "service", "crew-${value.team}", {}],
        ["default", "node", "rack-${value.team}", {}],
        ["default", "role", "crew-${value.team}", {}],
        ["default", "policy", "crew-${value.team}", {}],
        ["default", "templated-policy", "builtin/dns", {}],
        ["default", "templated-policy", "builtin/service", { BindVars: { Name: "${value.team}-web" } }],
        ["crews", "service", "crew-${value.team}", {}],
        ["crews", "role", "crew-${value.team}", {}],
      ] as const) {
        const content = { AuthMethod: METHOD, BindType, BindName, ...more };
        const { body, text } = await v1.put(`/acl/binding-rule?ns=${namespace}`, content);
        rules[`${namespace} ${BindType} ${BindName}`] = (body as { ID?: string } | undefined)?.ID ?? text;
      }
      const found = async (query: string) => {
        const { entries } = await ask(`${query}&kind=binding-rule&page-size=1000`);
        const ids = new Set(entries.map(({ ID }) => ID));
        return Object.keys(rules).filter((name) => ids.has(rules[name] ?? ""));
      };
      const [service, node, role, policy, web] = [
        "default service crew-${value.team}",
        "default node rack-${value.team}",
        "default role crew-${value.team}",
        "default policy crew-${value.team}",
        "default templated-policy builtin/service",
      ] as const;
      const dns = "default templated-policy builtin/dns";
      const [crewsService, crewsRole] = ["crews service crew-${value.team}", "crews role crew-${value.team}"];
      const anything = [role, policy];
      expect(await found("resource=workspace&segment=acme/free&access=write")).toEqual(anything);
      expect(await found("resource=organization&segment=free&access=read")).toEqual(anything);
      expect(await found("resource=key&segment=free&access=write")).toEqual(anything);
      expect(await found("resource=service&segment=crew-red&access=write")).toEqual([service, role, policy]);
      expect(await found("resource=service&segment=crew-red-sidecar-proxy&access=write")).toEqual([
        service,
        role,
        policy,
      ]);
      expect(await found("resource=service&segment=red-web&access=write")).toEqual([role, policy, web]);
      expect(await found("resource=service&segment=x&access=write")).toEqual(anything);
      expect(await found("resource=node&segment=rack-7&access=write")).toEqual([node, role, policy]);
      expect(await found("resource=query&segment=free&access=read")).toEqual([role, policy, dns]);
      expect(await found("resource=node&segment=other&access=read")).toEqual(
        [service, node, role, policy, dns, web, crewsService, crewsRole].filter((each) => each !== node),
      );
      expect(await found("resource=key&segment=free&access=write&ns=crews")).toEqual([role, policy, crewsRole]);
      expect(await found("resource=service&segment=crew-red&access=write&ns=crews")).toEqual([
        role,
        policy,
        crewsService,
        crewsRole,
      ]);
    });

    test("shows who may read one namespace those of that one, and hides the policies of its defaults", async () => {
      const reader = await secretIn(v1, { namespace: "team" }, 'acl = "read"');
      const { entries, headers, text } = await ask(
        "resource=key&segment=a/b&access=read&ns=team&page-size=1000",
        reader,
      );
      expect(entries.length).toBeGreaterThan(0);
      expect(headers["x-service-results-filtered-by-acls"]).toBe("true");
      for (const { ID, Policies } of entries) {
        expect((await v1.get(`/acl/token/${ID}?ns=team`)).status).toBe(200);
        expect(Policies).toEqual([{ ID: "hidden", Name: "hidden" }]);
      }
      for (const accessor of [...tokens.keys()].slice(0, 25)) expect(text).not.toContain(accessor);
    });

    test("is refused without acl:read, for what cannot be asked, and to cursors that are none", async () => {
      const stranger = await v1.tokenWith('key "a" { policy = "read" }');
      expect((await v1.get("/acl/access?resource=acl&access=read", stranger)).status).toBe(403);
      for (const query of ["", "resource=x&access=read", "resource=acl&access=x", "resource=acl&access=read&kind=x"]) {
        expect((await v1.get(`/acl/access?${query}`)).status, query).toBe(400);
      }
      const forged = Buffer.from('["token","default","\\u0000"]').toString("hex");
      for (const after of ["x", "00", forged, Buffer.from('["x"]').toString("hex"), "7b7d"]) {
        expect((await v1.get(`/acl/access?resource=acl&access=read&after=${after}`)).status).toBe(400);
      }
    });
  });
});
