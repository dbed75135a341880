import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { MethodConfigError } from "../errors.ts";
import type { RawConfig, VerifiedIdentity } from "../validator.ts";
import { readNamespaceMapping, readServer } from "./config.ts";
import { kubernetesNamespace } from "./validator.ts";

const { ca, key } = makeCertificate();
const valid = { Host: "https://192.0.2.1:6443", CACert: ca, ServiceAccountJWT: "e30.e30.AAAA" };

function refusal(changes: RawConfig): string {
  try {
    readServer({ ...valid, ...changes });
  } catch (error) {
    if (error instanceof MethodConfigError) return error.message;
    throw error;
  }
  return "";
}

describe("the configuration of a cluster", () => {
  test("needs a host, an authority and a reviewer", () => {
    expect(readServer(valid)).toEqual({ url: "https://192.0.2.1:6443", ca, reviewer: "e30.e30.AAAA" });
    expect(refusal({ Host: "" })).toBe("Config.Host is required");
    expect(refusal({ CACert: undefined })).toBe("Config.CACert is required");
    expect(refusal({ ServiceAccountJWT: null })).toBe("Config.ServiceAccountJWT is required");
    expect(refusal({ Host: undefined, CACert: undefined })).toBe("Config.Host is required");
  });

  test("refuses keys that it does not know", () => {
    expect(refusal({ JWKSURL: "https://example.com" })).toContain("has invalid keys: JWKSURL");
  });

  test.each(
    (
      [
        ["192.0.2.1:6443", "https://192.0.2.1:6443"],
        ["kubernetes.default.svc", "https://kubernetes.default.svc"],
        ["localhost:6443", "https://localhost:6443"],
        ["https://[2001:db8::1]:6443/", "https://[2001:db8::1]:6443"],
        ["https://rancher.example/k8s/clusters/c-1/", "https://rancher.example/k8s/clusters/c-1"],
        [`https://a.example/b/${"/".repeat(4000)}`, "https://a.example/b"],
      ] as const
    ).map(([host, url]) => [shown(host), host, url] as const),
  )("takes the host %s", (_shown, host, url) => {
    expect(readServer({ ...valid, Host: host }).url).toBe(url);
  });

  test.each(
    (
      [
        ["http://192.0.2.1", "Config.Host is not an https URL"],
        ["file:///etc/passwd", "Config.Host is not an https URL"],
        ["https://", "Config.Host is not an https URL"],
        ["https://user@192.0.2.1", "Config.Host must not have a user, a query or a fragment"],
        ["https://192.0.2.1?a=b", "Config.Host must not have a user, a query or a fragment"],
        ["https://192.0.2.1".padEnd(100_000, "/"), "'Host' must not be longer than 4096 characters"],
        ["https://192.0.2.1#a", "Config.Host must not have a user, a query or a fragment"],
      ] as const
    ).map(([host, message]) => [shown(host), host, message] as const),
  )("refuses the host %s", (_shown, host, message) => {
    expect(refusal({ Host: host })).toBe(message);
  });

  test("takes several authorities, and nothing that stands between them", () => {
    const other = makeCertificate().ca;
    expect(readServer({ ...valid, CACert: `# first\n${ca}${key}\n${other}` }).ca).toBe(ca + other);
  });

  test("takes twenty authorities, and no more", () => {
    expect(readServer({ ...valid, CACert: ca.repeat(20) }).ca).toBe(ca.repeat(20));
    expect(refusal({ CACert: ca.repeat(21) })).toBe(
      "error parsing kubernetes ca cert: data contains more than 20 certificates",
    );
    expect(refusal({ CACert: ca.padEnd(65_537, "\n") })).toBe(
      "error parsing kubernetes ca cert: data is longer than 65536 characters",
    );
  });

  test("refuses very long texts", () => {
    expect(refusal({ ServiceAccountJWT: `e30.e30.${"A".repeat(32_768)}` })).toBe(
      "'ServiceAccountJWT' must not be longer than 32768 characters",
    );
    expect(refusal({ ConsulNamespacePrefix: "k".repeat(4097) })).toBe(
      "'ConsulNamespacePrefix' must not be longer than 4096 characters",
    );
  });

  test.each([
    ["no certificate", "hello", "data does not contain any valid certificates"],
    ["a key", key, "data does not contain any valid certificates"],
    ["half of one", ca.slice(0, 200), "data does not contain any valid certificates"],
    ["a broken one", ca.replace(/\nM.{20}/, "\nAAAA"), "certificate 1 is malformed"],
    ["a broken second one", `${ca}${ca.replace(/\nM.{20}/, "\nAAAA")}`, "certificate 2 is malformed"],
  ])("refuses an authority that is %s", (_what, pem, reason) => {
    expect(refusal({ CACert: pem })).toBe(`error parsing kubernetes ca cert: ${reason}`);
  });

  test("checks the reviewer's token for its form, and forgives a line break behind it", () => {
    const invalid = "Config.ServiceAccountJWT is not a valid JWT: ";
    expect(refusal({ ServiceAccountJWT: "hello" })).toBe(`${invalid}it does not consist of three parts in base64url`);
    expect(refusal({ ServiceAccountJWT: "e30.W10.AAAA" })).toBe(`${invalid}it is not a JSON object`);
    expect(refusal({ ServiceAccountJWT: "e30.e30.AA\r\nX-Evil: 1" })).toContain(invalid);
    expect(readServer({ ...valid, ServiceAccountJWT: "e30.e30.AAAA\n" }).reviewer).toBe("e30.e30.AAAA");
  });

  test("incident 35: values are never the names of files", () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "secrets"));
    const [pem, token] = [join(directory, "ca.crt"), join(directory, "secrets", "token")];
    writeFileSync(pem, ca);
    writeFileSync(token, "e30.e30.AAAA");
    for (const path of [pem, `file://${pem}`, `@${pem}`]) {
      expect(refusal({ CACert: path })).toBe(
        "error parsing kubernetes ca cert: data does not contain any valid certificates",
      );
    }
    expect(refusal({ ServiceAccountJWT: token })).toContain("Config.ServiceAccountJWT is not a valid JWT");
    expect(refusal({ Host: `file://${pem}` })).toBe("Config.Host is not an https URL");
    expect(refusal({ TokenPath: token, CertFile: pem })).toContain("has invalid keys: CertFile, TokenPath");
  });
});

