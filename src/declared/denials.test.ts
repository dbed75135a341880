/** Defaults and links that a plan adds and that deny something: whom they take from is named, whether the server compares rights or not. */
import { expect, test } from "vitest";
import { declare, planOf, serverOf } from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { findLosses } from "./losses.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  const tellingOf = async (options: Parameters<typeof serverOf>[1] = {}) => {
    const server = await serverOf(v1, options);
    return async (text: string) => {
      const { changes } = await planOf(server, declare({ "a.yaml": text }));
      return (await findLosses(server, changes)).first.map(({ who, what, isOwn }) => ({ who, what, isOwn }));
    };
  };
  /** As a server answers that compares no rights. */
  const older: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return fetch(url.replace("/acl/effect", "/acl/no-such-path"), init);
  };

  test("a default of a namespace that comes and denies takes from the tokens there", async () => {
    await v1.policy('namespace "team" { key_prefix "" { policy = "write" } }', "gives");
    await v1.policy('namespace "team" { key_prefix "a" { policy = "deny" } }', "denies");
    await v1.policy('namespace "team" { key_prefix "a" { policy = "read" } }', "reads");
    const ACLs = { PolicyDefaults: [{ Name: "gives" }] };
    await v1.put("/namespace", { Name: "team", ACLs });
    const { body } = await v1.put("/acl/token?ns=team", { Description: "bare" });
    const [now, before] = [await tellingOf(), await tellingOf({ fetch: older })];
    const who = `token ${body.AccessorID} (bare)`;
    const named = (policy: string, more = "") => `
- { kind: namespace, name: team, policy-defaults: [gives, ${policy}] }
${more}`;
    const made = '- { kind: policy, name: new, rules: \'namespace "team" { key_prefix "a" { policy = "deny" } }\' }';
    const all = (what: string) => [{ who: "namespace default/team", what, isOwn: false }];
    for (const [text, policy] of [
      [named("denies"), "denies"],
      [named("new", made), "new"],
    ] as const) {
      expect(await now(text)).toEqual([{ who, what: expect.stringMatching(/^loses read key a…/), isOwn: false }]);
      expect(await before(text)).toEqual(all(`grants its tokens policy-default ${policy}, which includes deny rules`));
    }
    const role = `
- { kind: role, name: crew, policies: [reads, denies] }
- { kind: namespace, name: team, policy-defaults: [], role-defaults: [crew] }`;
    expect(await before(role)).toEqual(
      all(
        "no longer grants its tokens policy-default gives, and grants its tokens role-default crew, which includes deny rules",
      ),
    );
    expect(await before(named("reads"))).toEqual([]);
  });

  test("so does a policy that a token or a role gets", async () => {
    await v1.policy('key "a" { policy = "deny" }', "no-a");
    await v1.policy('key "b" { policy = "read" }', "b");
    const role = await v1.role({ Name: "held" });
    const { accessor } = await v1.token({ Description: "holder", Roles: [{ ID: role }] });
    const { accessor: other } = await v1.token({ Description: "other" });
    const before = await tellingOf({ fetch: older });
    const token = (policy: string) =>
      `{ kind: token, accessor-id: ${other}, description: other, policies: [${policy}] }`;
    expect(await before(token("no-a"))).toEqual([
      { who: `token ${other} (other)`, what: "receives policy no-a, which includes deny rules", isOwn: false },
    ]);
    expect(await before(token("b"))).toEqual([]);
    expect(await before("{ kind: role, name: held, policies: [b, no-a] }")).toEqual([
      {
        who: `token ${accessor} (holder)`,
        what: "receives through role default/default/held policy no-a, which includes deny rules",
        isOwn: false,
      },
    ]);
    expect(await before("{ kind: role, name: held, policies: [b] }")).toEqual([]);
  });

  test("the token of the command is told that such a default comes, also where it may not read its namespace", async () => {
    await v1.policy('operator = "write" acl = "write"', "unseen-gives");
    await v1.policy('operator = "deny"', "no-operator");
    await v1.put("/namespace/unseen", { ACLs: { PolicyDefaults: [{ Name: "unseen-gives" }] } });
    const { body } = await v1.put("/acl/token?ns=unseen", {});
    const mine = await tellingOf({ token: String(body.SecretID) });
    expect(await mine("{ kind: namespace, name: unseen, policy-defaults: [unseen-gives, no-operator] }")).toEqual([
      {
        who: "namespace default/unseen",
        what: "grants its tokens policy-default no-operator, which includes deny rules",
        isOwn: true,
      },
    ]);
  });
});
