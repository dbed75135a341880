/** Rules of each type of auth method: what their selectors and templates may name, and that no provider is asked. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { startKubernetesApi, type KubernetesApi } from "../../../test/support/kubernetes-api.ts";
import { makeRule, MAPPINGS } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const PRINCIPAL = "arn:aws:iam::123456789012:role/*";
const METHODS = ["static", "jwks", "discovery", "kubernetes", "aws", "aws-with-details"] as const;
type Method = (typeof METHODS)[number];

/** Selectors with what is wrong with them; undefined for nothing. */
const SELECTORS: readonly [methods: readonly Method[], selector: string, cause: string | undefined][] = [
  [["static", "jwks", "discovery"], "value.team == a and value.zz != b", undefined],
  [["static", "jwks", "discovery"], 'value["first-name"] matches "^a" or x in list.zz', undefined],
  [["static", "jwks", "discovery"], "serviceaccount.name == a", 'Selector "serviceaccount" is not valid'],
  [["static", "jwks", "discovery"], "list.groups.a == b", 'Selector "list.groups.a" is not valid'],
  [["static", "jwks", "discovery"], "x in value", undefined],
  [["kubernetes"], "serviceaccount.namespace == a and serviceaccount.uid != b", undefined],
  [["kubernetes"], 'serviceaccount["name"] == a', undefined],
  [["kubernetes"], "serviceaccount.foo == a", 'Selector "serviceaccount.foo" is not valid'],
  [["kubernetes"], "value.team == a", 'Selector "value" is not valid'],
  [["kubernetes"], "serviceaccount is empty", 'Invalid match operator "Is Empty" for selector "serviceaccount"'],
  [
    ["kubernetes"],
    "serviceaccount.name is empty",
    'Invalid match operator "Is Empty" for selector "serviceaccount.name"',
  ],
  [["aws", "aws-with-details"], 'entity_name == a and entity_id == b and account_id == "1"', undefined],
  [["aws", "aws-with-details"], "entity_path == a and entity_tags.zz == b", undefined],
  [["aws", "aws-with-details"], 'entity_tags["service-name"] == a', undefined],
  [["aws", "aws-with-details"], "entity_foo == a", 'Selector "entity_foo" is not valid'],
  [["aws", "aws-with-details"], "entity_tags.a.b == c", 'Selector "entity_tags.a.b" is not valid'],
];

/** Names with the variable that is unknown in them; undefined for none. */
const NAMES: readonly [methods: readonly Method[], name: string, unknown: string | undefined][] = [
  [["static", "jwks", "discovery"], "a-${value.team}-${ value.name }", undefined],
  [["static", "jwks", "discovery"], "${value.zz}", "value.zz"],
  [["static", "jwks", "discovery"], "${list.groups}", "list.groups"],
  [["static", "jwks", "discovery"], "${value.__proto__}", "value.__proto__"],
  [["static", "jwks", "discovery"], "${constructor}", "constructor"],
  [["kubernetes"], "${serviceaccount.namespace}-${serviceaccount.name}-${serviceaccount.uid}", undefined],
  [["kubernetes"], "${serviceaccount.foo}", "serviceaccount.foo"],
  [["aws", "aws-with-details"], "${entity_name}-${entity_id}-${account_id}", undefined],
  [["aws-with-details"], "x${entity_path}-${entity_tags.service-name}", undefined],
  [["aws-with-details"], "${entity_tags.zz}", "entity_tags.zz"],
  [["aws"], "x${entity_path}", "entity_path"],
  [["aws"], "${entity_tags.service-name}", "entity_tags.service-name"],
];

