import { expect, test } from "vitest";
import { applyOf, declare, linesOf, makeSo, planOf, serverOf, tracesOf } from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { isConflict } from "./apply.ts";
import { isDone } from "./plan.ts";

const ALL = {
  "directory.yaml": "kind: directory\nowner: all\n",
  "access.yaml": `
kind: token
accessor-id: 6f1c7c5e-0000-4000-8000-000000000001
namespace: team-1
description: CI of the first team
roles: [deployers]
---
kind: role
namespace: team-1
name: deployers
policies: [deploy]
service-identities: [{ service-name: web }]
---
kind: policy
namespace: team-1
name: deploy
description: What deployments need
rules-file: deploy.hcl
---
kind: namespace
name: team-1
meta: { contact: first@example.com }
policy-defaults: [shared-read]
---
kind: policy
name: shared-read
rules: 'key_prefix "shared/" { policy = "read" }'
---
kind: auth-method
namespace: team-1
name: ci
type: jwt
max-token-ttl: 15m
config:
  BoundIssuer: https://ci.example.com
  JWTValidationPubKeys:
    - |
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9
      q9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==
      -----END PUBLIC KEY-----
  ClaimMappings: { repository: repository }
---
kind: binding-rule
namespace: team-1
auth-method: ci
description: main of our repository
selector: value.repository == "example/web"
bind-type: role
bind-name: deployers
`,
  "deploy.hcl": 'service "web" {\n  policy = "write"\n}\n',
  "tags.yaml": `
- { kind: workspace, organization: acme-all, name: prod, project: Networks, tags: [live, eu], tag-bindings: { env: prod } }
- { kind: organization, name: acme-all, email: ops@example.com }
- { kind: project, organization: acme-all, name: Networks, tag-bindings: { team: net } }
- { kind: tag, organization: acme-all, name: kept }
- kind: tag-rules
  organization: acme-all
  enforce: advise
  rules:
    - { name: owners, project: Networks, required-keys: [team] }
`,
};

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("all kinds are made in an order that works, and a second run writes nothing", async () => {
    const server = await serverOf(v1);
    const plan = await makeSo(server, declare(ALL));
    expect(plan.changes).toHaveLength(12);
    const before = await tracesOf(v1);
    const again = await makeSo(server, declare(ALL));
    expect(linesOf(again)).toEqual([]);
    expect(isDone(again)).toBe(true);
    expect(await tracesOf(v1)).toEqual(before);
    const role = await v1.get("/acl/role/name/deployers?ns=team-1");
    expect(role.body).toMatchObject({ Policies: [{ Name: "deploy" }], ServiceIdentities: [{ ServiceName: "web" }] });
    const policy = await v1.get("/acl/policy/name/deploy?ns=team-1");
    expect(policy.body.Rules).toBe(ALL["deploy.hcl"]);
    const { body } = await v1.api("GET", "/organizations/acme-all/workspaces/prod");
    expect(body.data.attributes["tag-names"].toSorted()).toEqual(["eu", "live"]);
  });

  test("a change is made member by member, and what the files do not say of a workspace stays", async () => {
    const server = await serverOf(v1);
    const files = {
      "a.yaml": `
- { kind: policy, name: changed, rules: 'acl = "read"' }
- { kind: role, name: changed, description: one, policies: [changed] }
- { kind: organization, name: acme-changed, email: a@example.com }
- { kind: workspace, organization: acme-changed, name: w, tags: [a, b], tag-bindings: { env: dev } }
- { kind: project, organization: acme-changed, name: Other, tag-bindings: { env: dev } }
`,
    };
    await makeSo(server, declare(files));
    const { body } = await v1.api("GET", "/organizations/acme-changed/workspaces/w");
    await v1.api("PATCH", `/workspaces/${body.data.id}`, {
      data: { type: "workspaces", attributes: { description: "by hand" } },
    });
    const changed = {
      "a.yaml": `
- { kind: policy, name: changed, description: new, rules: 'acl = "write"' }
- { kind: role, name: changed, policies: [] }
- { kind: organization, name: acme-changed, email: b@example.com }
- { kind: workspace, organization: acme-changed, name: w, tags: [b, c], tag-bindings: { env: prod } }
- { kind: project, organization: acme-changed, name: Other, tag-bindings: { env: prod } }
`,
    };
    const plan = await makeSo(server, declare(changed));
    expect(linesOf(plan)).toEqual([
      "update policy default/default/changed: description,rules",
      "update role default/default/changed: description,policies",
      "update organization acme-changed: email",
      "update project acme-changed/Other: tag-bindings",
      "update workspace acme-changed/w: tags,tag-bindings",
    ]);
    expect(linesOf(await planOf(server, declare(changed)))).toEqual([]);
    const after = await v1.api("GET", "/organizations/acme-changed/workspaces/w");
    expect(after.body.data.attributes).toMatchObject({ description: "by hand", "tag-names": ["b", "c"] });
    expect((await v1.get("/acl/role/name/changed")).body).toMatchObject({ Description: "" });
  });

  test("what somebody else has written since the plan is not overwritten, and that ends the apply", async () => {
    const server = await serverOf(v1);
    const text = (rules: string) => ({
      "a.yaml": `
- { kind: policy, name: raced, rules: '${rules}' }
- { kind: organization, name: acme-raced, email: a@example.com }
- { kind: workspace, organization: acme-raced, name: w, tags: [${rules.includes("read") ? "a" : "b"}] }
`,
    });
    await makeSo(server, declare(text('acl = "read"')));
    const plan = await planOf(server, declare(text('acl = "write"')));
    const { ID } = (await v1.get("/acl/policy/name/raced")).body;
    await v1.patch(`/acl/policy/${ID}`, { Description: "by hand" });
    const applied = await applyOf(server, plan);
    expect(isConflict(applied.failure?.error)).toBe(true);
    expect(String(applied.failure?.error)).toContain("policy default/default/raced has changed since the plan");
    expect((await v1.get("/acl/policy/name/raced")).body).toMatchObject({
      Rules: 'acl = "read"',
      Description: "by hand",
    });
    const { body } = await v1.api("GET", "/organizations/acme-raced/workspaces/w");
    await v1.api("POST", `/workspaces/${body.data.id}/relationships/tags`, {
      data: [{ type: "tags", attributes: { name: "mine" } }],
    });
    const workspace = { ...plan, changes: plan.changes.filter(({ object }) => object.kind.name === "workspace") };
    const second = await applyOf(server, workspace);
    expect(String(second.failure?.error)).toContain("workspace acme-raced/w has changed since the plan");
    // Planned anew, it goes on.
    await makeSo(server, declare(text('acl = "write"')));
    expect((await v1.get("/acl/policy/name/raced")).body).toMatchObject({ Rules: 'acl = "write"', Description: "" });
  });

  test("two applies at once: one makes each object, and the other stops with a word that says so", async () => {
    const server = await serverOf(v1);
    const many = Array.from(
      { length: 30 },
      (_, n) => `- { kind: policy, name: twice-${n}, rules: 'acl = "read"' }`,
    ).join("\n");
    const files = { "d.yaml": "kind: directory\nowner: twice\n", "a.yaml": many };
    const plans = [await planOf(server, declare(files)), await planOf(server, declare(files))] as const;
    const [one, other] = await Promise.all([applyOf(server, plans[0]), applyOf(server, plans[1])]);
    const failures = [one, other].flatMap(({ failure }) => failure ?? []);
    expect(failures).toHaveLength(1);
    expect(isConflict(failures[0]?.error)).toBe(true);
    expect(String(failures[0]?.error)).toMatch(/another apply is running|has changed since the plan/);
    expect(linesOf(await planOf(server, declare(files)))).toEqual([]);
  });

  test("an apply that is ended in the middle says what was done, and the next one goes on from there", async () => {
    const ended = new AbortController();
    const server = await serverOf(v1, { signal: ended.signal });
    const many = Array.from(
      { length: 40 },
      (_, n) => `- { kind: policy, name: ended-${n}, rules: 'acl = "read"' }`,
    ).join("\n");
    const files = { "a.yaml": `${many}\n- { kind: role, name: ended, policies: [ended-1] }` };
    const plan = await planOf(server, declare(files));
    const applied = await applyOf(server, plan, {
      onDone: (_change, done) => {
        if (done === 10) ended.abort(new Error("interrupted"));
      },
    });
    expect(String(applied.failure?.error)).toContain("interrupted");
    expect(applied.done.length).toBeGreaterThanOrEqual(10);
    expect(applied.done.length + applied.left.length).toBe(41);
    const fresh = await serverOf(v1);
    const next = await planOf(fresh, declare(files));
    // Changes that were running were completed and counted, so exactly the rest is left.
    expect(next.changes).toHaveLength(applied.left.length);
    await makeSo(fresh, declare(files));
    expect(linesOf(await planOf(fresh, declare(files)))).toEqual([]);
  });
});
