/** Ownership of objects, deletions that follow from it, and changes to objects of other owners. */
import { expect, test } from "vitest";
import { declare, linesOf, makeSo, planOf, serverOf, tracesOf } from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { transfer } from "./import/transfer.ts";
import { findLosses } from "./losses.ts";
import { planMarkdown } from "./show.ts";
import { readSelector } from "./selector.ts";

const owner = (name: string) => ({ "directory.yaml": `kind: directory\nowner: ${name}\n` });

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("what a directory owns and no longer names goes with --prune, and nothing that somebody else made", async () => {
    const server = await serverOf(v1);
    await v1.put("/acl/policy", { Name: "by-hand" });
    const files = {
      ...owner("prune"),
      "a.yaml": `
- { kind: namespace, name: pruned }
- { kind: policy, namespace: pruned, name: inner }
- { kind: policy, name: kept }
- { kind: policy, name: gone }
- { kind: role, name: gone, policies: [gone] }
- { kind: organization, name: acme-pruned, email: a@example.com }
- { kind: workspace, organization: acme-pruned, name: w, tags: [a], tag-bindings: { env: dev } }
- { kind: tag, organization: acme-pruned, name: pinned }
`,
    };
    await makeSo(server, declare(files));
    const less = {
      ...owner("prune"),
      "a.yaml": "- { kind: policy, name: kept }\n- { kind: organization, name: acme-pruned, email: a@example.com }\n",
    };
    const unpruned = await planOf(server, declare(less));
    expect(linesOf(unpruned)).toEqual([]);
    expect(unpruned.left).toContain("role default/default/gone");
    const plan = await makeSo(server, declare(less), { prune: true });
    expect(linesOf(plan)).toEqual([
      "update workspace acme-pruned/w: tags,tag-bindings",
      "delete tag acme-pruned/pinned",
      "delete role default/default/gone",
      "delete policy default/default/gone",
      "delete policy default/pruned/inner",
      "delete namespace default/pruned",
    ]);
    expect((await v1.get("/acl/policy/name/by-hand")).status).toBe(200);
    expect((await v1.get("/acl/policy/name/kept")).status).toBe(200);
    const { body } = await v1.api("GET", "/organizations/acme-pruned/workspaces/w");
    expect(body.data.attributes["tag-names"]).toEqual([]);
    const before = await tracesOf(v1);
    await makeSo(server, declare(less), { prune: true });
    expect(await tracesOf(v1)).toEqual(before);
  });

  test("an object has one owner: another directory that names it is refused, until it is released", async () => {
    const server = await serverOf(v1);
    const object = "kind: policy\nname: contested\n";
    await makeSo(server, declare({ ...owner("first"), "a.yaml": object }));
    const second = declare({ ...owner("second"), "a.yaml": object });
    await expect(planOf(server, second)).rejects.toThrow(
      "a.yaml:1:1: policy default/default/contested is managed by first",
    );
    const { body } = await v1.get("/acl/declaration/name/first");
    await v1.patch(`/acl/declaration/${body.ID}`, { Objects: [] });
    await makeSo(server, second);
    expect((await v1.get("/acl/declaration/name/second")).body.Objects).toEqual(["policy default/default/contested"]);
  });

  test("incident 81: what holds an object of another owner does not go with --prune, unless it takes over", async () => {
    const server = await serverOf(v1);
    const outer = (rest: string) =>
      declare({ ...owner("outer"), "a.yaml": `- { kind: policy, name: stays }\n${rest}` });
    await makeSo(server, outer("- { kind: namespace, name: shared }\n- { kind: namespace, name: alone }\n"));
    await makeSo(server, declare({ ...owner("inner"), "a.yaml": "kind: policy\nnamespace: shared\nname: held\n" }));
    const refused = await planOf(server, outer(""), { prune: true }).catch(String);
    expect(refused).toContain(
      "namespace default/shared would be deleted, but it contains policy default/shared/held, which is managed by inner",
    );
    expect(refused).not.toContain("default/alone");
    const taken = await makeSo(server, outer(""), { prune: true, takeOver: true });
    expect(linesOf(taken)).toEqual(["delete namespace default/alone", "delete namespace default/shared"]);
  });

  test("incident 81: a directory without an owner changes what another has only when it takes over", async () => {
    const server = await serverOf(v1);
    const rules = 'rules: |\n  key "quay/" { policy = "write" }\n';
    await makeSo(server, declare({ ...owner("harbour"), "a.yaml": `kind: policy\nname: quay\n${rules}` }));
    expect(linesOf(await planOf(server, declare({ "a.yaml": `kind: policy\nname: quay\n${rules}` })))).toEqual([]);
    const other = declare({ "a.yaml": 'kind: policy\nname: quay\nrules: ""\n' });
    await expect(planOf(server, other)).rejects.toThrow(
      "a.yaml:1:1: policy default/default/quay is managed by harbour: change the files of harbour, or pass --take-over",
    );
    const options = { secrets: { env: {}, allowCommands: false, files: "none" }, partition: "default" } as const;
    const taken = { seen: 1, objects: other.objects, left: [], secrets: new Map<string, string>() };
    const moved = await transfer.plan(server, taken, options);
    expect([linesOf(moved.told.plan), moved.left.join()]).toEqual([
      [],
      expect.stringContaining("is managed by harbour"),
    ]);
    const plan = await makeSo(server, other, { takeOver: true });
    expect(plan.taken).toMatchObject([{ owner: "harbour", object: { path: "default/default/quay" } }]);
    expect((await v1.get("/acl/policy/name/quay")).body.Rules).toBe("");
    expect((await v1.get("/acl/declaration/name/harbour")).body.Objects).toEqual(["policy default/default/quay"]);
  });

  test("a binding rule is found by its description, and changed instead of made again; ones without are told apart by what they say", async () => {
    const server = await serverOf(v1);
    const rules = (selector: string, name: string) => ({
      ...owner("rules"),
      "a.yaml": `
- { kind: auth-method, name: ruled, type: aws-iam, config: { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] } }
- { kind: binding-rule, auth-method: ruled, description: main, selector: '${selector}', bind-type: service, bind-name: a }
- { kind: binding-rule, auth-method: ruled, bind-type: service, bind-name: ${name} }
`,
    });
    await makeSo(server, declare(rules('entity_name == "x"', "b")));
    const plan = await planOf(server, declare(rules('entity_name == "y"', "c")), { prune: true });
    expect(linesOf(plan).map((line) => line.replace(/~\w+/, "~"))).toEqual([
      "update binding-rule default/default/ruled/main: selector",
      "create binding-rule default/default/ruled/~",
      "delete binding-rule default/default/ruled/~",
    ]);
    await makeSo(server, declare(rules('entity_name == "y"', "c")), { prune: true });
    const { body } = await v1.get("/acl/binding-rules?authmethod=ruled");
    expect((body as unknown as { BindName: string }[]).map(({ BindName }) => BindName).toSorted()).toEqual(["a", "c"]);
  });

  test("a plan says who loses which rights, the token of the command first, and nobody who has them by other ways", async () => {
    const server = await serverOf(v1);
    const policy = await v1.policy('acl = "write"', "losing");
    const roleId = await v1.role({ Name: "losing", Policies: [{ ID: policy }] });
    const { accessor } = await v1.token({ Description: "holds it", Roles: [{ Name: "losing" }] });
    const own = await v1.token({ Description: "mine", Policies: [{ Name: "losing" }] });
    const other = await v1.policy('acl = "write"', "losing-nothing");
    await v1.token({ Description: "has it twice", Policies: [{ Name: "losing" }, { ID: other }] });
    const mine = await serverOf(v1, { token: own.secret });
    const declared = declare({ "a.yaml": "kind: policy\nname: losing\nrules: 'acl = \"read\"'\n" });
    const plan = await planOf(mine, declared);
    const losses = await findLosses(mine, plan.changes);
    const what = "loses write acl";
    expect(losses.first[0]).toEqual({ who: `token ${own.accessor} (mine)`, what, isOwn: true });
    expect(losses.count).toBe(3);
    expect(losses.first.slice(1)).toEqual(
      expect.arrayContaining([
        { who: `token ${accessor} (holds it)`, what, isOwn: false },
        { who: `role ${roleId} (losing)`, what, isOwn: false },
      ]),
    );
    const text = planMarkdown({ plan, losses, looked: { errors: [], warnings: [], gap: undefined }, untried: [] });
    expect(text).toContain("**Permissions removed from 3.**");
    const nobody = await planOf(server, declare({ "a.yaml": "kind: policy\nname: unheld\n" }));
    expect(await findLosses(server, nobody.changes)).toEqual({ first: [], count: 0 });
  });

  test("a plan goes by all that it changes together: what one policy loses and a new one gives is no loss", async () => {
    const server = await serverOf(v1);
    await v1.policy('key "moved" { policy = "write" }', "moves-from");
    await v1.role({ Name: "moving", Policies: [{ Name: "moves-from" }] });
    const { accessor } = await v1.token({ Roles: [{ Name: "moving" }] });
    const files = (rules: string) =>
      declare({
        "a.yaml": `
- { kind: policy, name: moves-from }
- { kind: policy, name: moves-to, rules: '${rules}' }
- { kind: role, name: moving, policies: [moves-to] }
`,
      });
    const kept = await planOf(server, files('key "moved" { policy = "write" }'));
    expect(await findLosses(server, kept.changes)).toEqual({ first: [], count: 0 });
    const less = await planOf(server, files('key "moved" { policy = "read" }'));
    const { count, first } = await findLosses(server, less.changes);
    expect([count, first.find(({ who }) => who.includes(accessor))?.what]).toEqual([
      2,
      "loses list key moved, write key moved",
    ]);
  });

  test("a plan that changes more than the server compares at once names who holds what changes", async () => {
    const server = await serverOf(v1);
    const rules = Array.from({ length: 300 }, (_, index) => `key "many-${index}" { policy = "write" }`).join("\n");
    await v1.policy(rules, "many");
    await v1.role({ Name: "many", Policies: [{ Name: "many" }] });
    const { accessor } = await v1.token({ Description: "holds it", Roles: [{ Name: "many" }] });
    const plan = await planOf(server, declare({ "a.yaml": "{ kind: policy, name: many }" }));
    expect(await findLosses(server, plan.changes)).toEqual({
      count: 1,
      first: [
        {
          who: `token ${accessor} (holds it)`,
          what: "policy default/default/many has different rules, through role many",
          isOwn: false,
        },
      ],
    });
  });

  test("what is linked to has to be declared or there, and is told with its place before anything is written", async () => {
    const server = await serverOf(v1);
    const before = await tracesOf(v1);
    const files = {
      "a.yaml":
        "- { kind: role, name: needy, policies: [nowhere] }\n- { kind: policy, name: unwritten }\n- { kind: policy, namespace: nowhere, name: x }\n",
    };
    await expect(planOf(server, declare(files))).rejects.toThrow(
      "a.yaml:1:3: role default/default/needy requires policy default/default/nowhere, which is neither in the files nor on the server",
    );
    await expect(planOf(server, declare(files))).rejects.toThrow("requires namespace default/nowhere");
    expect(await tracesOf(v1)).toEqual(before);
  });

  test("a selector means a part of a directory, by labels and by what objects are", async () => {
    const server = await serverOf(v1);
    const files = {
      "a.yaml": `
- { kind: policy, name: sel-a, labels: { team: web } }
- { kind: policy, name: sel-b, labels: { team: db } }
- { kind: role, name: sel-c, labels: { team: web } }
`,
    };
    const planned = async (text: string) =>
      linesOf(await planOf(server, declare(files), { selector: readSelector(text) }));
    expect(await planned("team=web")).toEqual([
      "create policy default/default/sel-a",
      "create role default/default/sel-c",
    ]);
    expect(await planned("team=web,kind!=role")).toEqual(["create policy default/default/sel-a"]);
    expect(() => readSelector("team")).toThrow("invalid selector: expected NAME=VALUE");
  });
});
