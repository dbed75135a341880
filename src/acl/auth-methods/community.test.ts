/** The community edition knows neither namespaces nor the type `oidc`. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeRule } from "../../../test/support/login.ts";
import { AWS_CONFIG, jwtConfig, kubernetesConfig } from "../../../test/support/method-configs.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const { ca } = makeCertificate();
const Config = jwtConfig(key);
const DECODING = "AuthMethod decoding failed: ";
const unknownKeys = (keys: string) =>
  `Invalid Auth Method: error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: ${keys}`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { edition: "community" } });
  const path = "/acl/auth-method";

  test("has three types, and says so", async () => {
    const text = "Invalid Auth Method: Type should be one of: [aws-iam jwt kubernetes]";
    for (const Type of ["oidc", "x", ""]) {
      expect(await v1.put(path, { Name: "a", Type, Config })).toMatchObject({ status: 400, text });
    }
    expect((await v1.put(path, { Name: "k8s", Type: "kubernetes", Config: kubernetesConfig(key, ca) })).status).toBe(
      200,
    );
    expect((await v1.put(path, { Name: "aws", Type: "aws-iam", Config: AWS_CONFIG })).status).toBe(200);
  });

  test("shows no namespace and no partition of a method and of the tokens that it gives", async () => {
    const { body } = await v1.put(path, { Name: "plain", Type: "jwt", Config, MaxTokenTTL: "5m" });
    expect(Object.keys(body)).toEqual(["Name", "Type", "Config", "MaxTokenTTL", "CreateIndex", "ModifyIndex"]);
    expect((await v1.get(`${path}/PLAIN`)).body).toEqual(body);
    await makeRule(v1, { AuthMethod: "plain" });
    const { status, body: token } = await login(v1, "plain", bearer(key));
    expect(status).toBe(200);
    for (const member of ["Namespace", "Partition", "AuthMethodNamespace"]) expect(token).not.toHaveProperty(member);
  });

  test.each([
    [`{"NamespaceRules": [{"BindNamespace": "a"}]}`, `json: unknown field "NamespaceRules"`],
    [`{"NamespaceRules": []}`, `json: unknown field "NamespaceRules"`],
    [`{"NamespaceRules": null}`, `json: unknown field "NamespaceRules"`],
    [`{"namespacerules": []}`, `json: unknown field "namespacerules"`],
  ])("does not know %s", async (body, text) => {
    await v1.put(path, { Name: "stands", Type: "jwt", Config });
    for (const answer of [
      await v1.put(path, body),
      await v1.put(`${path}/stands`, body),
      await v1.patch(`${path}/stands`, body),
    ]) {
      expect(answer).toMatchObject({ status: 400, text: DECODING + text });
    }
  });

  describe("keys of configurations of the other edition are unknown", () => {
    test.each<[type: string, config: object, keys: string]>([
      ["jwt", jwtConfig(key, { OIDCClientID: "x" }), "OIDCClientID"],
      [
        "jwt",
        jwtConfig(key, { oidcclientsecret: "", AllowedRedirectURIs: [] }),
        "AllowedRedirectURIs, oidcclientsecret",
      ],
      [
        "jwt",
        jwtConfig(key, { OIDCScopes: [], OIDCACRValues: [], VerboseOIDCLogging: false }),
        "OIDCACRValues, OIDCScopes, VerboseOIDCLogging",
      ],
      ["kubernetes", kubernetesConfig(key, ca, { MapNamespaces: true }), "MapNamespaces"],
      [
        "kubernetes",
        kubernetesConfig(key, ca, { ConsulNamespacePrefix: "", ConsulNamespaceOverrides: {} }),
        "ConsulNamespaceOverrides, ConsulNamespacePrefix",
      ],
    ])("%s: %#", async (Type, config, keys) => {
      expect(await v1.put(path, { Name: "a", Type, Config: config })).toMatchObject({
        status: 400,
        text: unknownKeys(keys),
      });
    });
  });
});
