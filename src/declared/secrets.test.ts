import { expect, test } from "vitest";
import { mapSecrets, secretFaults, secretsIn } from "./secrets.ts";

const assertion = (PrivateKey: object) => ({ Audience: ["a"], PrivateKey });

test.each([
  [{ OIDCClientSecret: "s" }, { OIDCClientSecret: "s" }],
  [{ serviceAccountJWT: "s" }, { serviceAccountJWT: "s" }],
  [{ OIDCClientAssertion: assertion({ PemKey: "s", KeyID: "k" }) }, { "OIDCClientAssertion.PrivateKey.PemKey": "s" }],
  [{ OIDCClientAssertion: [assertion({ pemkey: "s" })] }, { "OIDCClientAssertion.PrivateKey.pemkey": "s" }],
  [{ OIDCClientAssertion: assertion([{ PemKey: "s" }]) }, { "OIDCClientAssertion.PrivateKey.PemKey": "s" }],
  [{ PemKey: "none", ClaimMappings: { pemkey: "none" } }, {}],
])("the secrets of %j are found, changed and taken out where they are", (config, wanted) => {
  expect(Object.fromEntries(secretsIn(config as never))).toEqual(wanted);
  const changed = JSON.stringify(mapSecrets(config as never, () => "env:X"));
  expect(changed).toBe(JSON.stringify(config).replaceAll('"s"', '"env:X"'));
  expect(JSON.stringify(mapSecrets(config as never, () => undefined))).not.toContain('"s"');
  expect(secretFaults({ config } as never)).toHaveLength(Object.keys(wanted).length);
});
