import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { parseCidr } from "../../outbound/cidr.ts";
import { sealConfig } from "./config.ts";
import { methodStore, type AuthMethod } from "./store.ts";
import { createValidators, type Validators } from "./validators.ts";

const SCOPE = { partition: "default", namespace: "default" };
const key = createSigningKey("k1");
let server: KeyServer;
beforeAll(async () => (server = await startKeyServer([key])));
afterAll(() => server.close());

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
  const made: Validators[] = [];
  const create = () => {
    const outboundAllow = [parseCidr("127.0.0.0/8")];
    const validators = createValidators({ db: v1.db, outboundAllow, now: v1.now, onTrouble: () => undefined });
    made.push(validators);
    return validators;
  };
  afterEach(() => made.splice(0).forEach((validators) => validators.close()));
  const stored = async (Name: string): Promise<AuthMethod> => {
    const method = await methodStore.byName(v1.db, SCOPE, Name);
    if (method === undefined) throw new Error("it was made");
    return method;
  };
  const remote = async () => {
    const Config = { JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca };
    const { body } = await v1.put("/acl/auth-method", { Name: v1.unique("remote"), Type: "jwt", Config });
    return stored(String(body.Name));
  };

  test("a validator is made once for a configuration, whatever else of the method is changed", async () => {
    const validators = create();
    const method = await remote();
    const asked = server.requests.length;
    const all = await Promise.all(Array.from({ length: 20 }, () => validators.of(method)));
    expect(new Set(all).size).toBe(1);
    await Promise.all(all.map((each) => each.verify(bearer(key))));
    expect(server.requests.length).toBe(asked + 1);
    await v1.patch(`/acl/auth-method/${method.name}`, { Description: "x", MaxTokenTTL: "1h" });
    expect(await validators.of(await stored(method.name))).toBe(all[0]);
    await v1.patch(`/acl/auth-method/${method.name}`, { Config: { BoundIssuer: "x" } });
    expect(await validators.of(await stored(method.name))).not.toBe(all[0]);
  });

  test("a reader that is behind gets the old one, and does not push out the new one", async () => {
    const validators = create();
    const old = await remote();
    await v1.patch(`/acl/auth-method/${old.name}`, { Config: { BoundIssuer: "x" } });
    const method = await stored(old.name);
    const current = await validators.of(method);
    const behind = await validators.of(old);
    expect(behind).not.toBe(current);
    await behind.verify(bearer(key));
    expect(await validators.of(method)).toBe(current);
    await expect(current.verify(bearer(key))).rejects.toThrow("invalid issuer claim (iss)");
  });

  test("methods of one configuration have validators of their own, a later one of the same name too", async () => {
    const validators = create();
    const [one, two] = [await remote(), await remote()];
    expect(await validators.of(one)).not.toBe(await validators.of(two));
    await v1.delete(`/acl/auth-method/${one.name}`);
    const Config = { JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca };
    await v1.put("/acl/auth-method", { Name: one.name, Type: "jwt", Config });
    expect(await validators.of(await stored(one.name))).not.toBe(await validators.of(one));
  });

  test("a stored configuration that this version does not take lets nobody log in, and says so, until it is mended", async () => {
    const { Name } = await makeMethod(v1, key, { Name: v1.unique("old"), MaxTokenTTL: "5m" });
    await makeRule(v1, { AuthMethod: Name });
    expect((await login(v1, Name, bearer(key))).status).toBe(200);
    const method = await stored(Name);
    const config_sealed = await sealConfig(v1.db, method.id, { Nonsense: true });
    await v1.write((sql) => sql.updateTable("auth_methods").set({ config_sealed }).where("id", "=", method.id));
    const refused = await login(v1, Name, bearer(key));
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(
      new RegExp(`^auth method validator for "${Name}" could not be initialized: error decoding config: `),
    );
    expect((await v1.get(`/acl/auth-method/${Name}`)).body.Config).toEqual({ Nonsense: true });
    expect((await v1.patch(`/acl/auth-method/${Name}`, { Description: "x" })).status).toBe(400);
    await makeMethod(v1, key, { Name });
    expect((await login(v1, Name, bearer(key))).status).toBe(200);
  });
});
