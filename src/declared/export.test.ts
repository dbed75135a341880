import { expect, test } from "vitest";
import { exportServer } from "./export.ts";
import {
  declare,
  linesOf,
  makeSo,
  planOf,
  SECRETS,
  serverOf,
  tracesOf,
  writeFiles,
} from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { makeCertificate } from "../../test/support/openid-certificate.ts";
import { createSigningKey } from "../../test/support/key-server.ts";
import { readDeclaration } from "./model.ts";

const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyZXZpZXdlciJ9.c2lnbmF0dXJl";
const CA = makeCertificate().ca;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const other = useV1(makeUrl);

  test("what is exported changes nothing when it is applied, and makes an empty server the same; no secret is in it", async () => {
    await v1.put("/partition/unit");
    await v1.put("/namespace/team", { Description: "a team", ACLs: { PolicyDefaults: [] }, Meta: { a: "b" } });
    await v1.put("/namespace/inner?partition=unit", {});
    await v1.put("/acl/policy", { Name: "ops/read", Description: "multi\nline", Rules: 'acl = "read"\n\n' });
    await v1.put("/acl/policy?ns=team", {
      Name: "web",
      Rules: '{"key_prefix": {"": {"policy": "read"}}}',
      Datacenters: ["dc1"],
    });
    await v1.put("/acl/role?ns=team", {
      Name: "web",
      Policies: [{ Name: "web" }],
      TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "api" } }],
    });
    await v1.put("/acl/token?ns=team", { Description: "a token", Roles: [{ Name: "web" }], ExpirationTTL: "24h" });
    const key = createSigningKey("export");
    await v1.put("/acl/auth-method?ns=team", {
      Name: "ci",
      Type: "jwt",
      MaxTokenTTL: "90m",
      Config: { JWTValidationPubKeys: [key.publicKey], BoundIssuer: "https://ci", ClaimMappings: { sub: "sub" } },
    });
    const rule = { AuthMethod: "ci", BindType: "role", BindName: "web" };
    await v1.put("/acl/binding-rule?ns=team", { ...rule, Description: "same", Selector: "value.sub==a" });
    await v1.put("/acl/binding-rule?ns=team", { ...rule, Description: "same", Selector: "value.sub==b" });
    await v1.put("/acl/binding-rule?ns=team", {
      ...rule,
      BindType: "templated-policy",
      BindName: "builtin/service",
      BindVars: { Name: "${value.sub}" },
    });
    const of = { Kind: "key", Segment: "records/${id}", Access: "write" };
    await v1.put("/acl/decision-mapping?partition=unit", {
      Name: "records",
      SubjectTypes: [{ Type: "user", As: "role", Template: "user-${id}" }],
      ResourceTypes: [
        { Type: "record", Actions: [{ Action: "delete", ActionProperties: { soft: false, "a b": 1 }, ...of }] },
      ],
    });
    await makeSo(
      await serverOf(v1),
      declare({
        "a.yaml": `
- { kind: organization, name: acme, email: a@example.com }
- { kind: project, organization: acme, name: Nets, tag-bindings: { env: prod } }
- { kind: workspace, organization: acme, name: one, project: Nets, tags: [b, a], tag-bindings: { cost: "" } }
- { kind: tag-rules, organization: acme, enforce: advise, rules: [{ name: r, project: Nets, required-keys: [env] }] }
`,
      }),
    );
    const server = await serverOf(v1);
    const { files, secrets } = await exportServer(server);
    expect(secrets).toEqual([]);
    const directory = writeFiles(Object.fromEntries(files.map(({ path, text }) => [path, text])));
    const home = { partition: "default", namespace: "default" };
    const before = await tracesOf(v1);
    expect(linesOf(await makeSo(server, readDeclaration(directory, home)))).toEqual([]);
    expect(await tracesOf(v1)).toEqual(before);
    const target = await serverOf(other);
    await makeSo(target, readDeclaration(directory, home));
    expect(linesOf(await planOf(target, readDeclaration(directory, home)))).toEqual([]);
    const again = await exportServer(target);
    const texts = (all: typeof files) =>
      all
        .filter(({ path }) => !path.includes("tokens"))
        .map(({ path, text }) => `${path}\n${text}`)
        .toSorted();
    expect(texts(again.files)).toEqual(texts(files));
  });

  test("a value of a decision mapping that differs in its type alone is a change", async () => {
    const server = await serverOf(v1);
    const filesOf = (soft: string) => ({
      "m.yaml": `
kind: decision-mapping
name: typed
resource-types:
  - type: typed
    actions: [{ action: delete, action-properties: { soft: ${soft} }, kind: key, segment: "a/$\{id}", access: write }]
`,
    });
    await makeSo(server, declare(filesOf("false")));
    expect(linesOf(await planOf(server, declare(filesOf("false"))))).toEqual([]);
    for (const soft of ["true", '"false"', "0"])
      expect(linesOf(await planOf(server, declare(filesOf(soft))))).toEqual([
        "update decision-mapping default/default/typed: resource-types",
      ]);
  });

  test("a secret of a configuration is named by a variable, and applied from it", async () => {
    const files = {
      "m.yaml": `
kind: auth-method
name: k8s
type: kubernetes
config:
  Host: https://10.0.0.1:6443
  CACert: ${JSON.stringify(CA)}
  ServiceAccountJWT: env:K8S_JWT
`,
    };
    const server = await serverOf(v1);
    await expect(planOf(server, declare(files))).rejects.toThrow(
      "environment variable K8S_JWT of env:K8S_JWT is not set",
    );
    const secrets = { ...SECRETS, env: { K8S_JWT: JWT } };
    await makeSo(server, declare(files), { secrets });
    expect(linesOf(await planOf(server, declare(files), { secrets }))).toEqual([]);
    const changed = await planOf(server, declare(files), { secrets: { ...SECRETS, env: { K8S_JWT: `${JWT}x` } } });
    expect(linesOf(changed)).toEqual(["update auth-method default/default/k8s: config"]);
    const exported = await exportServer(server);
    expect(exported.secrets).toEqual(["K8S_SERVICEACCOUNTJWT"]);
    const text = JSON.stringify(exported.files);
    expect(text).not.toContain(JWT);
    expect(text).toContain("env:K8S_SERVICEACCOUNTJWT");
  });
});
