import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { MAPPINGS } from "../../../test/support/login.ts";
import {
  AWS_CONFIG,
  jwtConfig,
  kubernetesConfig,
  namesOf,
  withoutIndex,
} from "../../../test/support/method-configs.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const other = createSigningKey("k2");
const { ca } = makeCertificate();
const Config = jwtConfig(key);
const IMMUTABLE = "the Type field of an Auth Method is immutable";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const made = async (content: object = {}) => {
    const answer = await v1.put("/acl/auth-method", { Name: v1.unique("method"), Type: "jwt", Config, ...content });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Name: string; CreateIndex: number; ModifyIndex: number };
  };

  test("what is written is answered and read back, by its name in any case", async () => {
    const sent = {
      Name: "Web-Team_1",
      Type: "jwt",
      DisplayName: "Web",
      Description: "ü",
      MaxTokenTTL: "300s",
      TokenLocality: "global",
      Config: jwtConfig(key, { ...MAPPINGS, BoundIssuer: "https://a.example", ClockSkewLeeway: "1m" }),
      NamespaceRules: [
        { Selector: 'value.team == "a"', BindNamespace: "team-${value.team}" },
        { Selector: "", BindNamespace: "rest" },
      ],
    };
    const { status, body } = await v1.put("/acl/auth-method", sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...sent,
      MaxTokenTTL: "5m0s",
      NamespaceRules: [sent.NamespaceRules[0], { BindNamespace: "rest" }],
      Namespace: "default",
      Partition: "default",
      CreateIndex: body.ModifyIndex,
      ModifyIndex: body.CreateIndex,
    });
    for (const name of ["Web-Team_1", "web-team_1", "WEB-TEAM_1"]) {
      expect((await v1.get(`/acl/auth-method/${name}`)).body).toEqual(body);
    }
    expect(withoutIndex(await v1.put("/acl/auth-method", body))).toEqual(
      withoutIndex({ ...(await v1.get("/acl/auth-method/web-team_1")) }),
    );
  });

  test("what is empty is left out, Config never, and a name may have 128 letters", async () => {
    const { body } = await v1.put("/acl/auth-method", {
      Name: "a".repeat(128),
      Type: "jwt",
      MaxTokenTTL: 0,
      TokenLocality: "",
      DisplayName: null,
      NamespaceRules: [],
      config: Config,
    });
    expect(Object.keys(body)).toEqual("Name Type Config Namespace Partition CreateIndex ModifyIndex".split(" "));
  });

  test("both PUTs make what there is not and replace what there is, wholly", async () => {
    const full = { DisplayName: "d", Description: "d", MaxTokenTTL: "1h", TokenLocality: "local" };
    const rules = [{ BindNamespace: "team" }];
    for (const place of ["/acl/auth-method", "/acl/auth-method/", "/acl/auth-method/Path-X"]) {
      const name = place.endsWith("X") ? "Path-X" : v1.unique("put");
      const first = await v1.put(place, { Name: name, Type: "jwt", Config, ...full, NamespaceRules: rules });
      expect(first.body).toMatchObject({ Name: name, ...full, MaxTokenTTL: "1h0m0s", NamespaceRules: rules });
      const next = jwtConfig(other);
      for (const path of ["/acl/auth-method", `/acl/auth-method/${name.toUpperCase()}`]) {
        await v1.put(place, { Name: name, Type: "jwt", Config, ...full });
        const second = await v1.put(path, { Name: name.toLowerCase(), Config: next });
        expect(second.body).toEqual({
          Name: name,
          Type: "jwt",
          Config: next,
          Namespace: "default",
          Partition: "default",
          CreateIndex: first.body.CreateIndex,
          ModifyIndex: second.body.ModifyIndex,
        });
        expect(second.body.ModifyIndex).toBeGreaterThan(first.body.ModifyIndex);
        expect((await v1.get(`/acl/auth-method/${name}`)).body).toEqual(second.body);
      }
    }
    expect((await v1.put("/acl/auth-method/by-path", { Type: "jwt", Config })).body.Name).toBe("by-path");
    expect((await namesOf(v1)).filter((name) => /^path-x$/i.test(name))).toEqual(["Path-X"]);
  });

  test("the type stays for ever, in every letter", async () => {
    const { Name } = await made();
    for (const content of [{ Type: "aws-iam", Config: AWS_CONFIG }, { Type: "JWT", Config }, { Type: "x" }]) {
      for (const [send, path] of [
        [v1.put, "/acl/auth-method"],
        [v1.put, `/acl/auth-method/${Name}`],
        [v1.patch, `/acl/auth-method/${Name}`],
      ] as const) {
        expect(await send(path, { Name, ...content })).toMatchObject({ status: 400, text: IMMUTABLE });
      }
    }
    expect((await v1.get(`/acl/auth-method/${Name}`)).body).toMatchObject({ Type: "jwt", Config });
  });

  test("incident 33: two methods of one type, and one of each other, go round", async () => {
    const contents = [
      { Name: "round-1", Type: "jwt", Config },
      { Name: "round-2", Type: "jwt", Config: jwtConfig(other, { BoundAudiences: "one" }), Description: "2" },
      { Name: "round-3", Type: "aws-iam", Config: AWS_CONFIG },
      { Name: "round-4", Type: "aws-iam", Config: { ...AWS_CONFIG, ServerIDHeaderValue: "x" }, MaxTokenTTL: "1m0s" },
      { Name: "round-5", Type: "kubernetes", Config: kubernetesConfig(key, ca) },
      { Name: "round-6", Type: "kubernetes", Config: kubernetesConfig(other, ca, { MapNamespaces: true }) },
    ];
    for (const content of contents) expect((await v1.put("/acl/auth-method", content)).status).toBe(200);
    for (const content of contents.toReversed()) {
      const { body } = await v1.get(`/acl/auth-method/${content.Name}`);
      expect(body).toMatchObject(content);
      expect(body.Config).toEqual(content.Config);
      expect((await v1.put(`/acl/auth-method/${content.Name}`, body)).body).toMatchObject(content);
    }
  });

  test("a configuration is kept as it was sent, whatever its keys are named", async () => {
    const text = `{"jwtvalidationpubkeys": ${JSON.stringify(key.publicKey)}, "expirationLEEWAY": "0x", "BoundIssuer": null,
      "ClaimMappings": {"__proto__": "constructor", "constructor": "__proto__", "a": "toString"},
      "ListClaimMappings": [{"__proto__": "__proto__"}], "ClockSkewLeeway": -1, "NotBeforeLeeway": 1.5e9}`;
    const config = JSON.parse(text.replace('"0x"', '"0"')) as object;
    const sent = `{"Name": "proto", "Type": "jwt", "Config": ${text.replace('"0x"', '"0"')}}`;
    const answers = [await v1.put("/acl/auth-method", sent), await v1.get("/acl/auth-method/proto")];
    answers.push(
      await v1.patch("/acl/auth-method/proto", `{"Config": {"ClaimMappings": {"__proto__": "constructor"}}}`),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body.Config)).toBe(JSON.stringify(config));
    }
    const patch = `{"Config": {"ClaimMappings": {"__proto__": null, "x": "__proto__", "constructor": "y"}}}`;
    const { body } = await v1.patch("/acl/auth-method/proto", patch);
    expect(JSON.stringify(body.Config.ClaimMappings)).toBe('{"constructor":"y","a":"toString","x":"__proto__"}');
    const unknown = await v1.put(
      "/acl/auth-method",
      `{"Name": "p", "Type": "jwt", "Config": {"__proto__": {"JWKSURL": "x"}}}`,
    );
    expect(unknown).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^Invalid Auth Method: error decoding config: .*has invalid keys: __proto__$/s),
    });
  });

  test.each<[given: unknown, shown: string | undefined]>([
    ["5m", "5m0s"],
    ["300s", "5m0s"],
    ["1h30m", "1h30m0s"],
    ["1.5h", "1h30m0s"],
    ["24h", "24h0m0s"],
    ["8760h", "8760h0m0s"],
    ["1m0.5s", "1m0.5s"],
    ["60000ms", "1m0s"],
    [60_000_000_000, "1m0s"],
    [90_000_000_001, "1m30.000000001s"],
    ["2562047h47m16.854775807s", "2562047h47m16.854775807s"],
    ["0", undefined],
    ["0s", undefined],
    [0, undefined],
    [null, undefined],
  ])("a MaxTokenTTL of %j is shown as %j", async (MaxTokenTTL, shown) => {
    const { Name } = await made({ MaxTokenTTL });
    const { body } = await v1.get(`/acl/auth-method/${Name}`);
    expect(body.MaxTokenTTL).toBe(shown);
    expect((await v1.put(`/acl/auth-method/${Name}`, body)).body.MaxTokenTTL).toBe(shown);
  });

  describe("a partial update", () => {
    test("replaces what it names, null empties it, and all else stays", async () => {
      const full = {
        DisplayName: "d",
        Description: "e",
        MaxTokenTTL: "1h0m0s",
        TokenLocality: "global",
        NamespaceRules: [{ BindNamespace: "team" }],
        Config: jwtConfig(key, { ...MAPPINGS, BoundIssuer: "i" }),
      };
      const before = await made(full);
      const path = `/acl/auth-method/${before.Name}`;
      const patched = async (change: object) => {
        const answer = await v1.patch(path, change);
        expect(answer.status, answer.text).toBe(200);
        expect((await v1.get(path)).body).toEqual(answer.body);
        return answer;
      };
      expect(withoutIndex(await patched({}))).toEqual(withoutIndex({ body: before } as never));
      expect((await patched({ description: "f", name: before.Name.toUpperCase() })).body).toMatchObject({
        ...full,
        Description: "f",
        Name: before.Name,
      });
      expect((await patched({ MaxTokenTTL: 90_000_000_000 })).body).toMatchObject({
        ...full,
        Description: "f",
        MaxTokenTTL: "1m30s",
      });
      const config = await patched({ Config: { boundissuer: "j", ClaimMappings: { team: null, x: "y" } } });
      expect(config.body.Config).toEqual({ ...full.Config, BoundIssuer: "j", ClaimMappings: { name: "name", x: "y" } });
      expect((await patched({ Config: { BoundIssuer: null } })).body.Config).not.toHaveProperty("BoundIssuer");
      const { body } = await patched({
        DisplayName: null,
        Description: null,
        MaxTokenTTL: null,
        TokenLocality: null,
        NamespaceRules: null,
      });
      expect(Object.keys(body)).toEqual("Name Type Config Namespace Partition CreateIndex ModifyIndex".split(" "));
      expect((await patched({ NamespaceRules: [{ BindNamespace: "a" }] })).body.NamespaceRules).toEqual([
        { BindNamespace: "a" },
      ]);
    });

    test("cannot take away what must be there", async () => {
      const { Name } = await made();
      const path = `/acl/auth-method/${Name}`;
      const sources = /^Invalid Auth Method: exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL'/;
      for (const config of [null, { JWTValidationPubKeys: null }, { jwtvalidationpubkeys: [] }]) {
        expect(await v1.patch(path, { Config: config })).toMatchObject({
          status: 400,
          text: expect.stringMatching(sources),
        });
      }
      expect((await v1.patch(path, { Type: null, Name: null })).status).toBe(200);
    });
  });
});
