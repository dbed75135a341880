/** Random methods and identities: what is explained is what a login then gives. */
import { beforeAll, expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { sized } from "../../../test/support/length.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { makeIn, makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const METHODS = sized(8, 100);
const IDENTITIES = 12;
const TEXTS = [
  "a",
  "B",
  "web",
  "Global-Management",
  "default",
  "space-1",
  "gone",
  "x.y",
  "",
  "no role",
  "namespace-management",
];
const NAMES = ["web", "a", "${value.team}", "${value.name}", "x-${value.team}", "${value.team}${value.name}", "x-a"];
const SELECTORS = [
  "",
  "",
  'value.team == "a"',
  'value.team != "web" and list.groups is not empty',
  '"ops" in list.groups',
  'value.name matches "^[a-z]+$" or value.team == "B"',
  'not value.team == "web"',
  "list.groups is empty",
];
const NAMESPACES = ["default", "space-1", "Space-2", "gone", "${value.team}", "${value.name}"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "space-1" });
    await makeNamespace(v1, { namespace: "space-2" });
    for (const namespace of ["default", "space-1"]) {
      for (const Name of ["a", "web", "x-a", "default", "Global-Management"])
        await makeIn(v1, { namespace }, "role", { Name });
      for (const Name of ["a", "x-b"]) await makeIn(v1, { namespace }, "policy", { Name });
    }
    await makeIn(v1, { namespace: "space-2" }, "policy", { Name: "web" });
  });

  test("an explanation gives the token, or the refusal, of the login", async () => {
    const random = randomOfRun();
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const outcomes = { given: 0, refused: 0 };
    for (let number = 0; number < METHODS; number++) {
      const method = `m${number}`;
      const some = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) });
      const NamespaceRules = some(2).map(() => ({ Selector: pick(SELECTORS), BindNamespace: pick(NAMESPACES) }));
      const TokenLocality = pick(["", "global"]);
      await makeMethod(v1, key, { Name: method, NamespaceRules, TokenLocality });
      const rules = [undefined, ...some(5)].map(() => {
        const BindType = pick(["service", "service", "node", "role", "role", "policy", "templated-policy"]);
        if (BindType !== "templated-policy") return { Selector: pick(SELECTORS), BindType, BindName: pick(NAMES) };
        const BindName = pick(["builtin/service", "builtin/node", "builtin/dns"]);
        return { Selector: pick(SELECTORS), BindType, BindName, BindVars: { Name: pick(NAMES) } };
      });
      for (const rule of rules) await makeRule(v1, { AuthMethod: method, ...rule });
      for (let i = 0; i < IDENTITIES; i++) {
        const claims = {
          ...(random() < 0.8 && { team: pick(TEXTS) }),
          ...(random() < 0.8 && { name: pick(TEXTS) }),
          ...(random() < 0.6 && { groups: [pick(["ops", "dev"]), "all"] }),
        };
        const BearerToken = bearer(key, claims);
        const proven = await v1.post("/acl/login/explain", { AuthMethod: method, BearerToken });
        expect(proven.status, proven.text).toBe(200);
        const Identity = { value: onlyText(claims), list: "groups" in claims ? { groups: claims.groups } : {} };
        const literal = await v1.post("/acl/login/explain", { AuthMethod: method, Identity });
        const answer = await login(v1, method, BearerToken);
        const what = JSON.stringify({ claims, NamespaceRules, rules, explained: proven.body });
        if (answer.status === 200) {
          // All but what is made for one token alone.
          const { ExpirationTTL: _ttl, ...explained } = proven.body.Token as { ExpirationTTL?: string };
          const given = Object.fromEntries(Object.keys(explained).map((name) => [name, answer.body[name]]));
          expect(explained, what).toEqual(given);
          for (const name of GIVEN) expect(name in explained, what).toBe(name in answer.body);
          expect(proven.body).not.toHaveProperty("Refusal");
          outcomes.given++;
        } else {
          expect([400, 403]).toContain(answer.status);
          expect(withoutId(proven.body.Refusal), what).toBe(withoutId(answer.text));
          expect(proven.body).not.toHaveProperty("Token");
          outcomes.refused++;
        }
        expect(comparable(literal.body), what).toEqual(comparable(proven.body));
      }
    }
    expect(Math.min(outcomes.given, outcomes.refused)).toBeGreaterThan((METHODS * IDENTITIES) / 10);
  });
});

const GIVEN = ["Policies", "Roles", "ServiceIdentities", "NodeIdentities", "TemplatedPolicies"];

function onlyText({ team, name }: { team?: string; name?: string }): object {
  return { ...(team !== undefined && { team }), ...(name !== undefined && { name }) };
}

function withoutId(text: string): string {
  return text.replace(/\. See the server log \(request [^)]*\)/, "");
}

/** @param body any explanation */
function comparable(body: { Refusal?: string }): object {
  return { ...body, Refusal: body.Refusal && withoutId(body.Refusal) };
}
