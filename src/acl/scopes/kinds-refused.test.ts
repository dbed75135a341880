/** Every kind of rule, written into a policy of every home: what a policy may not hold is refused, and the refusal names it. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { loginIn, makeIn, makeMethodIn, KEY } from "../../../test/support/scopes.ts";
import { bearer, login } from "../../../test/support/login.ts";
import { NOBODY, useV1, type V1 } from "../../../test/support/v1.ts";

const TENANT = "tenant";

interface Home {
  partition: string;
  namespace: string;
}

const ROOT: Home = { partition: "default", namespace: "default" };
const P2: Home = { partition: "p2", namespace: "default" };
const HOMES: readonly Home[] = [ROOT, { ...ROOT, namespace: TENANT }, P2, { ...P2, namespace: TENANT }];

/**
 * Policies that may contain a kind: all, those of `default` namespaces, or those of `default` in the default partition.
 */
type Holders = "all" | "default namespaces" | "default/default";

interface Kind {
  rules: string;
  /** Name of the kind in an error. */
  name: string;
  holders: Holders;
}

const KINDS: readonly Kind[] = [
  scalar("acl", "all"),
  scalar("keyring", "default/default"),
  scalar("mesh", "default namespaces"),
  scalar("operator", "default/default"),
  scalar("peering", "default namespaces"),
  ...labelled("agent", "default namespaces"),
  ...labelled("event", "default namespaces"),
  ...labelled("key", "all"),
  ...labelled("node", "all", "read"),
  ...labelled("node", "all", "deny"),
  ...labelled("node", "default namespaces").map((kind) => ({ ...kind, name: `${kind.name} with the policy "write"` })),
  ...labelled("organization", "default/default"),
  ...labelled("query", "default namespaces"),
  ...labelled("service", "all"),
  ...labelled("session", "all"),
  ...labelled("workspace", "default/default"),
  ...["namespace", "namespace_prefix"].map((kind) => block(kind, "team", "default namespaces")),
  block("partition", "p2", "default namespaces"),
  block("partition", "P2", "default namespaces"),
  block("partition", "p3", "default/default"),
  block("partition", "default", "default/default"),
  block("partition_prefix", "p2", "default/default"),
  block("partition_prefix", "", "default/default"),
];

function scalar(name: string, holders: Holders): Kind {
  return { rules: `${name} = "read"`, name, holders };
}

function labelled(kind: string, holders: Holders, policy = "write"): Kind[] {
  return [kind, `${kind}_prefix`].map((name) => ({ rules: `${name} "a" { policy = "${policy}" }`, name, holders }));
}

function block(name: string, label: string, holders: Holders): Kind {
  return { rules: `${name} "${label}" { policy = "read" acl = "read" }`, name, holders };
}

function mayHold({ partition, namespace }: Home, holders: Holders): boolean {
  if (holders === "all" || namespace !== "default") return holders === "all";
  return holders === "default namespaces" || partition === "default";
}

function refusal({ partition, namespace }: Home, ...names: string[]): string {
  const where = namespace === "default" ? 'the partition "default"' : 'the namespace "default"';
  expect({ partition, namespace }).not.toEqual(ROOT);
  return `Invalid Policy: a policy outside ${where} cannot have these rules: ${names.join(", ")}`;
}

function queryOf({ partition, namespace }: Home): string {
  return `ns=${namespace}&partition=${partition}`;
}

