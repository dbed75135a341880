/** A replay: entries that it cannot replay, that it hides, and that it finds in logins and in refusals on record. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { refusalOf } from "../../../test/support/refusals.ts";
import { replayRows, useRow } from "../../../test/support/replays.ts";
import { loginIn, makeIn, makeMethodIn, METHOD } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import type { UseRow } from "../../records/uses/row.ts";
import type { BindingDraft } from "./logins.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 0 } });

  describe("what cannot be asked again", () => {
    const named = (more: Partial<UseRow>): UseRow => ({
      ...useRow("", {
        Resource: "key",
        Segment: "a/b",
        Access: "read",
        Namespace: "default",
      }),
      ...more,
    });

    test("is counted by reason: subjects that are gone, folded names that the draft may concern", async () => {
      const policy = await v1.policy('key_prefix "fold/" { policy = "write" } node_prefix "n" { policy = "read" }');
      const { accessor: accessorId } = await v1.token({ Policies: [{ ID: policy }] });
      const subject = { kind: "token", accessorId } as const;
      const rule = { policyId: policy, resource: "key", prefix: true, segment: "fold/", permission: "write" } as const;
      const rows = [
        named({ subject, rule, name: undefined }),
        named({ subject, rule, name: undefined, access: "list" }),
        named({ subject, rule: { ...rule, resource: "node", segment: "n" }, resource: "node", name: undefined }),
        named({ subject: { kind: "token", accessorId: "11111111-2222-4333-8444-555555555555" }, name: "x" }),
        named({ subject: { kind: "identity", authMethod: "nowhere", identity: "nobody" } }),
        named({ subject: { kind: "roles", authMethod: "nowhere", roles: [] } }),
      ];
      const changed = { Policies: [{ ID: policy, Rules: 'node_prefix "n" { policy = "read" }' }] };
      const found = await replayRows(v1, changed, rows);
      expect(found.unreplayable).toEqual({ subject: 2, name: 1, claims: 1 });
      // The list is as wide as its rule, so it can be asked.
      expect(found.counts).toEqual({ refused: 1, allowed: 0, "already-refused": 0 });
      expect(found.entries.map(({ question }) => [question.segment, question.isPrefix])).toEqual([["fold/", true]]);
      const unchanged = await replayRows(v1, {}, rows);
      expect(unchanged.unreplayable).toEqual({ subject: 2, name: 0, claims: 1 });
    });

    test("are roles of folded identities only where the roles alone do not decide", async () => {
      const policy = await v1.policy('key_prefix "a" { policy = "read" }');
      const role = await v1.role({ Name: v1.unique("folded"), Policies: [{ ID: policy }] });
      const subject = { kind: "roles", authMethod: "sso", roles: [role] } as const;
      const rows = [named({ subject }), named({ subject, access: "write" })];
      const found = await replayRows(v1, { DeletedPolicies: [{ ID: policy }] }, rows);
      expect(found).toMatchObject({ counts: { refused: 1, "already-refused": 0 }, unreplayable: { claims: 1 } });
      expect(found.entries[0]?.subject).toEqual(subject);
    });
  });

  test("a name that the caller may not read is not shown, and the rule that let it through is", async () => {
    const policy = await v1.policy('key_prefix "app/" { policy = "read" } key "app/own" { policy = "read" }');
    const { accessor: accessorId } = await v1.token({ Policies: [{ ID: policy }] });
    const reader = await v1.token({
      Policies: [{ ID: await v1.policy('acl = "read" key "app/seen" { policy = "read" }') }],
    });
    const rule = { policyId: policy, resource: "key", prefix: true, segment: "app/", permission: "read" } as const;
    const of = (name: string, more: Partial<UseRow> = {}): UseRow => ({
      ...useRow(accessorId, { Resource: "key", Segment: name, Access: "read", Namespace: "default" }),
      rule,
      ...more,
    });
    const own = { ...rule, prefix: false, segment: "app/own" };
    const rows = [of("app/seen"), of("app/hidden-1"), of("app/hidden-2"), of("app/own", { rule: own })];
    const found = await replayRows(v1, { DeletedPolicies: [{ ID: policy }] }, rows, {
      reader: { accessorId: reader.accessor },
    });
    expect(found.counts.refused).toBe(4);
    const told = found.entries.map(({ question: { segment, isPrefix }, questions, use }) => [
      segment,
      isPrefix,
      questions,
      use.total,
    ]);
    expect(told).toEqual([
      ["app/", true, 2, 4],
      ["app/own", false, 1, 2],
      ["app/seen", false, 1, 2],
    ]);
    expect(JSON.stringify(found.entries.map(({ question }) => question))).not.toContain("hidden");
  });

  describe("logins", () => {
    const KEY = { Resource: "key", Segment: "app/x", Access: "read", Namespace: "default" } as const;
    const row = (identity: string): UseRow => ({
      ...useRow("", KEY),
      subject: { kind: "identity", authMethod: METHOD, identity: JSON.stringify(["", identity]) },
    });

    test("are asked as their newest token, and by drafted rules as far as the record of the login tells", async () => {
      await makeMethodIn(v1, {});
      const Name = v1.unique("app");
      const policy = await v1.policy('key_prefix "app/" { policy = "read" }');
      await v1.role({ Name, Policies: [{ ID: policy }] });
      const content = { BindType: "role", BindName: Name, Selector: 'value.team == "a"' };
      const rule = String((await makeIn(v1, {}, "binding-rule", content)).ID);
      await loginIn(v1, {}, { sub: "ada", team: "a" });
      const [method] = await v1.db.sql.selectFrom("auth_methods").select("id").where("name", "=", METHOD).execute();
      const before = { selector: content.Selector, bindType: "role", bindName: Name, bindVars: undefined };
      const drafted = (after: BindingDraft["after"]) => ({
        bindings: [{ id: rule, methodId: method?.id ?? "", authMethod: METHOD, before, after }],
      });
      // One without a subject is known by its claims, which the ledger does not keep.
      const rows = [row("ada"), row("nobody"), row("")];
      const same = { refused: 0, "already-refused": 0 };
      const byPolicy = await replayRows(v1, { DeletedPolicies: [{ ID: policy }] }, rows);
      expect(byPolicy).toMatchObject({ counts: { refused: 1 }, unreplayable: { subject: 1, claims: 1 } });
      expect(byPolicy.entries[0]?.subject).toMatchObject({ kind: "identity", identity: '["","ada"]' });
      const deleted = await replayRows(v1, {}, rows, drafted(undefined));
      expect(deleted).toMatchObject({ counts: { refused: 1 }, unreplayable: { subject: 1, claims: 1 } });
      const other = await replayRows(v1, {}, rows, drafted({ ...before, bindName: "nothing" }));
      expect(other.counts.refused).toBe(1);
      const everybody = await replayRows(v1, {}, rows, drafted({ ...before, selector: "" }));
      expect(everybody).toMatchObject({ counts: same, unreplayable: { claims: 1 } });
      const unknown = await replayRows(v1, {}, rows, drafted({ ...before, selector: 'value.team == "b"' }));
      expect(unknown).toMatchObject({ counts: same, unreplayable: { subject: 1, claims: 2 } });
      const computed = await replayRows(v1, {}, rows, drafted({ ...before, bindName: "x-${value.team}" }));
      expect(computed).toMatchObject({ counts: same, unreplayable: { subject: 1, claims: 2 } });
    });
  });

  describe("refusals on record", () => {
    test("are what a draft can newly allow, and only those that the caller may read", async () => {
      const policy = await v1.policy('key_prefix "none" { policy = "read" }');
      const { accessor, secret } = await v1.token({ Policies: [{ ID: policy }] });
      await v1.put("/acl/policy", { Name: "mine" }, secret);
      await refusalOf(v1.db, await v1.put("/acl/policy", { Name: "mine" }, secret));
      const draft = { Policies: [{ ID: policy, Rules: 'acl = "write"' }] };
      const found = await replayRows(v1, draft, []);
      const told = found.entries.filter(({ change }) => change === "allowed");
      expect(
        told.map(({ subject, question, use }) => [subject, question.resource, question.access, use.total]),
      ).toEqual([[{ kind: "token", accessorId: accessor }, "acl", "write", 2]]);
      expect(found.counts.allowed).toBe(1);
      expect(found.refusals).toMatchObject({ isComplete: true, unreadable: 0 });
      expect(found.refusals.since.slice(0, 10)).toBe(new Date(v1.now()).toISOString().slice(0, 10));
      expect((await replayRows(v1, { Policies: [{ ID: policy, Rules: 'acl = "read"' }] }, [])).counts.allowed).toBe(0);
      // Records belong to the namespace that was asked about.
      const reader = await v1.token({ Policies: [{ ID: await v1.policy('namespace "team" { acl = "read" }') }] });
      const hidden = await replayRows(v1, draft, [], { reader: { accessorId: reader.accessor } });
      expect(hidden).toMatchObject({ counts: { allowed: 0 }, refusals: { records: 0, since: "" } });
    });
  });
});
