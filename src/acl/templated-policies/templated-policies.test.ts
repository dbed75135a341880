import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const ALLOWED = "Only lowercase alphanumeric characters, '-' and '_' are allowed";
const ALL = [
  "builtin/api-gateway",
  "builtin/dns",
  "builtin/node",
  "builtin/nomad-client",
  "builtin/nomad-server",
  "builtin/service",
];
const NAMED = ["builtin/api-gateway", "builtin/node", "builtin/service"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const preview = (name: string, body: unknown = "", token = MANAGEMENT) =>
    v1.post(`/acl/templated-policy/preview/${name}`, body, token);

  test("the list is a map of names, and each is read by its name, escaped or not", async () => {
    const { body } = await v1.get("/acl/templated-policies");
    expect(Object.keys(body)).toEqual(ALL);
    for (const name of ALL) {
      expect(body[name]).toEqual({
        TemplateName: name,
        Schema: NAMED.includes(name) ? expect.stringContaining(`"required": ["name"]`) : "",
        Template: expect.stringContaining("policy = "),
        Description: expect.stringContaining("permissions"),
      });
      if (NAMED.includes(name)) expect(JSON.parse(body[name].Schema)).toMatchObject({ type: "object" });
      for (const path of [name, encodeURIComponent(name)]) {
        expect((await v1.get(`/acl/templated-policy/name/${path}`)).body).toEqual(body[name]);
      }
    }
  });

  test("a preview is the policy that a token would have, and is not stored", async () => {
    for (const name of ALL) {
      const { status, body } = await preview(name, NAMED.includes(name) ? { name: "api" } : "");
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ID: expect.stringMatching(/^[0-9a-f]{32}$/),
        Name: `synthetic-policy-${body.ID}`,
        Description: `synthetic policy generated from templated policy: ${name}`,
        Hash: expect.stringMatching(/^.{43}=$/),
        CreateIndex: 0,
        ModifyIndex: 0,
      });
      expect(body.Rules).not.toContain("{{");
      if (NAMED.includes(name)) expect(body.Rules).toContain(`"api"`);
      const variables = NAMED.includes(name) ? { TemplateVariables: { Name: "api" } } : {};
      const { accessor } = await v1.token({ TemplatedPolicies: [{ TemplateName: name, ...variables }] });
      const { ExpandedPolicies } = (await v1.get(`/acl/token/${accessor}?expanded`)).body;
      expect(ExpandedPolicies).toMatchObject([{ ID: body.ID, Rules: body.Rules, Hash: body.Hash }]);
    }
    expect((await v1.get("/acl/policies")).text).not.toContain("synthetic");
  });

  describe("a preview is refused", () => {
    const failed = (name: string, problem: string) => `validation error for templated policy: "${name}": ${problem}`;
    const required = "1 error occurred:\n\t* name is required\n\n";
    const cases: readonly [what: string, name: string, body: unknown, text: string][] = [
      ["of a template that there is not", "builtin/x", {}, `templated policy "builtin/x" does not exist`],
      ["of a name of objects", "__proto__", {}, `templated policy "__proto__" does not exist`],
      ["of other letters", "builtin/Service", {}, `templated policy "builtin/Service" does not exist`],
      ["without a name", "builtin/service", {}, failed("builtin/service", required)],
      ["with an empty name", "builtin/service", { Name: "" }, failed("builtin/service", required)],
      [
        "with a bad service",
        "builtin/service",
        { Name: "X" },
        failed("builtin/service", `service identity "X" has an invalid name. ${ALLOWED}`),
      ],
      [
        "with a bad node",
        "builtin/node",
        { Name: "X" },
        failed("builtin/node", `node identity "X"  has an invalid name. ${ALLOWED}`),
      ],
      [
        "with rules in the name",
        "builtin/service",
        { Name: `a" { policy = "write" } acl = "write` },
        failed("builtin/service", "service identity "),
      ],
      ["with an unknown member", "builtin/dns", { X: 1 }, `Failed to decode request body: json: unknown field "X"`],
      ["without a template", "", {}, "Missing templated policy Name"],
    ];
    test.each(cases)("%s", async (_what, name, body, text) => {
      const answer = await preview(name, body);
      expect([answer.status, answer.text.slice(0, text.length)]).toEqual([400, text]);
    });
  });

  test("an unknown name is refused, and reading needs acl:read", async () => {
    expect(await v1.get("/acl/templated-policy/name/builtin/x")).toMatchObject({
      status: 400,
      text: "Invalid templated policy Name: builtin/x",
    });
    expect(await v1.get("/acl/templated-policy/name/")).toMatchObject({
      status: 400,
      text: "Missing templated policy Name",
    });
    const { secret } = await v1.token();
    const reader = await v1.tokenWith(`acl = "read"`);
    for (const ask of [
      (token: string) => v1.get("/acl/templated-policies", token),
      (token: string) => v1.get("/acl/templated-policy/name/builtin/dns", token),
      (token: string) => preview("builtin/dns", "", token),
    ]) {
      expect([(await ask(secret)).status, (await ask(reader)).status]).toEqual([403, 200]);
    }
    expect((await v1.get("/acl/templated-policy/name/builtin/x", secret)).status).toBe(403);
  });
});
