/** Each text by which an auth method is refused for what is not its configuration. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { MAPPINGS } from "../../../test/support/login.ts";
import { jwtConfig, kubernetesConfig } from "../../../test/support/method-configs.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const { ca } = makeCertificate();
const Config = jwtConfig(key, MAPPINGS);
const INVALID = "Invalid Auth Method: ";
const DECODING = "AuthMethod decoding failed: ";
const NAME = `${INVALID}invalid Name. Only alphanumeric characters, '-' and '_' are allowed`;
const TYPES = `${INVALID}Type should be one of: [aws-iam jwt kubernetes oidc]`;
const LOCALITY = `${INVALID}TokenLocality should be one of 'local' or 'global'`;

/** Names that no method may have; all come by the body. */
const NAMES: readonly [name: string, text: string][] = [
  ["", `${INVALID}no Name is set`],
  ["a".repeat(129), NAME],
  ["a b", NAME],
  ["a/b", NAME],
  ["a.b", NAME],
  ["*", NAME],
  ["a\n", NAME],
  ["\u{430}bc", NAME],
  ["\u{212a}", NAME],
];

/** Contents that no method of type jwt may have, new or changed. */
const CONTENT: readonly [what: string, content: object, text: string][] = [
  ["a MaxTokenTTL of 59 s", { MaxTokenTTL: "59s" }, "MaxTokenTTL 59s cannot be less than 1m0s"],
  ["a MaxTokenTTL of 1 ns", { MaxTokenTTL: 1 }, "MaxTokenTTL 1ns cannot be less than 1m0s"],
  ["a MaxTokenTTL of 300, which are ns", { MaxTokenTTL: 300 }, "MaxTokenTTL 300ns cannot be less than 1m0s"],
  [
    "a MaxTokenTTL just too short",
    { MaxTokenTTL: 59_999_999_999 },
    "MaxTokenTTL 59.999999999s cannot be less than 1m0s",
  ],
  ["a negative MaxTokenTTL", { MaxTokenTTL: "-5m" }, "MaxTokenTTL -5m0s cannot be less than 1m0s"],
  ["an unknown locality", { TokenLocality: "everywhere" }, LOCALITY],
  ["a locality in upper case", { TokenLocality: "Global" }, LOCALITY],
  [
    "a namespace rule that asks for what identities have not",
    { NamespaceRules: [{ BindNamespace: "a" }, { Selector: "serviceaccount.name == x", BindNamespace: "b" }] },
    `${INVALID}NamespaceRules[1].Selector is invalid: Selector "serviceaccount" is not valid`,
  ],
  [
    "a namespace rule without a namespace",
    { NamespaceRules: [{ Selector: "value.team == a" }] },
    `${INVALID}NamespaceRules[0]: no BindNamespace is set`,
  ],
  [
    "a namespace rule with an unknown variable",
    { NamespaceRules: [{ BindNamespace: "${value.nothing}" }] },
    `${INVALID}NamespaceRules[0].BindNamespace is invalid: error interpreting template: 1:3: unknown variable accessed: value.nothing`,
  ],
  [
    "129 namespace rules",
    { NamespaceRules: Array.from({ length: 129 }, () => ({ BindNamespace: "a" })) },
    `${INVALID}NamespaceRules has 129 entries; at most 128 are allowed`,
  ],
];