describe("the namespace of a service account's tokens", () => {
  const identity = (namespace: string): VerifiedIdentity => ({
    fields: new Map(),
    variables: new Map([["serviceaccount.namespace", namespace]]),
  });

  test.each<[string, RawConfig, string | undefined]>([
    ["no mapping", {}, undefined],
    ["a prefix without a mapping", { ConsulNamespacePrefix: "k8s-" }, undefined],
    ["the same name", { MapNamespaces: true }, "payments"],
    ["a prefix", { MapNamespaces: "true", ConsulNamespacePrefix: "k8s-" }, "k8s-payments"],
    [
      "an override, to which the prefix does not apply",
      { MapNamespaces: true, ConsulNamespacePrefix: "k8s-", ConsulNamespaceOverrides: { payments: "money" } },
      "money",
    ],
    ["an override of another namespace", { MapNamespaces: true, ConsulNamespaceOverrides: { web: "www" } }, "payments"],
  ])("%s", (_what, config, wanted) => {
    const mapped = kubernetesNamespace(readNamespaceMapping({ ...valid, ...config }), identity("payments"));
    expect(mapped?.name).toBe(wanted);
    expect(mapped?.isComputed).toBe(wanted === undefined ? undefined : wanted !== "money");
  });

  test("is found for names that objects are born with", () => {
    const mapping = readNamespaceMapping({ ...valid, MapNamespaces: true, ConsulNamespaceOverrides: {} });
    expect(kubernetesNamespace(mapping, identity("constructor"))?.name).toBe("constructor");
    expect(kubernetesNamespace(mapping, identity(""))).toBeUndefined();
  });
});
