/** Incident 89: a configuration that was stored when less was refused is read as it was until somebody writes it. */
import { expect, test } from "vitest";
import { storeMethodAsBefore } from "../../../test/support/earlier-method.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { findEarlierMethods, tellEarlierMethods } from "./earlier.ts";

const KEY = createSigningKey("k", "ES256");
const RSA_ONLY = { JWTSupportedAlgs: ["RS256"] };
const BY_ANOTHER = "the algorithm of the signature is not one of JWTSupportedAlgs";
const FRACTION = "error converting claim 'name' to string: the number is not an integer";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** Makes a method, and gives its name. */
  async function made(name: string, Config: object = {}): Promise<string> {
    const { Name } = await makeMethod(v1, KEY, { Name: name, Config });
    await makeRule(v1, { AuthMethod: Name });
    return name;
  }

  const outcome = async (name: string, claims: object = {}) => {
    const { status, text } = await login(v1, name, bearer(KEY, claims));
    return status === 200 ? 200 : text;
  };
  const told = async (isBrief = false) =>
    tellEarlierMethods(findEarlierMethods({ ...v1.db, keyring: v1.db.keyring }), { isBrief });
  /** In the overview of a new token, since an overview is kept for a while. */
  const shown = async (rules: string): Promise<unknown> =>
    (await v1.get("/acl/overview", await v1.tokenWith(rules))).body.AuthMethodsReadAsBefore.First;

  test("JWTSupportedAlgs holds for keys of a method's own, unless that was stored before", async () => {
    const name = await made("named", RSA_ONLY);
    expect(await outcome(name)).toContain(BY_ANOTHER);
    expect(await outcome(await made("unnamed"))).toBe(200);
    await storeMethodAsBefore(v1.db, name);
    expect(await outcome(name)).toBe(200);
    // A change of something else is none of the configuration.
    expect((await v1.patch(`/acl/auth-method/${name}`, { Description: "as before" })).status).toBe(200);
    expect(await outcome(name)).toBe(200);
    const listed =
      "1 auth method uses the earlier format and would reject more logins after its Config is saved again (see docs/api/auth-methods.md): default/default/named";
    const algorithms = "JWTSupportedAlgs would also apply to its keys";
    const fractions = "claims with fractional numbers would be rejected";
    expect(await told()).toBe(`${listed} (${algorithms}; ${fractions})`);
    expect(await told(true)).toBe(`${listed} (${algorithms})`);
    expect(await shown('acl = "read"')).toEqual([
      { Name: name, Namespace: "default", Differences: [algorithms, fractions] },
    ]);
    expect(await shown('operator = "read"')).toEqual([]);
    await made(name, RSA_ONLY);
    expect(await outcome(name)).toContain(BY_ANOTHER);
    expect(await told()).toBe(undefined);
    expect(await shown('acl = "read"')).toEqual([]);
  });

  test("a claim that is a number with a fraction is refused, and cut where that was stored before", async () => {
    const name = await made("fractions");
    expect(await outcome(name, { name: 1.5 })).toContain(FRACTION);
    expect(await outcome(name, { name: 2 })).toBe(200);
    await storeMethodAsBefore(v1.db, name);
    expect(await outcome(name, { name: 1.5 })).toBe(200);
    expect(await told(true)).toBe(undefined);
    expect(await told()).toContain("default/default/fractions (claims with fractional numbers would be rejected)");
    expect((await v1.patch(`/acl/auth-method/${name}`, { Config: { BoundIssuer: "" } })).status).toBe(200);
    expect(await outcome(name, { name: 1.5 })).toContain(FRACTION);
  });
});