/** Bodies that are none. */
const BODIES: readonly [body: string, text: string][] = [
  [`{"Name": 1}`, "json: cannot unmarshal number into Go struct field .Name of type string"],
  [`{"Type": true}`, "json: cannot unmarshal bool into Go struct field .Type of type string"],
  [`{"Config": "x"}`, "json: cannot unmarshal string into Go struct field .Config of type"],
  [`{"Config": []}`, "json: cannot unmarshal array into Go struct field .Config of type"],
  [`{"Config": 1}`, "json: cannot unmarshal number into Go struct field .Config of type"],
  [`{"NamespaceRules": {}}`, "json: cannot unmarshal object into Go struct field .NamespaceRules of type"],
  [`{"NamespaceRules": [1]}`, "json: cannot unmarshal number into Go struct field .NamespaceRules of type"],
  [`{"NamespaceRules": [{"X": 1}]}`, `json: unknown field "X"`],
  [`{"MaxTokenTTL": ""}`, `time: invalid duration ""`],
  [`{"MaxTokenTTL": "60"}`, `time: missing unit in duration "60"`],
  [`{"MaxTokenTTL": "1d"}`, `time: unknown unit "d" in duration "1d"`],
  [`{"MaxTokenTTL": 9223372036854775808}`, "json: cannot unmarshal number"],
  [`{"MaxTokenTTL": [1]}`, "json: cannot unmarshal array into Go struct field .MaxTokenTTL of type time.Duration"],
  [`{"max_token_ttl": "1h"}`, `json: unknown field "max_token_ttl"`],
  [`{"ID": "x"}`, `json: unknown field "ID"`],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    expect((await v1.put("/acl/auth-method", { Name: "Taken", Type: "jwt", Config })).status).toBe(200);
    await makeNamespace(v1, { namespace: "team" });
    await makePartition(v1, "unit");
  });
  const rows = () => v1.db.sql.selectFrom("auth_methods").selectAll().orderBy("id").execute();

  describe("a method is refused", () => {
    test.each(NAMES)("with the name %j", async (Name, text) => {
      expect(await v1.put("/acl/auth-method", { Name, Type: "jwt", Config })).toMatchObject({ status: 400, text });
      if (Name === "") return;
      const path = `/acl/auth-method/${encodeURIComponent(Name)}`;
      if (!Name.includes("\n")) {
        expect(await v1.put(path, { Type: "jwt", Config })).toMatchObject({ status: 400, text });
        expect((await v1.get(path)).status).toBe(404);
      }
    });

    test.each(["", "JWT", "cert", "__proto__", "constructor"])("when it is new and its type is %j", async (Type) => {
      for (const content of [{ Type }, ...(Type === "" ? [{}, { Type: null }] : [])]) {
        const answer = await v1.put("/acl/auth-method", { Name: "new", Config, ...content });
        expect(answer).toMatchObject({ status: 400, text: TYPES });
      }
    });

    test.each(CONTENT)("with %s, new or changed", async (_what, content, text) => {
      const before = await rows();
      for (const answer of [
        await v1.put("/acl/auth-method", { Name: "new", Type: "jwt", Config, ...content }),
        await v1.put("/acl/auth-method/taken", { Config, ...content }),
        await v1.patch("/acl/auth-method/taken", content),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.text.slice(0, text.length)).toBe(text);
        expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      }
      expect(await rows()).toEqual(before);
    });

    test("of type oidc without a MaxTokenTTL", async () => {
      const text = `${INVALID}MaxTokenTTL must be set for type "oidc"`;
      expect(await v1.put("/acl/auth-method", { Name: "new", Type: "oidc", Config: {} })).toMatchObject({
        status: 400,
        text,
      });
    });
  });

  test.each(BODIES)("a body that is none is refused: %s", async (body, text) => {
    for (const [send, path] of [
      [v1.put, "/acl/auth-method"],
      [v1.put, "/acl/auth-method/taken"],
      [v1.patch, "/acl/auth-method/taken"],
    ] as const) {
      const answer = await send(path, body);
      expect(answer.status).toBe(400);
      expect(answer.text.slice(0, DECODING.length + text.length)).toBe(DECODING + text);
    }
  });

  test("a body with NUL anywhere is refused", async () => {
    for (const content of [
      { DisplayName: "\0" },
      { Config: { ...Config, BoundIssuer: "\0" } },
      { Config: { ...Config, ClaimMappings: { "a\0": "b" } } },
      { Config: { ...Config, "a\0": "b" } },
      { NamespaceRules: [{ BindNamespace: "a\0" }] },
    ]) {
      for (const [send, path] of [
        [v1.put, "/acl/auth-method"],
        [v1.patch, "/acl/auth-method/taken"],
      ] as const) {
        const { status, text } = await send(path, { Name: "taken", ...content });
        expect({ content, status, text }).toMatchObject({
          status: 400,
          text: expect.stringMatching(/^AuthMethod decoding failed: /),
        });
      }
    }
  });

  test("what chooses namespaces is for the namespace default, of any partition", async () => {
    const rules = { NamespaceRules: [{ BindNamespace: "team" }] };
    const mapping = (more: object = {}) => ({
      Type: "kubernetes",
      Config: kubernetesConfig(key, ca, { MapNamespaces: true, ...more }),
    });
    const [ruled, mapped] = [
      `${INVALID}NamespaceRules are allowed only in the namespace "default"`,
      `${INVALID}MapNamespaces is allowed only in the namespace "default"`,
    ];
    expect((await v1.put("/acl/auth-method?ns=team", { Name: "own", Type: "jwt", Config })).status).toBe(200);
    const off = mapping({ MapNamespaces: "false" });
    expect((await v1.put("/acl/auth-method?ns=team", { Name: "own-k8s", ...off })).status).toBe(200);
    for (const [answer, text] of [
      [await v1.put("/acl/auth-method?ns=team", { Name: "a", Type: "jwt", Config, ...rules }), ruled],
      [await v1.put("/acl/auth-method/own?ns=team", { Config, ...rules }), ruled],
      [await v1.put("/acl/auth-method/own", { Namespace: "team", Config, ...rules }), ruled],
      [await v1.patch("/acl/auth-method/own?ns=team", rules), ruled],
      [await v1.put("/acl/auth-method?ns=team", { Name: "a", ...mapping() }), mapped],
      [await v1.patch("/acl/auth-method/own-k8s?ns=team", { Config: { MapNamespaces: true } }), mapped],
      [
        await v1.patch("/acl/auth-method/own-k8s?ns=team", { Config: { MapNamespaces: null, mapnamespaces: "1" } }),
        mapped,
      ],
    ] as const) {
      expect(answer).toMatchObject({ status: 400, text });
    }
    for (const query of ["", "?partition=unit"]) {
      expect((await v1.put(`/acl/auth-method${query}`, { Name: "a", Type: "jwt", Config, ...rules })).status).toBe(200);
      expect((await v1.put(`/acl/auth-method${query}`, { Name: "b", ...mapping() })).status).toBe(200);
    }
  });

  test("incident 28: a change runs all checks of a new method, also of what it does not name", async () => {
    const rules = [{ Selector: 'value.team == "a"', BindNamespace: "team-${value.team}" }];
    const content = { Name: "checked", Type: "jwt", Config, NamespaceRules: rules };
    expect((await v1.put("/acl/auth-method", content)).status).toBe(200);
    const before = (await v1.get("/acl/auth-method/checked")).body;
    const text = `${INVALID}NamespaceRules[0].BindNamespace is invalid: error interpreting template: 1:8: unknown variable accessed: value.team`;
    for (const answer of [
      await v1.patch("/acl/auth-method/checked", { Config: { ClaimMappings: null } }),
      await v1.put("/acl/auth-method/checked", { Config: jwtConfig(key), NamespaceRules: rules }),
    ]) {
      expect(answer).toMatchObject({ status: 400, text });
    }
    expect((await v1.patch("/acl/auth-method/checked", { Type: "kubernetes" })).status).toBe(400);
    // The configuration of one type under the name of another.
    await v1.write((sql) => sql.updateTable("auth_methods").set({ max_token_ttl: "5" }).where("name", "=", "checked"));
    expect(await v1.patch("/acl/auth-method/checked", { Description: "x" })).toMatchObject({
      status: 400,
      text: "MaxTokenTTL 5ns cannot be less than 1m0s",
    });
    await v1.write((sql) => sql.updateTable("auth_methods").set({ max_token_ttl: "0" }).where("name", "=", "checked"));
    expect((await v1.get("/acl/auth-method/checked")).body).toEqual(before);
  });
});
