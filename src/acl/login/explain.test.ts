/** Tests explanations of logins, with their reasons: `POST /v1/acl/login/explain`. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { countsIn } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { makeIn, makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const NOT_ONE = "Set exactly one of BearerToken and Identity";
const LACKS = /^Permission denied: token with AccessorID '[^']+' lacks permission 'acl:read'$/;

/** Literals that are no identities of a method with mapped claims. */
const BAD_LITERALS: readonly [identity: unknown, text: string][] = [
  [{ value: "a" }, "identity.value must be an object"],
  [{ value: { team: 1 } }, "identity.value.team must be a string"],
  [{ value: { team: ["a"] } }, "identity.value.team must be a string"],
  [{ list: { groups: "a" } }, "identity.list.groups must be a list of strings"],
  [{ list: { groups: ["a", 1] } }, "identity.list.groups.1 must be a string"],
  [{ serviceaccount: {} }, "identity.serviceaccount is not a field of the identity"],
  [JSON.parse('{"__proto__": {}}'), "identity.__proto__ is not a field of the identity"],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { ...UNLIMITED_LOGINS, outboundAllow: ["127.0.0.0/8"] } });
  const explain = (content: object, token?: string): Promise<Answer> => v1.post("/acl/login/explain", content, token);
  const rules: Record<string, string> = {};

  beforeAll(async () => {
    await makeMethod(v1, key, { Name: "Web", MaxTokenTTL: "1h" });
    await v1.role({ Name: "Deployers" });
    const given: Record<string, object> = {
      matched: { Selector: 'value.team == "a" and "ops" in list.groups', BindType: "role", BindName: "deployers" },
      unmatched: { Selector: 'value.team == "b"', BindName: "other" },
      absent: { Selector: 'value.name matches "x"', BindName: "other" },
      everybody: { BindName: "web" },
      missing: { BindType: "role", BindName: "no-${value.team}-role" },
      barred: { BindType: "policy", BindName: "global-${value.name}", Selector: 'value.name == "management"' },
      broken: { BindName: "${value.name}", Selector: 'value.team == "broken"' },
      failing: { BindName: "x", Selector: 'value.name matches "(?:.*a){500}c"' },
    };
    for (const [name, rule] of Object.entries(given)) rules[name] = await makeRule(v1, { AuthMethod: "web", ...rule });
  });

  const verdicts = ({ body, text }: Answer): Record<string, { Verdict: string; Reason: string }> => {
    expect(body?.Rules, text).toHaveLength(Object.keys(rules).length);
    const ids = (body.Rules as { ID: string }[]).map(({ ID }) => ID);
    expect(ids).toEqual(ids.toSorted());
    const named = Object.entries(rules).map(([name, id]) => [name, body.Rules[ids.indexOf(id)]] as const);
    return Object.fromEntries(named);
  };

  describe("what it takes", () => {
    test("acl:read where the method lies, before anything else is said", async () => {
      const none = await v1.tokenWith('service_prefix "" { policy = "write" }');
      for (const content of [{}, { AuthMethod: "web", Identity: {} }, { AuthMethod: "nobody", Identity: {} }]) {
        const answer = await explain(content, none);
        expect(answer.status).toBe(403);
        expect(answer.text).toMatch(LACKS);
      }
      const anonymous = await explain({ AuthMethod: "web", Identity: {} }, "");
      expect(anonymous.status).toBe(403);
      expect(anonymous.text).toMatch(/^Permission denied: anonymous token lacks permission 'acl:read'\./);
      expect(await explain({ AuthMethod: "web", Identity: {} }, NOBODY)).toMatchObject({
        status: 403,
        text: "ACL not found",
      });
      const reader = await v1.tokenWith('acl = "read"');
      expect((await explain({ AuthMethod: "web", Identity: {} }, reader)).status).toBe(200);
      await makeNamespace(v1, { namespace: "closed" });
      const elsewhere = await secretIn(v1, { namespace: "closed" }, 'acl = "read"');
      expect((await explain({ AuthMethod: "web", Identity: {}, Namespace: "default" }, elsewhere)).status).toBe(403);
    });

    test("a method that there is", async () => {
      const text = 'cannot find auth method with name "nobody"';
      expect(await explain({ AuthMethod: "nobody", Identity: {} })).toMatchObject({ status: 404, text });
      expect((await explain({ Identity: {} })).status).toBe(404);
      expect((await explain({ AuthMethod: "web", Identity: {}, Namespace: "closed" })).status).toBe(404);
    });

    test("exactly one of BearerToken and Identity", async () => {
      expect(await explain({ AuthMethod: "web" })).toMatchObject({ status: 400, text: NOT_ONE });
      const both = { AuthMethod: "web", BearerToken: "x", Identity: {} };
      expect(await explain(both)).toMatchObject({ status: 400, text: NOT_ONE });
    });

    test.each(BAD_LITERALS)("an identity such as the method has, not %j", async (Identity, text) => {
      expect(await explain({ AuthMethod: "web", Identity })).toMatchObject({ status: 400, text });
    });

    test("a body that can be read", async () => {
      const cases: [body: string, text: string][] = [
        ['{"X": 1}', 'Failed to decode request body: json: unknown field "X"'],
        ["", "Failed to decode request body: EOF"],
      ];
      for (const [body, text] of cases)
        expect(await v1.post("/acl/login/explain", body)).toMatchObject({ status: 400, text });
      const long = { AuthMethod: "web", BearerToken: "x".repeat(32 * 1024 + 1) };
      expect(await explain(long)).toMatchObject({ status: 400, text: "BearerToken is longer than 32768 bytes" });
    });
  });

  test("each rule with what decided, and the token", async () => {
    const answer = await explain({
      AuthMethod: "wEB",
      Identity: { value: { team: "a" }, list: { groups: ["dev", "ops"] } },
    });
    expect(answer.status, answer.text).toBe(200);
    const { body } = answer;
    expect(body.AuthMethod).toBe("Web");
    expect(body.Identity).toEqual({ value: { team: "a" }, list: { groups: ["dev", "ops"] } });
    expect(body.Variables).toEqual({ "value.team": "a", "value.name": "" });
    const { matched, unmatched, absent, everybody, missing, barred, broken, failing } = verdicts(answer);
    expect(matched).toEqual({
      ID: rules["matched"],
      Verdict: "matched",
      Reason:
        'value.team == "a" is true: value.team is "a"; "ops" in list.groups is true: list.groups is ["dev", "ops"]',
      BindType: "role",
      BindName: "deployers",
    });
    expect(unmatched).toMatchObject({
      Verdict: "not matched",
      Reason: 'value.team == "b" is false: value.team is "a"',
    });
    expect(absent).toMatchObject({
      Verdict: "not matched",
      Reason: 'value.name matches "x" is false: value.name is absent',
    });
    expect(everybody).toMatchObject({ Verdict: "matched", Reason: "the selector is empty" });
    expect(missing).toMatchObject({
      Verdict: "matched",
      Reason: 'grants nothing: role "no-a-role" does not exist; the selector is empty',
    });
    for (const rule of [barred, broken, failing]) expect(rule?.Verdict).toBe("not matched");
    expect(body.Token).toMatchObject({
      Roles: [{ Name: "Deployers" }],
      ServiceIdentities: [{ ServiceName: "web" }],
      Namespace: "default",
    });
    expect(body).not.toHaveProperty("Refusal");
    expect(answer.text).not.toContain("SecretID");
  });

  test("why a name is out of reach, and why a rule fails", async () => {
    const barred = await explain({ AuthMethod: "web", Identity: { value: { name: "management" } } });
    expect(verdicts(barred)["barred"]).toMatchObject({
      Verdict: "matched",
      Reason: expect.stringMatching(
        /^grants nothing: "global-management" is reserved, and computed names cannot select it; /,
      ),
    });
    expect(barred.body.Token).not.toHaveProperty("Policies");
    const long = await explain({ AuthMethod: "web", Identity: { value: { name: `c${"a".repeat(10_000)}` } } });
    expect(verdicts(long)["failing"]).toMatchObject({ Verdict: "failed", Reason: expect.stringMatching(/failed: /) });
    expect(long.body.Token).toMatchObject({ ServiceIdentities: [{ ServiceName: "web" }] });
    const broken = await explain({ AuthMethod: "web", Identity: { value: { team: "broken", name: "a.b" } } });
    expect(verdicts(broken)["broken"]).toMatchObject({ Verdict: "failed", Reason: 'invalid bind name: "a.b"' });
    expect(broken.body.Refusal).toMatch(/^invalid bind name: "a\.b"; granted by binding rule \S+$/);
    expect(broken.body).not.toHaveProperty("Token");
  });

  test("a built-in policy under another name is out of reach, too, and that is said", async () => {
    const path = `/acl/policy/${RESERVED}01`;
    const current = (await v1.get(path)).body;
    expect((await v1.put(path, { ...current, Name: "root-power" })).status).toBe(200);
    await makeMethod(v1, key, { Name: "renamed" });
    await makeRule(v1, { AuthMethod: "renamed", BindType: "policy", BindName: "${value.team}" });
    const { body } = await explain({ AuthMethod: "renamed", Identity: { value: { team: "root-power" } } });
    expect(body.Rules[0].Reason).toMatch(
      /^grants nothing: policy "root-power" is built-in, and computed names cannot select it; /,
    );
    expect((await v1.put(path, current)).status).toBe(200);
  });

  test("a credential that proves nothing, in the words of the login", async () => {
    const forged = bearer(createSigningKey("k2"));
    for (const BearerToken of ["", "x", forged, bearer(key, { exp: 1 })]) {
      const refused = await login(v1, "web", BearerToken);
      expect(refused.status).toBe(403);
      const { body, status } = await explain({ AuthMethod: "web", BearerToken });
      expect(status).toBe(200);
      expect(body).toEqual({ AuthMethod: "Web", Rules: [], Refusal: refused.text });
    }
  });

  test("a credential that proves somebody says who that is", async () => {
    const BearerToken = bearer(key, { team: "a", name: "x", groups: "ops" });
    const { body, text } = await explain({ AuthMethod: "web", BearerToken });
    expect(body.Identity, text).toEqual({ value: { team: "a", name: "x" }, list: { groups: ["ops"] } });
    expect(body.Token.Roles).toMatchObject([{ Name: "Deployers" }]);
    expect(text).not.toContain(BearerToken);
  });

  test("names of JavaScript are names like others", async () => {
    const Config = { ClaimMappings: { a: "__proto__", b: "constructor" }, ListClaimMappings: { c: "__proto__" } };
    await makeMethod(v1, key, { Name: "odd", Config });
    await makeRule(v1, { AuthMethod: "odd", Selector: 'value["__proto__"] == "x"', BindName: "${value.constructor}" });
    const literal = '{"value": {"__proto__": "x", "constructor": "y"}, "list": {"__proto__": ["z"]}}';
    const answer = await v1.post("/acl/login/explain", `{"AuthMethod": "odd", "Identity": ${literal}}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).toContain(`"Identity":${literal.replaceAll(" ", "")}`);
    expect(answer.body.Token.ServiceIdentities).toEqual([{ ServiceName: "y" }]);
  });

  test("more than a token may have is a refusal in the words of the login", async () => {
    await makeMethod(v1, key, { Name: "many" });
    for (let i = 0; i < 129; i++) await makeRule(v1, { AuthMethod: "many", BindName: `s${i}` });
    const refused = await login(v1, "many", bearer(key));
    const { status, body } = await explain({ AuthMethod: "many", Identity: {} });
    expect({ status, refusal: body.Refusal }).toEqual({ status: 200, refusal: refused.text });
    expect(body.Rules).toHaveLength(129);
  });

  test("nothing is made, counted, or told to those who wait", async () => {
    const before = [await countsIn(v1.db, { partition: "default", namespace: "default" }), await indexes()];
    for (const Identity of [{}, { value: { team: "a" } }, { value: { team: "broken" } }]) {
      expect((await explain({ AuthMethod: "web", Identity })).status).toBe(200);
      expect((await explain({ AuthMethod: "web", BearerToken: bearer(key) })).status).toBe(200);
    }
    expect([await countsIn(v1.db, { partition: "default", namespace: "default" }), await indexes()]).toEqual(before);
  });

  async function indexes(): Promise<unknown[]> {
    const paths = ["/acl/tokens", "/acl/auth-methods", "/acl/binding-rules", "/acl/roles", "/acl/policies"];
    const answers = await Promise.all(paths.map((path) => v1.get(path)));
    return answers.map(({ headers }) => headers["x-service-index"]);
  }

  describe("a literal identity of a method", () => {
    const kubernetes = {
      Host: "https://127.0.0.1:1",
      CACert: "",
      ServiceAccountJWT: "e30.e30.e30",
    };
    const cases: [type: string, config: object, selector: string, name: string, identity: object, given: string][] = [
      [
        "kubernetes",
        kubernetes,
        'serviceaccount.namespace == "shop"',
        "${serviceaccount.name}-${serviceaccount.uid}",
        { serviceaccount: { namespace: "shop", name: "web", uid: "1" } },
        "web-1",
      ],
      [
        "aws-iam",
        {
          BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"],
          EnableIAMEntityDetails: true,
          IAMEntityTags: ["team"],
        },
        'entity_name == "web" and entity_tags.team == "t" and entity_path == "/p/"',
        "${entity_name}-${account_id}-${entity_tags.team}-${entity_id}",
        { entity_name: "web", account_id: "1", entity_id: "2", entity_path: "/p/", entity_tags: { team: "t" } },
        "web-1-t-2",
      ],
    ];
    test.each(cases)("of type %s", async (Type, Config, Selector, BindName, Identity, given) => {
      const { makeCertificate } = await import("../../../test/support/openid-certificate.ts");
      const withAuthority = Type === "kubernetes" ? { ...Config, CACert: makeCertificate().ca } : Config;
      const made = await v1.put("/acl/auth-method", { Name: Type, Type, Config: withAuthority });
      expect(made.status, made.text).toBe(200);
      await makeRule(v1, { AuthMethod: Type, Selector, BindName });
      const answer = await explain({ AuthMethod: Type, Identity });
      expect(answer.body?.Token?.ServiceIdentities, answer.text).toEqual([{ ServiceName: given }]);
      expect(answer.body.Identity).toEqual(Identity);
      const nobody = await explain({ AuthMethod: Type, Identity: {} });
      expect(nobody.body.Rules, nobody.text).toMatchObject([{ Verdict: "not matched" }]);
      expect(nobody.body.Refusal).toMatch(/^Permission denied: the identity was verified/);
      expect((await explain({ AuthMethod: Type, Identity: { value: {} } })).status).toBe(400);
    });
  });

  test("where the token would lie, and what is not there", async () => {
    await makeNamespace(v1, { namespace: "there" });
    const { ID } = await makeIn(v1, { namespace: "there" }, "role", { Name: "r" });
    const NamespaceRules = [{ BindNamespace: "${value.team}" }];
    await makeMethod(v1, key, { Name: "routed", NamespaceRules });
    await makeRule(v1, { AuthMethod: "routed", BindType: "role", BindName: "r" });
    const found = await explain({ AuthMethod: "routed", Identity: { value: { team: "there" } } });
    expect(found.body.Token, found.text).toEqual({
      AuthMethod: "routed",
      Local: true,
      Roles: [{ ID, Name: "r" }],
      Namespace: "there",
      Partition: "default",
    });
    for (const team of ["nowhere", "default"]) {
      const refused = await explain({ AuthMethod: "routed", Identity: { value: { team } } });
      expect(refused.body.Refusal).toBe(`Namespace "${team}" does not exist`);
      expect(refused.body.Rules).toMatchObject([{ Verdict: "matched" }]);
    }
  });
});
