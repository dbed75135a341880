/** Tests in which scope logins create tokens, and the grants of the tokens there. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordsOfObject } from "../../../test/support/audit.ts";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { startKubernetesApi, type KubernetesApi } from "../../../test/support/kubernetes-api.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeIn, makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const NOTHING = /^Permission denied: the identity was verified/;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });

  describe("namespace rules", () => {
    beforeAll(async () => {
      for (const namespace of ["team-a", "team-b", "shared"]) {
        await makeNamespace(v1, { namespace });
        await makeIn(v1, { namespace }, "role", { Name: `only-${namespace}` });
        await makeIn(v1, { namespace }, "role", { Name: "everywhere", Description: namespace });
      }
      await v1.role({ Name: "everywhere" });
      await v1.role({ Name: "only-default" });
      const NamespaceRules = [
        { Selector: 'value.team == "none"', BindNamespace: "nowhere" },
        { Selector: '"wide" in list.groups', BindNamespace: "Shared" },
        { Selector: 'value.team matches "^team-"', BindNamespace: "${value.team}" },
        { Selector: 'value.team == "team-a"', BindNamespace: "team-b" },
        { Selector: 'value.name == "computed"', BindNamespace: "${value.team}" },
        { Selector: 'value.name == "literal"', BindNamespace: "default" },
      ];
      await makeMethod(v1, key, { Name: "routed", NamespaceRules });
      for (const BindName of ["everywhere", "only-${value.name}"]) {
        await makeRule(v1, { AuthMethod: "routed", BindType: "role", BindName });
      }
    });

    test.each<[claims: object, namespace: string]>([
      [{ team: "team-a", name: "x" }, "team-a"],
      [{ team: "TEAM-B", name: "x" }, "default"],
      [{ team: "team-B", name: "x" }, "team-b"],
      [{ team: "team-a", groups: ["wide"], name: "x" }, "shared"],
      [{ team: "other", name: "x" }, "default"],
      [{ name: "x" }, "default"],
      [{ team: "x", name: "literal" }, "default"],
    ])(
      "the first that matches decides, with none the token lies where the method does: %j",
      async (claims, namespace) => {
        const { body, text } = await login(v1, "routed", bearer(key, claims));
        expect(body, text).toMatchObject({
          Namespace: namespace,
          AuthMethodNamespace: "default",
          AuthMethod: "routed",
        });
        const shown = await v1.get(`/acl/token/${body.AccessorID}?ns=${namespace}`);
        expect(shown.body).toEqual(body);
        const [role] = body.Roles;
        expect((await v1.get(`/acl/role/${role.ID}?ns=${namespace}`)).status).toBe(200);
        expect(body.Roles).toHaveLength(1);
      },
    );

    test("incident 34: roles are those of the token's namespace, never of another", async () => {
      const { body } = await login(v1, "routed", bearer(key, { team: "team-a", name: "team-b" }));
      expect(body.Roles.map(({ Name }: { Name: string }) => Name)).toEqual(["everywhere"]);
      const own = await login(v1, "routed", bearer(key, { team: "team-a", name: "team-a" }));
      expect(own.body.Roles).toHaveLength(2);
      const [role] = body.Roles;
      expect((await v1.get(`/acl/role/${role.ID}?ns=team-a`)).body.Description).toBe("team-a");
    });

    test.each<[claims: object, text: string]>([
      [{ team: "none" }, 'Namespace "nowhere" does not exist'],
      [{ team: "team-x" }, 'Namespace "team-x" does not exist'],
      [{ team: "team-a." }, 'invalid bind namespace: "team-a."'],
      [{ team: "team-*" }, 'invalid bind namespace: "team-*"'],
      [{ team: "*", name: "computed" }, 'invalid bind namespace: "*"'],
      [{ name: "computed" }, 'invalid bind namespace: ""'],
      [{ team: "../default", name: "computed" }, 'invalid bind namespace: "../default"'],
      [{ team: "%64efault", name: "computed" }, 'invalid bind namespace: "%64efault"'],
      [{ team: "defa\u{1d598}lt", name: "computed" }, `invalid bind namespace: "defa\u{1d598}lt"`],
      [{ team: "d\u{435}fault", name: "computed" }, 'invalid bind namespace: "d\u{435}fault"'],
    ])("incident 10: without such a namespace nobody logs in: %j", async (claims, text) => {
      expect(await login(v1, "routed", bearer(key, claims))).toMatchObject({ status: 403, text });
    });

    test.each(["default", "DEFAULT", "Default", "dEFAULT"])(
      "incident 10, 14: a computed name does not lead to default: %s",
      async (team) => {
        const answer = await login(v1, "routed", bearer(key, { team, name: "computed" }));
        expect(answer).toMatchObject({ status: 403, text: 'Namespace "default" does not exist' });
      },
    );

    test("a name that is put together from parts does not, either", async () => {
      const NamespaceRules = [{ BindNamespace: "def${value.team}" }];
      await makeMethod(v1, key, { Name: "parts", NamespaceRules });
      await makeRule(v1, { AuthMethod: "parts" });
      expect((await login(v1, "parts", bearer(key, { team: "ault" }))).status).toBe(403);
    });

    test("a change of them counts at once, and a rule that cannot be decided refuses the login", async () => {
      await makeMethod(v1, key, { Name: "moving", NamespaceRules: [{ BindNamespace: "team-a" }] });
      await makeRule(v1, { AuthMethod: "moving" });
      expect((await login(v1, "moving", bearer(key))).body.Namespace).toBe("team-a");
      const Selector = 'value.name matches "(?:.*a){500}c"';
      await makeMethod(v1, key, { Name: "moving", NamespaceRules: [{ Selector, BindNamespace: "team-b" }] });
      const answer = await login(v1, "moving", bearer(key, { name: `c${"a".repeat(10_000)}` }));
      expect(answer).toMatchObject({ status: 403, text: "NamespaceRules[0] could not be decided" });
      const BearerToken = bearer(key, { name: `c${"a".repeat(10_000)}` });
      const explained = await v1.post("/acl/login/explain", { AuthMethod: "moving", BearerToken });
      expect(explained.body.Refusal, explained.text).toBe("NamespaceRules[0] could not be decided");
      expect(explained.body).not.toHaveProperty("Token");
      const short = await login(v1, "moving", bearer(key, { name: "c" }));
      expect(short.body?.Namespace, short.text).toBe("default");
    });

    test("incident 84: a rule for what only default has is passed over elsewhere with a reason, and others count", async () => {
      await makeMethod(v1, key, { Name: "nodes", NamespaceRules: [{ BindNamespace: "team-a" }] });
      await makeRule(v1, { AuthMethod: "nodes", BindType: "node", BindName: "n" });
      expect((await login(v1, "nodes", bearer(key))).status).toBe(403);
      const more = { BindType: "templated-policy", BindName: "builtin/node", BindVars: { Name: "n" } };
      await makeRule(v1, { AuthMethod: "nodes", ...more });
      await makeRule(v1, { AuthMethod: "nodes", BindType: "service", BindName: "web" });
      const given = await login(v1, "nodes", bearer(key));
      expect(given.body, given.text).toMatchObject({
        Namespace: "team-a",
        ServiceIdentities: [{ ServiceName: "web" }],
      });
      expect(given.body.NodeIdentities ?? given.body.TemplatedPolicies).toBeUndefined();
      const [record] = await recordsOfObject(v1.db, given.body.AccessorID);
      const { passedOver } = JSON.parse(record?.detail ?? "{}");
      const reasons = ['node "n"', 'templated-policy "builtin/node"'].map(
        (what) => `${what} applies only in the namespace "default"`,
      );
      expect(passedOver.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual(reasons);
      const explained = await v1.post("/acl/login/explain", { AuthMethod: "nodes", BearerToken: bearer(key) });
      for (const reason of reasons) expect(explained.text).toContain(JSON.stringify(reason).slice(1, -1));
    });

    test("of another partition they lead to its own namespaces", async () => {
      await makePartition(v1, "unit");
      await makeNamespace(v1, { namespace: "inner", partition: "unit" });
      for (const [name, namespace] of [
        ["in", "inner"],
        ["out", "team-a"],
      ] as const) {
        await makeMethod(v1, key, { Name: name, NamespaceRules: [{ BindNamespace: namespace }] }, "?partition=unit");
        await makeRule(v1, { AuthMethod: name }, "?partition=unit");
      }
      const inside = await login(v1, "in", bearer(key), { Partition: "unit" });
      expect(inside.body, inside.text).toMatchObject({ Namespace: "inner", Partition: "unit" });
      const text = 'Namespace "team-a" does not exist';
      expect(await login(v1, "out", bearer(key), { Partition: "unit" })).toMatchObject({ status: 403, text });
    });
  });

  describe("a namespace that is being deleted", () => {
    test("incident 13: takes no logins, from where else a method lies; its tokens are unknown, and stay so", async () => {
      await makeNamespace(v1, { namespace: "going" });
      await makeMethod(v1, key, { Name: "into-going", NamespaceRules: [{ BindNamespace: "going" }] });
      await makeRule(v1, { AuthMethod: "into-going" });
      const before = await login(v1, "into-going", bearer(key));
      expect((await v1.delete("/namespace/going")).status).toBe(200);
      expect(await login(v1, "into-going", bearer(key))).toMatchObject({
        status: 403,
        text: 'Namespace "going" is marked for deletion',
      });
      expect((await v1.get("/acl/token/self", before.body.SecretID)).status).toBe(403);
      await finishDeletion(v1.db);
      expect((await login(v1, "into-going", bearer(key))).text).toBe('Namespace "going" does not exist');
      await makeNamespace(v1, { namespace: "going" });
      expect((await v1.get("/acl/token/self", before.body.SecretID)).status).toBe(403);
      expect((await login(v1, "into-going", bearer(key))).status).toBe(200);
    });

    test("incident 13: neither do the methods that lie in it, nor a namespace of the same name afterwards", async () => {
      await makeNamespace(v1, { namespace: "home" });
      await makeMethod(v1, key, { Name: "m" }, "?ns=home");
      await makeRule(v1, { AuthMethod: "m" }, "?ns=home");
      const enter = () => login(v1, "m", bearer(key), { Namespace: "home" });
      const before = await enter();
      expect(before.status, before.text).toBe(200);
      expect((await v1.delete("/namespace/home")).status).toBe(200);
      const late = await enter();
      expect(late.status).toBe(403);
      expect((await v1.get("/acl/token/self", before.body.SecretID)).status).toBe(403);
      await finishDeletion(v1.db);
      expect((await enter()).text).toBe('ACL not found: auth method "m" not found');
      await makeNamespace(v1, { namespace: "home" });
      expect((await enter()).status).toBe(403);
      expect((await v1.get("/acl/token/self", before.body.SecretID)).status).toBe(403);
    });
  });

  describe("a method of a namespace of its own", () => {
    test("gives roles and policies of that one, and no token anywhere else", async () => {
      await makeNamespace(v1, { namespace: "own" });
      const { ID } = await makeIn(v1, { namespace: "own" }, "role", { Name: "local-role" });
      await v1.role({ Name: "default-role" });
      await makeMethod(v1, key, { Name: "m" }, "?ns=own");
      await makeRule(v1, { AuthMethod: "m", BindType: "role", BindName: "${value.team}-role" }, "?ns=own");
      const good = await login(v1, "m", bearer(key, { team: "local" }), { Namespace: "own" });
      expect(good.body, good.text).toMatchObject({ Namespace: "own", AuthMethodNamespace: "own", Roles: [{ ID }] });
      const other = await login(v1, "m", bearer(key, { team: "default" }), { Namespace: "own" });
      expect(other.status).toBe(403);
      expect(other.text).toMatch(NOTHING);
    });

    test("has rules of its own, though another method has its name", async () => {
      for (const namespace of ["one", "two"]) {
        await makeNamespace(v1, { namespace });
        await makeMethod(v1, key, { Name: "same" }, `?ns=${namespace}`);
        await makeRule(v1, { AuthMethod: "same", BindName: `from-${namespace}` }, `?ns=${namespace}`);
      }
      for (const namespace of ["one", "two"]) {
        const { body } = await login(v1, "same", bearer(key), { Namespace: namespace });
        expect(body.ServiceIdentities).toEqual([{ ServiceName: `from-${namespace}` }]);
      }
    });
  });

  describe("namespaces of Kubernetes", () => {
    let api: KubernetesApi;
    beforeAll(async () => {
      api = await startKubernetesApi();
      for (const namespace of ["shop", "k8s-shop", "special"]) await makeNamespace(v1, { namespace });
    });
    afterAll(() => api.close());

    async function enter(account: [namespace: string, name: string], Config: object, content: object = {}) {
      const name = v1.unique("cluster");
      const own = { Host: api.url, CACert: api.ca, ServiceAccountJWT: api.reviewer };
      const method = { Name: name, Type: "kubernetes", Config: { ...own, ...Config }, ...content };
      const made = await v1.put("/acl/auth-method", method);
      expect(made.status, made.text).toBe(200);
      await makeRule(v1, { AuthMethod: name, BindName: "${serviceaccount.name}" });
      api.createAccount(...account);
      return login(v1, name, api.issueToken(...account));
    }

    test.each<[what: string, namespace: string, config: object, expected: string]>([
      ["without a map, in the method's own", "shop", {}, "default"],
      ["mapped, in one of the same name", "shop", { MapNamespaces: true }, "shop"],
      ["with a prefix", "shop", { MapNamespaces: true, ConsulNamespacePrefix: "k8s-" }, "k8s-shop"],
      ["by the map", "shop", { MapNamespaces: true, ConsulNamespaceOverrides: { shop: "special" } }, "special"],
      [
        "written out, in default",
        "shop",
        { MapNamespaces: true, ConsulNamespaceOverrides: { shop: "default" } },
        "default",
      ],
    ])("a service account's token lies %s", async (_what, namespace, config, expected) => {
      const answer = await enter([namespace, "web"], config);
      expect(answer.body, answer.text).toMatchObject({
        Namespace: expected,
        ServiceIdentities: [{ ServiceName: "web" }],
      });
    });

    test("incident 10: a namespace `default` of the cluster does not lead to that of the server", async () => {
      for (const config of [{}, { ConsulNamespacePrefix: "def" }]) {
        const from = "ConsulNamespacePrefix" in config ? "ault" : "default";
        const answer = await enter([from, "web"], { MapNamespaces: true, ...config });
        expect(answer).toMatchObject({ status: 403, text: 'Namespace "default" does not exist' });
      }
    });

    test("one that there is not lets nobody in, and namespace rules go before", async () => {
      const missing = await enter(["elsewhere", "web"], { MapNamespaces: true });
      expect(missing).toMatchObject({ status: 403, text: 'Namespace "elsewhere" does not exist' });
      const NamespaceRules = [{ Selector: 'serviceaccount.name == "web"', BindNamespace: "special" }];
      const ruled = await enter(["shop", "web"], { MapNamespaces: true }, { NamespaceRules });
      expect(ruled.body?.Namespace, ruled.text).toBe("special");
      const unmatched = await enter(["shop", "api"], { MapNamespaces: true }, { NamespaceRules });
      expect(unmatched.body?.Namespace, unmatched.text).toBe("shop");
    });

    test("who it is, is what rules see", async () => {
      const refused = await enter(["shop", "with.dot"], {});
      expect(refused).toMatchObject({
        status: 403,
        text: expect.stringMatching(/^invalid bind name: "with\.dot"; granted by binding rule \S+$/),
      });
    });
  });
});
