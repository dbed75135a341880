import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, signToken, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { login } from "../../../test/support/login.ts";
import { jwtConfig, kubernetesConfig } from "../../../test/support/method-configs.ts";
import { REDIRECT_URI } from "../../../test/support/openid-login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { createWaits } from "../../../test/support/waits.ts";
import { openConfig } from "./config.ts";
import { methodStore } from "./store.ts";

const SCOPE = { partition: "default", namespace: "default" };
const key = createSigningKey("k1");
const HIDDEN = "<hidden>";
let canaries = 0;
const canary = () => `ca9a4e11-canary-${String(++canaries).padStart(6, "0")}`;

let server: KeyServer;
beforeAll(async () => {
  server = await startKeyServer([key]);
  server.answer = (path, response) => {
    if (path !== "/.well-known/openid-configuration") return false;
    const endpoint = (name: string) => `${server.url}/${name}`;
    const document = { issuer: server.url, jwks_uri: endpoint("keys") };
    const ends = { authorization_endpoint: endpoint("auth"), token_endpoint: endpoint("token") };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...document, ...ends }));
    return true;
  };
});
afterAll(() => server.close());

forEachEngine((engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
  const { wait } = createWaits(v1);
  let reader = "";
  beforeAll(async () => (reader = await v1.tokenWith('acl = "read"')));

  const jwtOf = (text: string) => `${signToken(key, { sub: "reviewer" })}${Buffer.from(text).toString("base64url")}`;
  const oidc = (secret: string) => ({
    OIDCDiscoveryURL: server.url,
    OIDCDiscoveryCACert: server.ca,
    OIDCClientID: "tessera",
    OIDCClientSecret: secret,
    AllowedRedirectURIs: [REDIRECT_URI],
  });
  /** A method with a secret, of each type that has one. */
  const kinds = {
    kubernetes: {
      secretKey: "ServiceAccountJWT",
      make: (secret: string) => kubernetesConfig(key, server.ca, { ServiceAccountJWT: secret }),
    },
    oidc: { secretKey: "OIDCClientSecret", make: oidc },
  };
  const make = async (Type: keyof typeof kinds, secret: string, query = "") => {
    const Name = v1.unique(Type);
    const answer = await v1.put(`/acl/auth-method${query}`, {
      Name,
      Type,
      MaxTokenTTL: "5m",
      Config: kinds[Type].make(secret),
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Name: string; Config: Record<string, unknown> };
  };
  const sealed = async (name: string) => (await methodStore.byName(v1.db, SCOPE, name))?.configSealed;

  test("the key of an assertion is shown as a secret is, and all else around it to every reader", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const PemKey = privateKey.export({ type: "pkcs8", format: "pem" });
    const { OIDCClientSecret: _, ...rest } = oidc("");
    for (const PrivateKey of [{ PemKey, KeyID: "k" }, [{ pemkey: PemKey }]]) {
      const Config = { ...rest, OIDCClientAssertion: { Audience: ["a"], PrivateKey } };
      const Name = v1.unique("asserts");
      const answer = await v1.put("/acl/auth-method", { Name, Type: "oidc", MaxTokenTTL: "5m", Config });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.Config).toEqual(Config);
      const path = `/acl/auth-method/${Name}`;
      const hidden = JSON.parse(JSON.stringify(Config).replaceAll(JSON.stringify(PemKey), JSON.stringify(HIDDEN)));
      expect((await v1.get(path, reader)).body.Config).toEqual(hidden);
      expect(await v1.put(path, { MaxTokenTTL: "5m", Config: hidden })).toMatchObject({
        status: 400,
        text: expect.stringMatching(/PemKey is "<hidden>", the placeholder of a secret. Send the secret$/i),
      });
      const patched = await v1.patch(path, { Config: { OIDCClientAssertion: { KeyAlgorithm: "RS512" } } });
      expect(patched.body.Config.OIDCClientAssertion).toEqual({ Audience: ["a"], KeyAlgorithm: "RS512", PrivateKey });
      const records = await v1.get("/audit?kind=auth-method");
      expect(records.text).toContain(Name);
      expect(records.text).not.toContain("PRIVATE KEY");
    }
  });

  describe.each(Object.keys(kinds) as (keyof typeof kinds)[])("the secret of a method of type %s", (type) => {
    const { secretKey } = kinds[type];

    test("is shown to who may write the method, and to nobody else", async () => {
      const secret = jwtOf(canary());
      const { Name, Config } = await make(type, secret);
      expect(Config[secretKey]).toBe(secret);
      const path = `/acl/auth-method/${Name}`;
      expect((await v1.get(path)).body.Config).toEqual(Config);
      const shown = await v1.get(path, reader);
      expect(shown.body.Config).toEqual({ ...Config, [secretKey]: HIDDEN });
      for (const query of ["?pretty", "?stale", "?consistent", "?ns=default"]) {
        expect((await v1.get(path + query, reader)).text).not.toContain(secret);
      }
      for (const list of ["/acl/auth-methods", "/acl/auth-methods?ns=*"])
        expect((await v1.get(list)).text).not.toContain(secret);
      const team = v1.unique("team");
      await makeNamespace(v1, { namespace: team });
      const elsewhere = await v1.tokenWith(`acl = "read" namespace "${team}" { acl = "write" }`);
      expect((await v1.get(path, elsewhere)).body.Config[secretKey]).toBe(HIDDEN);
      // Blocked on the same change, woken by the same write.
      const held = [await wait(path), await wait(path, { token: reader }), await wait(path, { token: elsewhere })];
      await v1.patch(path, { Description: "x" });
      const [own, ...others] = await Promise.all(held.map(({ answer }) => answer));
      expect(own?.body.Config[secretKey]).toBe(secret);
      for (const { body } of others) expect(body).toMatchObject({ Description: "x", Config: { [secretKey]: HIDDEN } });
    });

    test("is hidden under whatever letters its key is written in", async () => {
      const secret = jwtOf(canary());
      const { Name, Config } = await make(type, secret);
      const { [secretKey]: _, ...rest } = Config;
      for (const spelled of [secretKey.toLowerCase(), secretKey.toUpperCase()]) {
        const answer = await v1.put(`/acl/auth-method/${Name}`, {
          MaxTokenTTL: "5m",
          Config: { ...rest, [spelled]: secret },
        });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.body.Config[spelled]).toBe(secret);
        expect((await v1.get(`/acl/auth-method/${Name}`, reader)).body.Config).toEqual({ ...rest, [spelled]: HIDDEN });
      }
    });

    test("stays when something else is changed, also by who has read it hidden", async () => {
      const secret = jwtOf(canary());
      const { Name, Config } = await make(type, secret);
      const path = `/acl/auth-method/${Name}`;
      const before = await sealed(Name);
      const { body } = await v1.patch(path, { Description: "x", Config: {} });
      expect(body.Config).toEqual(Config);
      expect(await sealed(Name)).toBe(before);
      const other = type === "oidc" ? { OIDCScopes: ["profile"] } : { Host: "https://192.0.2.2" };
      expect((await v1.patch(path, { Config: other })).body.Config).toEqual({ ...Config, ...other });
      expect((await v1.get(path)).body.Config[secretKey]).toBe(secret);
      expect(await sealed(Name)).not.toBe(before);
    });

    test(`incident 21: ${HIDDEN} is no secret: sent back it is refused, and it opens nothing`, async () => {
      const { Name, Config } = await make(type, jwtOf(canary()));
      const path = `/acl/auth-method/${Name}`;
      const shown = (await v1.get(path, reader)).body;
      for (const [spelled, answer] of [
        [secretKey, await v1.put(path, shown)],
        [secretKey, await v1.put("/acl/auth-method", shown)],
        [secretKey, await v1.put("/acl/auth-method", { ...shown, Name: v1.unique("copy") })],
        [secretKey, await v1.patch(path, { Config: { [secretKey]: HIDDEN } })],
        [secretKey, await v1.patch(path, { Config: { [secretKey.toLowerCase()]: HIDDEN } })],
        [
          secretKey.toLowerCase(),
          await v1.put(path, {
            ...shown,
            Config: { ...Config, [secretKey]: undefined, [secretKey.toLowerCase()]: HIDDEN },
          }),
        ],
      ] as const) {
        const text = `Invalid Auth Method: Config.${spelled} is "${HIDDEN}", the placeholder of a secret. Send the secret`;
        expect(answer).toMatchObject({ status: 400, text });
      }
      expect((await v1.get(path)).body.Config).toEqual(Config);
      expect(await v1.get(path, HIDDEN)).toMatchObject({ status: 403, text: "ACL not found" });
      expect((await login(v1, Name, HIDDEN)).status).toBe(403);
    });

    test("is sealed for the method alone: in the row of another it cannot be opened", async () => {
      const [one, two] = [await make(type, jwtOf(canary())), await make(type, jwtOf(canary()))];
      const [first, second] = [
        await methodStore.byName(v1.db, SCOPE, one.Name),
        await methodStore.byName(v1.db, SCOPE, two.Name),
      ];
      if (first === undefined || second === undefined) throw new Error("both are there");
      expect(await openConfig(v1.db, first)).toEqual(one.Config);
      await expect(openConfig(v1.db, { ...first, configSealed: second.configSealed })).rejects.toThrow();
    });
  });

  test("incident 24: nothing of a configuration is in rows, files, the log, refusals, metrics or events", async () => {
    const secrets: string[] = [];
    const secret = () => secrets[secrets.push(canary()) - 1] ?? "";
    const jwt = () => secrets[secrets.push(jwtOf(canary())) - 1] ?? "";
    const url = await v1.listen();
    const abort = new AbortController();
    const stream = await fetch(`${url}/v1/events`, { headers: { "x-consul-token": MANAGEMENT }, signal: abort.signal });
    let events = "";
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) events += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => undefined);

    const told: Answer[] = [];
    const [k8s, web] = [await make("kubernetes", jwt()), await make("oidc", secret())];
    // No secrets: who may read the method is shown them, and so is who may read what was done to it.
    const [issuer, claim] = [canary(), canary()];
    const Config = jwtConfig(key, { BoundIssuer: issuer, ClaimMappings: { [claim]: "name" } });
    const plain = (await v1.put("/acl/auth-method", { Name: v1.unique("plain"), Type: "jwt", Config })).body;
    const paths = [k8s, web, plain].map(({ Name }) => `/acl/auth-method/${Name}`);
    for (const path of paths) {
      await v1.get(path);
      await v1.patch(path, { Description: "x" });
    }
    await v1.patch(paths[0] ?? "", { Config: { ServiceAccountJWT: jwt() } });
    await v1.patch(paths[1] ?? "", { Config: { OIDCClientSecret: secret() } });
    for (const path of paths.slice(0, 2))
      told.push(await v1.get(path, reader), await v1.get("/acl/auth-methods", reader));
    for (const path of ["/acl/auth-method", paths[0] ?? "", paths[1] ?? "", paths[2] ?? ""]) {
      const isNew = path === "/acl/auth-method";
      const put = (Type: string, config: object) =>
        v1.put(path, {
          Name: path.split("/")[3] ?? "new",
          MaxTokenTTL: "5m",
          Config: config,
          ...(isNew ? { Type } : {}),
        });
      told.push(
        await put("kubernetes", { ...k8s.Config, ServiceAccountJWT: secret() }),
        await put("kubernetes", { ...k8s.Config, ServiceAccountJWT: [secret()] }),
        await put("kubernetes", { ...k8s.Config, ServiceAccountJWT: { [secret()]: secret() } }),
        await put("kubernetes", { ...k8s.Config, Host: `ftp://${secret()}` }),
        await put("kubernetes", { ...k8s.Config, CACert: `-----BEGIN CERTIFICATE-----${secret()}` }),
        await put("oidc", { ...web.Config, OIDCClientSecret: [secret(), secret()] }),
        await put("oidc", { ...web.Config, OIDCDiscoveryURL: `https://a:${secret()}@127.0.0.1/` }),
        await put("jwt", { JWTValidationPubKeys: [secret()] }),
        await put("jwt", { JWKSURL: `https://a:${secret()}@127.0.0.1/` }),
        await put("jwt", { JWKSURL: `${server.url}/nowhere?key=${secret()}`, JWKSCACert: server.ca }),
        await put("jwt", { JWTValidationPubKeys: [key.publicKey], OIDCClientSecret: secret() }),
        await v1.put(path, `{"Config": {"OIDCClientSecret": "${secret()}"`),
        await v1.put(path, `{"Config": "${secret()}"}`),
        await v1.patch(path, { Config: { ServiceAccountJWT: secret() } }, reader),
      );
    }
    for (const path of paths) await v1.delete(path);
    told.push(await v1.send({ method: "GET", url: "/metrics", headers: { authorization: `Bearer ${MANAGEMENT}` } }));
    await expect.poll(() => events.split("event: auth-methods").length).toBeGreaterThanOrEqual(12);
    abort.abort();
    await reading;

    const { sql } = v1.db;
    const tables = ["auth_methods", "deleted_methods", "binding_rules", "meta", "table_indexes"] as const;
    const rows = await Promise.all(tables.map((table) => sql.selectFrom(table).selectAll().execute()));
    const outputs = new Map([
      ["answers", told.map(({ text, headers }) => text + JSON.stringify(headers)).join("\n")],
      ["log", v1.log.join("\n")],
      ["rows", JSON.stringify(rows)],
      ["records", JSON.stringify(await sql.selectFrom("audit_records").selectAll().execute())],
      ["events", events],
      ...databaseFiles().map((file) => [file, readFileSync(file, "latin1")] as const),
    ]);
    expect(secrets.length).toBeGreaterThan(48);
    for (const name of ["answers", "log", "rows", "events"]) expect(outputs.get(name)?.length).toBeGreaterThan(500);
    const leaks = [...outputs].flatMap(([place, text]) =>
      secrets.flatMap((each) =>
        text.includes(each)
          ? [`${each} in ${place}: ${text.slice(Math.max(0, text.indexOf(each) - 80), text.indexOf(each))}`]
          : [],
      ),
    );
    expect(leaks).toEqual([]);
    for (const name of ["answers", "log", "rows", "events"]) {
      expect(
        [issuer, claim].filter((each) => outputs.get(name)?.includes(each)),
        name,
      ).toEqual([]);
    }
    // The search itself finds what is there: names may be seen.
    const isNamed = (...places: string[]) => places.some((place) => outputs.get(place)?.includes(k8s.Name));
    expect([isNamed("rows"), isNamed("events"), isNamed(...databaseFiles())]).toEqual([
      true,
      true,
      engine === "sqlite",
    ]);
    expect(outputs.get("log")).toContain("/v1/acl/auth-method");
  });

  /** The database, its WAL and what lies in the data directory. */
  function databaseFiles(): string[] {
    const inData = readdirSync(v1.dataDir).map((name) => join(v1.dataDir, name));
    if (engine === "postgres") return inData;
    const file = v1.url.slice("sqlite:".length);
    return [...inData, file, `${file}-wal`];
  }
});
