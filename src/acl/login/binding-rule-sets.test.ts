import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { methodStore } from "../auth-methods/store.ts";
import { createRegularExpressions } from "../bindings/regular-expressions.ts";
import { createBindingRuleSets } from "./binding-rule-sets.ts";

const key = createSigningKey("k1");
const SCOPE = { partition: "default", namespace: "default" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** A method with rules that tell teams apart, and its rules as logins have them now. */
  async function open(count: number) {
    const name = v1.unique("sets");
    await makeMethod(v1, key, { Name: name });
    const rule = (team: string) => ({
      AuthMethod: name,
      BindType: "service",
      Selector: `value.team == "${team}"`,
      BindName: team,
    });
    const ids: string[] = [];
    for (let number = 0; number < count; number++) ids.push(await makeRule(v1, rule(`team-${number}`)));
    const sets = createBindingRuleSets(v1.db, createRegularExpressions().lazy);
    const now = async () => {
      const method = await methodStore.byName(v1.db, SCOPE, name);
      if (method === undefined) throw new Error("the method is gone");
      const { bindingRules } = await sets.of(method);
      return new Map(bindingRules.map((each) => [each.id, each]));
    };
    return { name, sets, ids, rule, now };
  }

  test("after a rule is written that one is compiled, and the others are taken over", async () => {
    const { ids, rule, now } = await open(5);
    const [changed = "", deleted = ""] = ids;
    const before = await now();
    expect([...before.keys()]).toEqual(ids.toSorted());
    await v1.put(`/acl/binding-rule/${changed}`, rule("other"));
    await v1.delete(`/acl/binding-rule/${deleted}`);
    const added = await makeRule(v1, rule("new"));
    const after = await now();
    expect([...after.keys()]).toEqual([...ids.filter((id) => id !== deleted), added].toSorted());
    expect(after.get(changed)?.selection.text).toBe('value.team == "other"');
    expect(after.get(added)?.selection.text).toBe('value.team == "new"');
    for (const id of ids.slice(2)) expect(after.get(id)?.selection).toBe(before.get(id)?.selection);
  });

  test("a rule that was taken over is found damaged when all are read, and what it gave was right", async () => {
    const { ids, rule, now } = await open(2);
    const [damaged = "", other = ""] = ids;
    const before = await now();
    await v1.past({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.updateTable("binding_rules").set({ bind_name: "admin" }).where("id", "=", damaged));
    });
    await v1.put(`/acl/binding-rule/${other}`, rule("b"));
    expect((await now()).get(damaged)?.plan).toBe(before.get(damaged)?.plan);
    const anew = createBindingRuleSets(v1.db, createRegularExpressions().lazy);
    const method = await methodStore.byName(v1.db, SCOPE, String(await nameOf(other)));
    if (method === undefined) throw new Error("the method is gone");
    await expect(anew.of(method)).rejects.toThrow("storage is corrupted");
  });

  test("writes of a method are counted, not the writes of others in between; those of other servers are guessed upward", async () => {
    const { name, sets, rule, now } = await open(2);
    const read = async () => {
      const method = await methodStore.byName(v1.db, SCOPE, name);
      if (method === undefined) throw new Error("the method is gone");
      return method;
    };
    const method = await read();
    expect(sets.writtenSince(method)).toBeUndefined();
    await now();
    expect(sets.writtenSince(method)).toBe(0);
    const at = (index: number) => ({ id: method.id, rulesIndex: method.rulesIndex + index });
    sets.noteWrite(method, at(500).rulesIndex);
    expect(sets.writtenSince(at(500))).toBe(1);
    // A transaction that was begun again.
    sets.noteWrite(method, at(600).rulesIndex);
    sets.noteWrite(at(600), at(900).rulesIndex);
    expect(sets.writtenSince(at(900))).toBe(3);
    expect(sets.writtenSince(at(910))).toBe(13);
    await makeRule(v1, rule("new"));
    await now();
    expect(sets.writtenSince(await read())).toBe(0);
  });

  async function nameOf(id: string): Promise<unknown> {
    return (await v1.get(`/acl/binding-rule/${id}`)).body.AuthMethod;
  }
});