const cases = <T extends string | undefined>(table: readonly [readonly Method[], string, T][]) =>
  table.flatMap(([methods, text, outcome]) => methods.map((method) => [method, text, outcome] as const));

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
  let provider: KeyServer;
  let cluster: KubernetesApi;

  beforeAll(async () => {
    [provider, cluster] = await Promise.all([startKeyServer([key]), startKubernetesApi()]);
    const { url, ca } = provider;
    const aws = { BoundIAMPrincipalARNs: ["arn:aws:iam::123456789012:role/a"] };
    const contents: Record<Method, object> = {
      static: { Type: "jwt", Config: { JWTValidationPubKeys: [key.publicKey], ...MAPPINGS } },
      jwks: { Type: "jwt", Config: { JWKSURL: `${url}/keys`, JWKSCACert: ca, ...MAPPINGS } },
      discovery: {
        Type: "jwt",
        Config: { OIDCDiscoveryURL: url, OIDCDiscoveryCACert: ca, BoundAudiences: ["a"], ...MAPPINGS },
      },
      kubernetes: {
        Type: "kubernetes",
        Config: { Host: cluster.url, CACert: cluster.ca, ServiceAccountJWT: cluster.reviewer },
      },
      aws: { Type: "aws-iam", Config: aws },
      "aws-with-details": {
        Type: "aws-iam",
        Config: { BoundIAMPrincipalARNs: [PRINCIPAL], EnableIAMEntityDetails: true, IAMEntityTags: ["service-name"] },
      },
    };
    for (const Name of METHODS) {
      const answer = await v1.put("/acl/auth-method", { Name, ...contents[Name] });
      expect(answer.status, answer.text).toBe(200);
    }
  });
  afterAll(async () => Promise.all([provider.close(), cluster.close()]));

  test.each(cases(SELECTORS))("a rule of %s may select by %s, or is told: %s", async (AuthMethod, Selector, cause) => {
    const body = { AuthMethod, Selector, BindType: "service", BindName: "web" };
    const answer = await v1.put("/acl/binding-rule", body);
    if (cause === undefined) expect(answer).toMatchObject({ status: 200, body });
    else expect(answer).toMatchObject({ status: 400, text: `invalid Binding Rule: Selector is invalid: ${cause}` });
  });

  test.each(cases(NAMES))("a rule of %s may give %s, or is told of %s", async (AuthMethod, BindName, unknown) => {
    const templated = { BindType: "templated-policy", BindName: "builtin/node", BindVars: { Name: BindName } };
    const failure = (text: string) =>
      `Invalid Binding Rule: invalid BindName or BindVars: failed to validate bindType ${text}: `;
    for (const [content, prefix] of [
      [{ BindType: "service", BindName }, failure('"service": error interpreting template')],
      [{ BindType: "node", BindName }, failure('"node": error interpreting template')],
      [templated, failure('"templated-policy": failed to interpret templated policy variables')],
    ] as const) {
      const answer = await v1.put("/acl/binding-rule", { AuthMethod, ...content });
      if (unknown === undefined) expect(answer).toMatchObject({ status: 200, body: content });
      else {
        expect(answer.status).toBe(400);
        expect(answer.text.startsWith(prefix)).toBe(true);
        expect(answer.text.slice(prefix.length)).toMatch(/^1:\d+: unknown variable accessed: /);
        expect(answer.text.endsWith(`: ${unknown}`)).toBe(true);
      }
    }
  });

  describe("rules are written", () => {
    test.each(METHODS)("while what a method of type %s asks is away", async (AuthMethod) => {
      const [asked, reviewed] = [provider.requests.length, cluster.requests.length];
      provider.answer = (_path, response) => {
        response.destroy();
        return true;
      };
      cluster.answer = () => ({ status: 500, body: "" });
      const id = await makeRule(v1, { AuthMethod });
      expect((await v1.patch(`/acl/binding-rule/${id}`, { Description: "d" })).status).toBe(200);
      expect((await v1.get(`/acl/binding-rules?authmethod=${AuthMethod}`)).text).toContain(id);
      expect((await v1.delete(`/acl/binding-rule/${id}`)).status).toBe(200);
      expect([provider.requests.length, cluster.requests.length]).toEqual([asked, reviewed]);
    });
  });
});
