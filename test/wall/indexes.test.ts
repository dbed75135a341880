/** Tests of indexes and of the wake-ups of waiters, where the caller's rights decide them. */
import { beforeAll, expect, test } from "vitest";
import { finishDeletion } from "../support/deletion.ts";
import { forEachEngine } from "../support/engines.ts";
import { at, makeIn, makeNamespace, makePartition, secretIn } from "../support/scopes.ts";
import { useV1 } from "../support/v1.ts";
import { createWaits } from "../support/waits.ts";

const LISTS = ["policies", "roles", "tokens", "auth-methods", "binding-rules"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait, passing } = createWaits(v1);

  beforeAll(async () => {
    for (const namespace of ["a", "b"]) await makeNamespace(v1, { namespace });
  });

  test("incident 41: a refused read has index 1, whatever lies there, and so has a list of which nothing may be seen", async () => {
    await makeIn(v1, { namespace: "a" }, "role", { Name: "secret" });
    const rightless = await v1.tokenWith("");
    for (const token of [rightless, ""]) {
      for (const list of LISTS) {
        for (const query of ["", "?ns=a", "?ns=*", "?ns=nowhere", "?partition=nowhere", "?ns=a&index=7"]) {
          expect([list, query, await indexOf(`/acl/${list}${query}`, token)]).toEqual([list, query, 1]);
        }
      }
      for (const path of ["/acl/role/name/secret?ns=a", "/namespace/a", "/namespaces", "/partition/nowhere"]) {
        expect([path, await indexOf(path, token)]).toEqual([path, 1]);
      }
    }
  });

  test("incident 41: every namespace's index is that of the namespaces that may be seen", async () => {
    const reader = await secretIn(v1, {}, `namespace "a" { acl = "read" }`);
    const { ModifyIndex } = await makeIn(v1, { namespace: "a" }, "role", { Name: "seen" });
    await makeIn(v1, { namespace: "b" }, "role", { Name: "unseen" });
    expect(await indexOf("/acl/roles?ns=*", reader)).toBe(ModifyIndex);
    expect(await indexOf("/acl/roles?ns=*")).toBeGreaterThan(ModifyIndex);
  });

  test("incident 41: who sees namespaces by a prefix is woken by writes in these alone", async () => {
    const reader = await secretIn(v1, {}, `namespace_prefix "a" { acl = "read" }\nnamespace "ab" { acl = "deny" }`);
    for (const namespace of ["aa", "ab"]) await makeNamespace(v1, { namespace });
    const held = await wait("/acl/roles?ns=*", { token: reader });
    for (const namespace of ["ab", "b"]) {
      await passing("/acl/roles?ns=*", () => makeIn(v1, { namespace }, "role", { Name: "hidden" }));
    }
    expect(held.isOver()).toBe(false);
    await makeIn(v1, { namespace: "aa" }, "role", { Name: "told" });
    const { text } = await held.answer;
    expect(text).toContain("told");
    expect(text).not.toContain("hidden");
  });

  test("incident 41: who waits for namespaces is woken by those that may be seen", async () => {
    const reader = await secretIn(v1, {}, `namespace "a" { acl = "read" }`);
    const held = await wait("/namespaces", { token: reader });
    const anonymous = await wait("/namespaces", { token: "" });
    await passing("/namespaces", () => makeNamespace(v1, { namespace: "b" }, { Description: "changed" }));
    await passing("/namespaces", () => makeNamespace(v1, { namespace: v1.unique("new") }));
    expect([held.isOver(), anonymous.isOver()]).toEqual([false, false]);
    await makeNamespace(v1, { namespace: "a" }, { Description: "changed" });
    expect((await held.answer).body).toMatchObject([{ Name: "a", Description: "changed" }]);
    expect(anonymous.isOver()).toBe(false);
  });

  test("who waits is told at once when its rights change what it may see", async () => {
    const name = v1.unique("watcher");
    const policy = await v1.policy("", name);
    const { secret: token } = await v1.token({ Policies: [{ ID: policy }] });
    await makeIn(v1, { namespace: "a" }, "role", { Name: "found" });
    const held = await wait("/acl/roles?ns=*", { token });
    await v1.put(`/acl/policy/${policy}`, { Name: name, Rules: `namespace "a" { acl = "read" }` });
    expect((await held.answer).text).toContain("found");
    const inNamespace = await wait("/acl/roles?ns=a", { token });
    await v1.put(`/acl/policy/${policy}`, { Name: name, Rules: "" });
    expect(await inNamespace.answer).toMatchObject({ status: 403, headers: { "x-service-index": "1" } });
  });

  test("a namespace or partition that has gone has the index of one that never was", async () => {
    await makePartition(v1, "gone");
    for (const place of [{ namespace: "gone" }, { partition: "gone" }]) {
      await makeNamespace(v1, { namespace: "gone", ...place });
      await makeIn(v1, place, "role", { Name: "gone" });
      expect(await indexOf(at("/acl/roles", place))).toBeGreaterThan(1);
    }
    await v1.delete("/namespace/gone");
    await v1.delete("/partition/gone");
    await finishDeletion(v1.db);
    for (const list of LISTS) {
      for (const query of ["ns=gone", "partition=gone", "partition=gone&ns=gone", "partition=gone&ns=*"]) {
        expect([list, query, await indexOf(`/acl/${list}?${query}`)]).toEqual([list, query, 1]);
      }
    }
    expect(await indexOf("/namespaces?partition=gone")).toBe(1);
  });

  test("IDs of tokens are chosen by who manages the partition, and refused to others before anything is looked up", async () => {
    const place = { namespace: "a" };
    const manager = await secretIn(v1, place, 'acl = "write"');
    const taken = (await v1.token()).accessor;
    for (const field of ["AccessorID", "SecretID"]) {
      for (const id of [taken, crypto.randomUUID()]) {
        expect(await v1.put("/acl/token?ns=a", { [field]: id }, manager)).toMatchObject({
          status: 403,
          text: 'Permission denied: choosing an AccessorID or SecretID requires operator:write, or acl:write in namespace "default" of partition "default"',
        });
      }
      const operator = await secretIn(v1, {}, 'operator = "write"\nnamespace "a" { acl = "write" }');
      const ofHome = await secretIn(v1, {}, 'acl = "write"');
      expect((await v1.put("/acl/token?ns=a", { [field]: crypto.randomUUID() }, operator)).status).toBe(200);
      expect((await v1.put("/acl/token", { [field]: crypto.randomUUID() }, ofHome)).status).toBe(200);
    }
    expect((await v1.put("/acl/token?ns=a", {}, manager)).status).toBe(200);
  });
});
