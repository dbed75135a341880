/** Tests which details of denied logins the log contains, and which neither the log nor an answer ever contains. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, signToken, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { MOST_OF_SOURCE } from "../../records/refusals/budget.ts";

const key = createSigningKey("k1");

interface Line {
  requestId: string;
  authMethod: string;
  address: string;
  reason: string;
  bindingRule?: string;
  variables?: [string, string][];
  candidates?: { id: string; verdict: string; reason: string }[];
  rules?: number;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"], loginFailureLimit: 0 } });
  beforeEach(() => void v1.log.splice(0));
  const written = () => v1.log.filter((line) => line.includes('"login denied"'));
  const lines = () => written().map((line) => JSON.parse(line) as Line);

  async function method(rules: readonly object[], content: object = {}): Promise<{ name: string; ids: string[] }> {
    const name = v1.unique("m");
    await makeMethod(v1, key, { Name: name, ...content });
    const ids: string[] = [];
    for (const rule of rules) ids.push(await makeRule(v1, { AuthMethod: name, ...rule }));
    v1.log.splice(0);
    return { name, ids };
  }

  test("a refused login is there with what was known, why each candidate gave nothing, and the request's ID", async () => {
    const { name, ids } = await method([
      { Selector: 'value.team == "a" and value.name == "other"' },
      { Selector: 'value.team == "b"' },
      { BindType: "role", BindName: "no-such-role" },
    ]);
    const answer = await login(v1, name, bearer(key, { team: "a", name: "x" }));
    expect(answer.status).toBe(403);
    const [line] = lines();
    expect(line).toMatchObject({
      requestId: answer.headers["x-request-id"],
      authMethod: name,
      partition: "default",
      namespace: "default",
      address: "127.0.0.1",
      reason: answer.text,
      rules: 3,
    });
    expect(line?.variables).toEqual(
      expect.arrayContaining([
        ["value.team", "a"],
        ["value.name", "x"],
      ]),
    );
    const reasons = new Map(line?.candidates?.map(({ id, verdict, reason }) => [id, { verdict, reason }]));
    expect(reasons.get(ids[0] ?? "")).toMatchObject({ verdict: "not matched" });
    expect(reasons.get(ids[2] ?? "")).toEqual({
      verdict: "matched",
      reason: 'grants nothing: role "no-such-role" does not exist; the selector is empty',
    });
  });

  test("the rule that cannot give what it says is named, however many there are before it", async () => {
    const { name } = await method(Array.from({ length: 30 }, () => ({})));
    const rule = await makeRule(v1, { AuthMethod: name, BindName: "${value.team}" });
    await login(v1, name, bearer(key, { team: "a.b" }));
    expect(lines()).toMatchObject([
      { reason: `invalid bind name: "a.b"; granted by binding rule ${rule}`, bindingRule: rule },
    ]);
  });

  test("one full record a second for each method, a short line for the others", async () => {
    const [one, other] = [await method([]), await method([])];
    for (let i = 0; i < 5; i++) await login(v1, one.name, bearer(key));
    await login(v1, other.name, bearer(key));
    const all = lines();
    expect(all).toHaveLength(6);
    const full = all.filter((line) => line.candidates !== undefined);
    // A slow machine may see the next second begin.
    expect(full.filter(({ authMethod }) => authMethod === one.name).length).toBeLessThan(5);
    expect(full.filter(({ authMethod }) => authMethod === other.name)).toHaveLength(1);
    for (const line of all) expect(line.reason).toMatch(/^Permission denied/);
  });

  test.each<[what: string, selector: string, claim: string]>([
    ["many rules", 'value.team != "x"', "a"],
    [
      "long selectors",
      Array.from({ length: 100 }, (_, i) => `value.team != "${"y".repeat(40)}${i}"`).join(" and "),
      "a",
    ],
    ["long claims", 'value.team matches "x"', "\u{1f600}".repeat(2000)],
    ["control characters", 'value.team matches "x"', "\u0001".repeat(1000)],
  ])("a record has at most 20 candidates and 8 KiB: %s", async (_what, Selector, team) => {
    const rules = Array.from({ length: 40 }, () => ({ Selector, BindType: "role", BindName: "x" }));
    const claims = Array.from({ length: 30 }, (_, i) => `c${i}`);
    const ClaimMappings = Object.fromEntries(["team", "name", ...claims].map((claim) => [claim, claim]));
    const { name } = await method(rules, { Config: { ClaimMappings } });
    const many = Object.fromEntries(claims.map((claim) => [claim, team.slice(0, 50)]));
    const answer = await login(v1, name, bearer(key, { team, ...many }));
    expect(answer.status, answer.text).toBe(403);
    const [line = ""] = written();
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(8 * 1024);
    const { candidates = [], rules: count } = JSON.parse(line) as Line;
    expect(candidates.length).toBeGreaterThan(2);
    expect(candidates.length).toBeLessThanOrEqual(20);
    expect(count).toBe(40);
  });

  test("long reasons are cut, in short lines too", async () => {
    const { name } = await method([{ BindName: "${value.team}" }]);
    for (let i = 0; i < 3; i++) await login(v1, name, bearer(key, { team: "\u{1f600}".repeat(1500) }));
    for (const line of written()) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(8 * 1024);
    expect(written()).toHaveLength(3);
  });

  test("the line of each refused request names the method and the claimed identity, also where the records only count it", async () => {
    const { name } = await method([]);
    const forger = createSigningKey("k1");
    for (let i = 0; i <= MOST_OF_SOURCE; i++) await login(v1, name, bearer(forger, { sub: `who-${i}` }));
    const requests = v1.log
      .map((line) => JSON.parse(line) as { msg: string; refused?: object })
      .filter(({ msg }) => msg === "request");
    expect(requests).toHaveLength(MOST_OF_SOURCE + 1);
    for (const [i, { refused }] of requests.entries()) {
      expect(refused).toEqual({ kind: "login", authMethod: name, subject: JSON.stringify(["", `who-${i}`]) });
    }
  });

  test("a claim cannot begin a line of its own", async () => {
    const { name } = await method([{ BindName: "${value.team}" }]);
    await login(v1, name, bearer(key, { team: 'x\n{"level":60,"msg":"forged"}' }));
    for (const line of v1.log) expect(line.trimEnd()).not.toContain("\n");
  });

  test("what a login succeeds with, and an unknown method, is no refusal", async () => {
    const { name } = await method([{}]);
    expect((await login(v1, name, bearer(key))).status).toBe(200);
    expect((await login(v1, "nobody", bearer(key))).status).toBe(403);
    expect(lines()).toEqual([]);
  });

  test("incident 84: that all that the rules give counts only elsewhere is one", async () => {
    const { name } = await method([{ BindType: "node", BindName: "n" }], {
      NamespaceRules: [{ BindNamespace: "full" }],
    });
    expect((await v1.put("/namespace/full")).status).toBe(200);
    const answer = await login(v1, name, bearer(key));
    expect(answer.status, answer.text).toBe(403);
    expect(lines()).toMatchObject([{ rules: 1 }]);
  });

  describe("incident 24: a credential is nowhere", () => {
    let provider: KeyServer;
    beforeAll(async () => {
      provider = await startKeyServer([key]);
    });
    afterAll(() => provider.close());

    test("in no line at any level, and in no answer, however a login ends", async () => {
      const JWKS = { JWKSURL: `${provider.url}/keys`, JWKSCACert: provider.ca, JWTValidationPubKeys: undefined };
      await makeMethod(v1, key, { Name: "canary", Config: { ...JWKS, BoundAudiences: ["tessera"] } });
      await makeRule(v1, { AuthMethod: "canary", Selector: 'value.team == "a"', BindName: "${value.name}" });
      const canary = "canary0123456789canary";
      const good = { aud: "tessera", team: "a", name: "web", jti: canary };
      const other = createSigningKey("k9");
      const signed = bearer(key, good);
      const credentials = [
        canary,
        `${canary}.${canary}.${canary}`,
        signed,
        bearer(key, { ...good, name: "a.b" }),
        bearer(key, { ...good, team: "b" }),
        bearer(key, { ...good, aud: "else" }),
        bearer(key, { ...good, exp: 1 }),
        bearer(other, good),
        signToken(key, good, { alg: "none" }),
        signed.slice(0, -30),
        `${signed}x`,
        `Bearer ${signed}`,
        canary.repeat(2000),
      ];
      for (const credential of credentials) {
        v1.log.splice(0);
        const answers = [
          await login(v1, "canary", credential),
          await v1.post("/acl/login", `{"AuthMethod": "canary", "BearerToken": "${credential}", "BearerToken": 1}`, ""),
          await v1.post("/acl/login", `{"AuthMethod": "canary", "BearerToken": "${credential}`, ""),
          await v1.post("/acl/login/explain", { AuthMethod: "canary", BearerToken: credential }),
        ];
        const texts = [...v1.log, ...answers.map(({ text, headers }) => text + JSON.stringify(headers))].join("\n");
        // A signature's letters, and the payload's, stand for the whole.
        const parts = credential.split(/[ .]/).filter((part) => part.length > 20);
        for (const part of parts) expect(texts).not.toContain(part.slice(0, 60));
        expect(texts).not.toContain(canary);
      }
    });

    test("neither is the secret of a token that a login made", async () => {
      const { name } = await method([{}]);
      const { body } = await login(v1, name, bearer(key));
      await v1.get("/acl/token/self", body.SecretID);
      await v1.post("/acl/logout", undefined, body.SecretID);
      await v1.post("/acl/logout", undefined, body.SecretID);
      expect(v1.log.join("\n")).not.toContain(body.SecretID);
    });
  });
});
