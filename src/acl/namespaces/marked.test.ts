import { afterEach, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { contentOf, idOf, LISTS, makeIn, makeMethodIn, METHOD } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { createWaits } from "../../../test/support/waits.ts";

const MARKED_AT = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
const DELETED_AT = "2026-02-03T04:05:06.789Z";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  afterEach(() => v1.setNow(undefined));

  /** A namespace with one object of each kind. */
  async function filled(content: object = {}) {
    const name = v1.unique("ns");
    await v1.put("/namespace", { Name: name, ...content });
    const policy = (await v1.put(`/acl/policy?ns=${name}`, { Name: "p", Rules: 'acl = "write"' })).body.ID as string;
    const role = (await v1.put(`/acl/role?ns=${name}`, { Name: "r", Policies: [{ ID: policy }] })).body.ID as string;
    const token = (await v1.put(`/acl/token?ns=${name}`, { Roles: [{ ID: role }] })).body;
    await makeMethodIn(v1, { namespace: name });
    const rule = idOf(await makeIn(v1, { namespace: name }, "binding-rule", {}));
    return { name, policy, role, rule, accessor: String(token.AccessorID), secret: String(token.SecretID) };
  }
  type Filled = Awaited<ReturnType<typeof filled>>;
  const mark = async (name: string, path = `/namespace/${name}`) => {
    const answer = await v1.delete(path);
    expect(answer, answer.text).toMatchObject({ status: 200, text: "" });
    return answer;
  };

  test("a delete answers at once, with nothing, and leaves the namespace readable with the time of its mark", async () => {
    const { name } = await filled({ Description: "d", Meta: { a: "b" }, ACLs: {} });
    const before = (await v1.get(`/namespace/${name}`)).body;
    expect(before).not.toHaveProperty("DeletedAt");
    v1.setNow(MARKED_AT);
    const answer = await mark(name);
    expect(answer.headers["content-length"]).toBe("0");
    const { body } = await v1.get(`/namespace/${name}`);
    expect(body).toEqual({ ...before, DeletedAt: DELETED_AT, ModifyIndex: body.ModifyIndex });
    expect(body.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
    const list = (await v1.get("/namespaces")).body as { Name: string }[];
    expect(list.find((each) => each.Name === name)).toEqual(body);
    expect(list.find((each) => each.Name === "default")).not.toHaveProperty("DeletedAt");
  });

  test("a second delete is 200 and changes nothing, whatever index it names", async () => {
    const { name } = await filled();
    v1.setNow(MARKED_AT);
    await mark(name);
    const marked = (await v1.get(`/namespace/${name}`)).text;
    v1.setNow(MARKED_AT + 1000);
    for (const path of [`/namespace/${name}`, `/namespace/${name.toUpperCase()}`, `/namespace/${name}?cas=1`]) {
      await mark(name, path);
    }
    expect((await v1.get(`/namespace/${name}`)).text).toBe(marked);
  });

  test("a delete of a name that is unknown, or unknown again, is 404", async () => {
    const text = 'Cannot find namespace "nobody" to delete';
    expect(await v1.delete("/namespace/nobody")).toMatchObject({ status: 404, text });
    const { name } = await filled();
    await mark(name);
    await finishDeletion(v1.db);
    expect((await v1.delete(`/namespace/${name}`)).status).toBe(404);
    expect((await v1.get(`/namespace/${name}`)).status).toBe(404);
  });

  const intoIt: Record<string, (of: Filled, ns: string) => Promise<Answer>> = {
    "a new policy": (_of, ns) => v1.put(`/acl/policy${ns}`, { Name: "new" }),
    "a policy": ({ policy }, ns) => v1.put(`/acl/policy/${policy}${ns}`, { Name: "p" }),
    "a patch of a policy": ({ policy }, ns) => v1.patch(`/acl/policy/${policy}${ns}`, { Description: "x" }),
    "a new role": (_of, ns) => v1.put(`/acl/role${ns}`, { Name: "new" }),
    "a role": ({ role }, ns) => v1.put(`/acl/role/${role}${ns}`, { Name: "r" }),
    "a patch of a role": ({ role }, ns) => v1.patch(`/acl/role/${role}${ns}`, { Description: "x" }),
    "a new token": (_of, ns) => v1.put(`/acl/token${ns}`, { Description: "new" }),
    "a new token with an ID": (_of, ns) => v1.put(`/acl/token${ns}`, { AccessorID: NOBODY }),
    "a token": ({ accessor }, ns) => v1.put(`/acl/token/${accessor}${ns}`, {}),
    "a patch of a token": ({ accessor }, ns) => v1.patch(`/acl/token/${accessor}${ns}`, { Description: "x" }),
    "a new method": (_of, ns) => v1.put(`/acl/auth-method${ns}`, contentOf("auth-method", { Name: "new" })),
    "a method": (_of, ns) => v1.put(`/acl/auth-method/${METHOD}${ns}`, contentOf("auth-method", { Name: METHOD })),
    "a patch of a method": (_of, ns) => v1.patch(`/acl/auth-method/${METHOD}${ns}`, { Description: "x" }),
    "a new rule": (_of, ns) => v1.put(`/acl/binding-rule${ns}`, contentOf("binding-rule")),
    "a rule": ({ rule }, ns) => v1.put(`/acl/binding-rule/${rule}${ns}`, contentOf("binding-rule")),
    "a patch of a rule": ({ rule }, ns) => v1.patch(`/acl/binding-rule/${rule}${ns}`, { Description: "x" }),
    "a clone of a token": ({ accessor }, ns) => v1.put(`/acl/token/${accessor}/clone${ns}`, {}),
  };
  const ontoIt: Record<string, (name: string) => Promise<Answer>> = {
    "the create of its name": (Name) => v1.put("/namespace", { Name }),
    "an update": (name) => v1.put(`/namespace/${name}`, { Description: "x" }),
    "what would bring it back": (name) => v1.put(`/namespace/${name}`, { DeletedAt: null }),
    "a patch": (name) => v1.patch(`/namespace/${name}`, { DeletedAt: null, Description: null }),
    "a cas of what it is now": async (name) => {
      const { ModifyIndex } = (await v1.get(`/namespace/${name}`)).body;
      return v1.put(`/namespace/${name}?cas=${ModifyIndex}`, {});
    },
  };

  describe("a write is refused with 409 and the state, and changes nothing", () => {
    test.each(Object.keys(intoIt))("%s in a marked namespace", async (what) => {
      const of = await filled();
      await mark(of.name);
      const contents = async () =>
        Promise.all(Object.values(LISTS).map(async (list) => (await v1.get(`/acl/${list}?ns=${of.name}`)).text));
      const before = await contents();
      const text = `Namespace "${of.name}" is marked for deletion`;
      expect(await intoIt[what]?.(of, `?ns=${of.name}`)).toMatchObject({ status: 409, text });
      expect(await contents()).toEqual(before);
    });

    test.each(Object.keys(ontoIt))("%s of a marked namespace", async (what) => {
      const { name } = await filled();
      await mark(name);
      const before = (await v1.get(`/namespace/${name}`)).text;
      const text = `Namespace "${name}" is marked for deletion`;
      expect(await ontoIt[what]?.(name)).toMatchObject({ status: 409, text });
      expect((await v1.get(`/namespace/${name}`)).text).toBe(before);
    });

    test("without the right to write it is 403, as in any namespace", async () => {
      const { name } = await filled();
      const secret = await v1.tokenWith(`namespace "${name}" { acl = "read" }`);
      await mark(name);
      expect((await v1.put(`/acl/policy?ns=${name}`, { Name: "new" }, secret)).status).toBe(403);
      expect((await v1.put(`/namespace/${name}`, {}, secret)).status).toBe(403);
    });
  });

  test("deletes of what lies in it go on", async () => {
    const { name, policy, role, rule, accessor } = await filled();
    await mark(name);
    for (const path of [`binding-rule/${rule}`, `role/${role}`, `policy/${policy}`, `token/${accessor}`]) {
      expect((await v1.delete(`/acl/${path}?ns=${name}`)).text).toBe("true");
    }
  });

  test("reads of what lies in it go on", async () => {
    const of = await filled();
    const paths = [
      `/acl/policy/${of.policy}`,
      "/acl/policy/name/p",
      "/acl/policies",
      `/acl/role/${of.role}`,
      "/acl/roles",
      `/acl/token/${of.accessor}`,
      "/acl/tokens",
    ].map((path) => `${path}?ns=${of.name}`);
    const reader = await v1.tokenWith(`namespace "${of.name}" { acl = "write" }`);
    const read = async (token?: string) =>
      Promise.all(
        paths.map(async (path) => [path, (await v1.get(path, token)).status, (await v1.get(path, token)).text]),
      );
    const before = [await read(), await read(reader)];
    await mark(of.name);
    expect([await read(), await read(reader)]).toEqual(before);
    expect(before.flat().map(([, status]) => status)).toEqual(before.flat().map(() => 200));
  });

  test("its tokens are unknown from the commit that marks it, also those that were in use", async () => {
    const of = await filled();
    const other = await filled();
    const cold = (await v1.put(`/acl/token?ns=${of.name}`, { Roles: [{ ID: of.role }] })).body.SecretID as string;
    const uses: (() => Promise<Answer>)[] = [
      () => v1.get("/acl/token/self", of.secret),
      () => v1.get("/acl/policies", of.secret),
      () => v1.get(`/acl/policies?ns=${other.name}`, of.secret),
      () => v1.get("/namespaces", of.secret),
      () => v1.get(`/namespace/${of.name}`, of.secret),
      () => v1.put("/acl/policy", { Name: v1.unique("late") }, of.secret),
      () => v1.post("/internal/acl/authorize", [], of.secret),
      () => v1.post("/acl/authorize", [], of.secret),
    ];
    for (const use of uses) expect((await use()).text).not.toBe("ACL not found");
    expect((await v1.api("GET", "/account/details", undefined, of.secret)).status).toBe(200);
    await mark(of.name);
    for (const use of [...uses, () => v1.get("/acl/token/self", cold)]) {
      expect(await use()).toMatchObject({ status: 403, text: "ACL not found" });
    }
    expect((await v1.api("GET", "/account/details", undefined, of.secret)).status).toBe(401);
    expect((await v1.get("/acl/token/self", other.secret)).status).toBe(200);
  });

  test("a request that was let in before the mark writes nothing after it", async () => {
    const of = await filled();
    const writes = Array.from({ length: 40 }, (_, i) =>
      v1.put("/acl/policy", { Name: `while-${i}` }, of.secret).then(({ status }) => [`while-${i}`, status] as const),
    );
    const marked = mark(of.name);
    const answers = await Promise.all(writes);
    await marked;
    const there = new Set(
      ((await v1.get(`/acl/policies?ns=${of.name}`)).body as { Name: string }[]).map((p) => p.Name),
    );
    for (const [name, status] of answers) expect([name, there.has(name)]).toEqual([name, status === 200]);
  });

  test("the name is free only when nothing is left, and what comes under it is new, with greater indexes", async () => {
    const of = await filled({ Description: "old", Meta: { old: "1" }, ACLs: {} });
    const first = (await v1.get(`/namespace/${of.name}`)).body;
    await mark(of.name);
    expect((await v1.put("/namespace", { Name: of.name })).status).toBe(409);
    const lists = ["/acl/policies", "/acl/roles", "/acl/tokens"].map((path) => `${path}?ns=${of.name}`);
    const indexes = async () =>
      Promise.all(lists.map(async (path) => Number((await v1.get(path)).headers["x-service-index"])));
    const before = await indexes();
    await finishDeletion(v1.db);
    for (const path of lists) expect((await v1.get(path)).text).toBe("[]");
    const again = (await v1.put("/namespace", { Name: of.name })).body;
    expect(again).toEqual({
      Name: of.name,
      Partition: "default",
      CreateIndex: again.ModifyIndex,
      ModifyIndex: again.ModifyIndex,
    });
    expect(again.CreateIndex).toBeGreaterThan(first.ModifyIndex);
    expect((await v1.get(`/acl/policies?ns=${of.name}`)).body).toMatchObject([{ Name: "namespace-management" }]);
    await v1.put(`/acl/role?ns=${of.name}`, { Name: "r" });
    await v1.put(`/acl/token?ns=${of.name}`, {});
    for (const [at, index] of (await indexes()).entries()) expect(index).toBeGreaterThan(before[at] ?? Infinity);
    for (const path of [`/acl/policy/${of.policy}`, `/acl/role/${of.role}`, `/acl/token/${of.accessor}`]) {
      expect((await v1.get(`${path}?ns=${of.name}`)).status).toBe(404);
    }
    expect(await v1.get("/acl/token/self", of.secret)).toMatchObject({ status: 403, text: "ACL not found" });
  });

  test("who waits on a list in it from before its end on is told of what comes under the same name", async () => {
    const { wait } = createWaits(v1);
    const of = await filled();
    await mark(of.name);
    const path = `/acl/policies?ns=${of.name}`;
    const ending = await wait(path);
    await finishDeletion(v1.db);
    const { text, headers } = await ending.answer;
    expect(text).toBe("[]");
    const held = await wait(path, { since: Number(headers["x-service-index"]) });
    expect(held.isOver()).toBe(false);
    await v1.put("/namespace", { Name: of.name });
    const again = await held.answer;
    expect(again.body).toMatchObject([{ Name: "namespace-management" }]);
    expect(Number(again.headers["x-service-index"])).toBeGreaterThan(Number(headers["x-service-index"]));
  });

  test("the mark is of its own partition alone", async () => {
    const unit = v1.unique("unit");
    await v1.put("/partition", { Name: unit });
    const { name } = await filled();
    await v1.put(`/namespace/${name}?partition=${unit}`, { Description: "another" });
    await makeIn(v1, { partition: unit, namespace: name }, "policy", { Name: "inside" });
    expect((await v1.delete(`/namespace/${name}?partition=${unit}`)).status).toBe(200);
    expect((await v1.get(`/namespace/${name}`)).body).not.toHaveProperty("DeletedAt");
    expect((await v1.get(`/namespace/${name}?partition=${unit}`)).body).toHaveProperty("DeletedAt");
    await finishDeletion(v1.db);
    expect((await v1.get(`/namespace/${name}?partition=${unit}`)).status).toBe(404);
    expect((await v1.get(`/acl/policies?ns=${name}`)).body).toHaveLength(2);
  });
});