async function makeScopes(v1: V1): Promise<void> {
  for (const [path, body] of [
    ["/namespace", { Name: TENANT }],
    ["/partition", { Name: P2.partition }],
    ["/namespace", { Name: TENANT, Partition: P2.partition }],
  ] as const) {
    const { status, text } = await v1.put(path, body);
    expect(status, text).toBe(200);
  }
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => makeScopes(v1));

  /** A policy of this home, and what there is to see of it. */
  function useExisting(home: Home) {
    const query = queryOf(home);
    const existing = {
      path: "",
      query,
      read: () => v1.get(existing.path),
      list: () => v1.get(`/acl/policies?${query}`),
    };
    beforeAll(async () => {
      const { body } = await v1.put(`/acl/policy?${query}`, { Name: v1.unique("existing"), Rules: 'acl = "read"' });
      existing.path = `/acl/policy/${String(body.ID)}?${query}`;
    });
    return existing;
  }

  describe.each(HOMES.filter((home) => home !== ROOT))("a policy of $partition/$namespace", (home) => {
    const existing = useExisting(home);
    const { query } = existing;

    test.each(KINDS.filter(({ holders }) => !mayHold(home, holders)))("cannot be given: $rules", async (kind) => {
      const before = [(await existing.list()).text, (await existing.read()).text];
      for (const Rules of [
        kind.rules,
        `service "web" { policy = "read" }\n${kind.rules.replace(/^\w+/, (name) => name.toUpperCase())}`,
      ]) {
        for (const answer of [
          await v1.put(`/acl/policy?${query}`, { Name: "new", Rules }),
          await v1.put(existing.path, { Name: "replaced", Rules }),
          await v1.patch(existing.path, { Rules }),
        ]) {
          // Named as kinds are spelled, also when the text was in capitals.
          expect([answer.status, answer.text]).toEqual([400, refusal(home, kind.name)]);
        }
      }
      expect([(await existing.list()).text, (await existing.read()).text]).toEqual(before);
    });

    test("is refused with all kinds that it cannot have, each named once", async () => {
      const rules = `keyring = "read" service "a" { policy = "read" } operator = "deny" key "b" { policy = "read" }`;
      const answer = await v1.put(`/acl/policy?${query}`, { Name: "new", Rules: rules });
      expect([answer.status, answer.text]).toEqual([400, refusal(home, "keyring", "operator")]);
      const json = JSON.stringify({ workspace_prefix: { "": { policy: "read" } }, acl: "read", operator: "read" });
      const inJson = await v1.patch(existing.path, { Rules: json });
      expect([inJson.status, inJson.text]).toEqual([400, refusal(home, "workspace_prefix", "operator")]);
    });

    test("is refused before it is looked for, and after the permission", async () => {
      const body = { Name: "new", Rules: 'operator = "read"' };
      expect(await v1.put(`/acl/policy/${NOBODY}?${query}`, body)).toMatchObject({ status: 400 });
      expect(await v1.put(`/acl/policy?${query}`, body, "")).toMatchObject({ status: 403 });
    });
  });

  describe.each(HOMES)("a policy of $partition/$namespace", (home) => {
    const existing = useExisting(home);

    test.each(KINDS.filter(({ holders }) => mayHold(home, holders)))("can be given: $rules", async ({ rules }) => {
      const made = await v1.put(`/acl/policy?${existing.query}`, { Name: v1.unique("kind"), Rules: rules });
      expect(made.status, made.text).toBe(200);
      for (const answer of [
        await v1.put(existing.path, { Name: (await existing.read()).body.Name, Rules: rules }),
        await v1.patch(existing.path, { Rules: rules }),
        await existing.read(),
      ]) {
        expect([answer.status, answer.body?.Rules]).toEqual([200, rules]);
      }
    });

    test("keeps its rules where a patch names none", async () => {
      const { body } = await v1.patch(existing.path, { Description: "patched" });
      expect(body).toMatchObject({ Description: "patched", Rules: (await existing.read()).body.Rules });
    });
  });

  describe.each(HOMES)("what is for nodes, in $partition/$namespace,", (home) => {
    const query = queryOf(home);
    const isAllowed = home.namespace === "default";
    const forNodes = [
      ["NodeIdentities", [{ NodeName: "web", Datacenter: "dc1" }], "Node identities"],
      [
        "TemplatedPolicies",
        [{ TemplateName: "builtin/node", TemplateVariables: { Name: "web" } }],
        'templated policies "builtin/node"',
      ],
    ] as const;

    test.each(forNodes)(`${isAllowed ? "is taken" : "is refused"}: %s`, async (member, identities, named) => {
      const content = { [member]: identities };
      const token = await v1.put(`/acl/token?${query}`);
      const role = await v1.put(`/acl/role?${query}`, { Name: v1.unique("role") });
      const tokenPath = `/acl/token/${token.body.AccessorID}?${query}`;
      const rolePath = `/acl/role/${role.body.ID}?${query}`;
      const before = [(await v1.get(tokenPath)).text, (await v1.get(rolePath)).text];
      const answers = {
        token: [
          await v1.put(`/acl/token?${query}`, content),
          await v1.put(tokenPath, content),
          await v1.patch(tokenPath, content),
        ],
        role: [
          await v1.put(`/acl/role?${query}`, { Name: v1.unique("role"), ...content }),
          await v1.put(rolePath, { Name: role.body.Name, ...content }),
          await v1.patch(rolePath, content),
        ],
      };
      for (const owner of ["token", "role"] as const) {
        const text = `${named} are allowed only in the namespace "default", and this ${owner} is in another`;
        for (const answer of answers[owner]) {
          if (isAllowed) expect([answer.status, answer.body[member].length]).toEqual([200, 1]);
          else expect([answer.status, answer.text]).toEqual([400, text]);
        }
      }
      const after = [(await v1.get(tokenPath)).text, (await v1.get(rolePath)).text];
      if (!isAllowed) expect(after).toEqual(before);
    });

    test.each([
      ["node", "web", {}, "NodeIdentities", "Node identities apply"],
      [
        "templated-policy",
        "builtin/node",
        { BindVars: { Name: "web" } },
        "TemplatedPolicies",
        'The templated policy "builtin/node" applies',
      ],
    ] as const)(
      `incident 84: ${isAllowed ? "is given by a login" : "is refused when a binding rule is written"}: bind type %s`,
      async (BindType, BindName, more, member, named) => {
        await makeMethodIn(v1, home);
        if (!isAllowed) {
          const content = { AuthMethod: "ruled", BindType, BindName, ...more };
          const refused = await v1.put(`/acl/binding-rule?${query}`, content);
          const text = `Invalid Binding Rule: ${named} only in the namespace "default", where this auth method creates no tokens`;
          expect([refused.status, refused.text]).toEqual([400, text]);
          return;
        }
        const rule = await makeIn(v1, home, "binding-rule", { BindType, BindName, ...more });
        try {
          expect((await loginIn(v1, home))[member]).toHaveLength(1);
        } finally {
          await v1.delete(`/acl/binding-rule/${rule.ID}?${query}`);
        }
      },
    );
  });

  describe.each(HOMES.filter(({ namespace }) => namespace === "default"))(
    "what is for nodes, in $partition/$namespace,",
    (home) => {
      test("is not given by a login that leads out of the namespace default", async () => {
        await makeMethodIn(v1, home, { Name: "outward", NamespaceRules: [{ BindNamespace: TENANT }] });
        await makeIn(v1, home, "binding-rule", { AuthMethod: "outward", BindType: "node", BindName: "web" });
        const answer = await login(v1, "outward", bearer(KEY), { Partition: home.partition });
        expect([answer.status, answer.text]).toEqual([
          403,
          expect.stringContaining("no binding rule grants it permissions"),
        ]);
      });
    },
  );
});
