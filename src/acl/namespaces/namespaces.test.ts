import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const namespace = async (content: object = {}) => {
    const answer = await v1.put("/namespace", { Name: v1.unique("ns"), ...content });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Record<string, unknown> & { Name: string; ModifyIndex: number };
  };
  const read = async (name: string) => (await v1.get(`/namespace/${name}`)).body;

  test("a namespace of which only the name is given answers with its name, its partition and its indexes", async () => {
    const made = await v1.put("/namespace", { Name: "plain" });
    expect(made.status).toBe(200);
    expect(made.headers["content-type"]).toBe("application/json");
    const { CreateIndex, ModifyIndex } = made.body;
    expect(made.body).toEqual({ Name: "plain", Partition: "default", CreateIndex, ModifyIndex });
    expect(CreateIndex).toBe(ModifyIndex);
    expect((await v1.get("/namespace/plain")).text).toBe(made.text);
  });

  test("every member comes back as it was given, from the write, the read and the list", async () => {
    const content = {
      Name: "whole",
      Description: "What é does",
      ACLs: { PolicyDefaults: [], RoleDefaults: [] },
      Meta: { b: "2", a: "", __proto__x: "é" },
      Partition: "default",
    };
    const made = await v1.put("/namespace", content);
    const { CreateIndex, ModifyIndex } = made.body;
    expect(made.body).toEqual({ ...content, CreateIndex, ModifyIndex });
    expect((await v1.get("/namespace/whole")).text).toBe(made.text);
    const list = (await v1.get("/namespaces")).body as { Name: string }[];
    expect(list.find((each) => each.Name === "whole")).toEqual(made.body);
    expect(list.map(({ Name }) => Name)).toEqual(list.map(({ Name }) => Name).toSorted());
  });

  test("creating a name that is there replaces the whole object and raises its ModifyIndex, also for no change", async () => {
    const first = await namespace({ Description: "d", Meta: { a: "b" }, ACLs: {} });
    const again = (await v1.put("/namespace", { Name: first.Name, Description: "d", Meta: { a: "b" }, ACLs: {} })).body;
    expect(again).toEqual({ ...first, ModifyIndex: again.ModifyIndex });
    expect(again.ModifyIndex).toBeGreaterThan(first.ModifyIndex);
    const bare = (await v1.put("/namespace", { Name: first.Name })).body;
    const { Name, Partition, CreateIndex } = first;
    expect(bare).toEqual({ Name, Partition, CreateIndex, ModifyIndex: bare.ModifyIndex });
    expect(await read(first.Name)).toEqual(bare);
  });

  test("an update needs no name, makes what is missing, and replaces what is there", async () => {
    const name = v1.unique("ns");
    const made = await v1.put(`/namespace/${name}`, { Description: "new", Meta: { a: "b" } });
    expect(made).toMatchObject({ status: 200, body: { Name: name, Description: "new", Meta: { a: "b" } } });
    const replaced = await v1.put(`/namespace/${name}`, { Name: name, Description: "newer" });
    expect(replaced.body).toEqual({
      Name: name,
      Description: "newer",
      Partition: "default",
      CreateIndex: made.body.CreateIndex,
      ModifyIndex: replaced.body.ModifyIndex,
    });
    expect(replaced.body.ModifyIndex).toBeGreaterThan(made.body.ModifyIndex);
    expect((await v1.put("/namespace/", { Name: `${name}-slash` })).body).toMatchObject({ Name: `${name}-slash` });
  });

  test("what was read is taken back whole, in the spellings that clients have for it", async () => {
    const made = await namespace({ ACLs: {}, Meta: { a: "b" } });
    const back = await v1.put(`/namespace/${made.Name}`, {
      ...made,
      DeletedAt: "2024-05-06T07:08:09.123Z",
      Hash: null,
    });
    // `Hash` is a member of policies, roles and tokens only.
    expect(back).toMatchObject({ status: 400, text: 'Namespace decoding failed: json: unknown field "Hash"' });
    const times = [{ DeletedAt: "2024-05-06T07:08:09Z" }, { deleted_at: null }, { DeletedAt: null }];
    for (const time of times) {
      const answer = await v1.put(`/namespace/${made.Name}`, { ...made, ...time });
      expect(answer.body, answer.text).toEqual({ ...made, ModifyIndex: answer.body.ModifyIndex });
    }
    const policy = await v1.policy("");
    const spelt = { name: made.Name, ACLs: { policy_defaults: [{ ID: policy }], role_defaults: [] }, meta: { a: "b" } };
    const { body } = await v1.put(`/namespace/${made.Name}`, spelt);
    expect(body.ACLs).toMatchObject({ PolicyDefaults: [{ ID: policy }], RoleDefaults: [] });
    expect(body.Meta).toEqual({ a: "b" });
  });

  describe("PATCH", () => {
    const base = { Description: "d", Meta: { a: "1", b: "2" }, ACLs: {} };
    test.each<[what: string, patch: object, changed: object]>([
      ["nothing", {}, {}],
      ["a description", { Description: "e" }, { Description: "e" }],
      ["no description", { Description: null }, { Description: undefined }],
      ["one key of Meta", { Meta: { c: "3" } }, { Meta: { a: "1", b: "2", c: "3" } }],
      ["another value of Meta", { Meta: { a: "" } }, { Meta: { a: "", b: "2" } }],
      ["a key of Meta less", { Meta: { a: null, x: null } }, { Meta: { b: "2" } }],
      ["every key of Meta less", { Meta: { a: null, b: null } }, { Meta: undefined }],
      ["no Meta", { Meta: null }, { Meta: undefined }],
      ["an empty Meta", { Meta: {} }, {}],
      ["no ACLs", { ACLs: null }, { ACLs: undefined }],
      ["empty ACLs", { ACLs: {} }, {}],
      ["an empty list of defaults", { ACLs: { RoleDefaults: null } }, {}],
      ["read-only members", { CreateIndex: 1, ModifyIndex: 2, DeletedAt: null, Partition: "default" }, {}],
    ])("with %s changes just that", async (_what, patch, changed) => {
      const made = await namespace(base);
      const answer = await v1.patch(`/namespace/${made.Name}`, patch);
      expect(answer.status, answer.text).toBe(200);
      const { ModifyIndex } = answer.body;
      expect(answer.body).toEqual(JSON.parse(JSON.stringify({ ...made, ...changed, ModifyIndex })));
      expect(ModifyIndex).toBeGreaterThan(made.ModifyIndex);
      expect(await read(made.Name)).toEqual(answer.body);
    });

    test("of one list of defaults keeps the other, and without any makes both", async () => {
      const [policy, role] = [await v1.policy("", v1.unique("p")), await v1.role()];
      const { Name } = await namespace();
      const path = `/namespace/${Name}`;
      const lists = async (ACLs: object | null) => {
        const { status, body, text } = await v1.patch(path, { ACLs });
        expect(status, text).toBe(200);
        const ids = (list: { ID: string }[]) => list.map(({ ID }) => ID);
        return body.ACLs && [ids(body.ACLs.PolicyDefaults), ids(body.ACLs.RoleDefaults)];
      };
      expect(await lists({})).toEqual([[], []]);
      expect(await lists({ PolicyDefaults: [{ ID: policy }] })).toEqual([[policy], []]);
      expect(await lists({ RoleDefaults: [{ ID: role }] })).toEqual([[policy], [role]]);
      expect(await lists({})).toEqual([[policy], [role]]);
      expect(await lists({ PolicyDefaults: [] })).toEqual([[], [role]]);
      expect(await lists({ RoleDefaults: null })).toEqual([[], []]);
      expect(await lists(null)).toBeUndefined();
      expect(await lists({ RoleDefaults: [{ ID: role }] })).toEqual([[], [role]]);
    });
  });

  test("the namespace default is there from the start and can be changed", async () => {
    const built = await read("default");
    const [CreateIndex, ModifyIndex] = [expect.any(Number), expect.any(Number)];
    const Description = "Builtin Default Namespace";
    expect(built).toEqual({ Name: "default", Description, Partition: "default", CreateIndex, ModifyIndex });
    const changed = await v1.put("/namespace/default", { Description: "ours", Meta: { a: "b" }, ACLs: {} });
    expect(changed.body).toMatchObject({ Description: "ours", Meta: { a: "b" }, ACLs: { PolicyDefaults: [] } });
    expect((await v1.patch("/namespace/default", { Meta: null })).body).not.toHaveProperty("Meta");
    await v1.put("/namespace/default", { Description });
    expect(await v1.delete("/namespace/default")).toMatchObject({
      status: 400,
      text: expect.stringContaining("builtin"),
    });
    expect(await v1.delete("/namespace/DEFAULT")).toMatchObject({ status: 400 });
    expect(await read("default")).toMatchObject({ Description });
    expect(await read("default")).not.toHaveProperty("DeletedAt");
  });

  test.each<[what: string, body: string, text: RegExp]>([
    ["an unknown member of ACLs", `{"Name":"x","ACLs":{"Policies":[]}}`, /^json: unknown field "Policies"$/],
    [
      "an unknown member of a link",
      `{"Name":"x","ACLs":{"PolicyDefaults":[{"Id2":""}]}}`,
      /^json: unknown field "Id2"$/,
    ],
    ["a number for a name", `{"Name":1}`, /^json: cannot unmarshal number/],
    ["a list for Meta", `{"Name":"x","Meta":[]}`, /^json: cannot unmarshal array/],
    ["a number in Meta", `{"Name":"x","Meta":{"a":1}}`, /^json: cannot unmarshal number/],
    ["a text for ACLs", `{"Name":"x","ACLs":"y"}`, /^json: cannot unmarshal string/],
    ["a link that is no object", `{"Name":"x","ACLs":{"RoleDefaults":["y"]}}`, /^json: cannot unmarshal string/],
  ])("%s is refused in the words of clients", async (_what, body, text) => {
    const put = await v1.put("/namespace", body);
    expect(put).toMatchObject({ status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });
    expect(put.text).toMatch(/^Namespace decoding failed: /);
    expect(put.text.slice("Namespace decoding failed: ".length)).toMatch(text);
    expect(await v1.put("/namespace/x", body)).toMatchObject({ status: 400, text: put.text });
    expect(await v1.patch("/namespace/x", body)).toMatchObject({ status: 400, text: put.text });
    expect((await v1.get("/namespace/x")).status).toBe(404);
  });

  test("each new namespace has a policy of its own by which it is managed", async () => {
    const { Name } = await namespace();
    const [policy, ...others] = (await v1.get(`/acl/policies?ns=${Name}`)).body;
    expect(others).toEqual([]);
    expect(policy).toMatchObject({ Name: "namespace-management", Namespace: Name, Partition: "default" });
    const next = await namespace();
    const [second] = (await v1.get(`/acl/policies?ns=${next.Name}`)).body;
    expect(second.ID).not.toBe(policy.ID);
    // An update makes it neither anew nor again.
    await v1.patch(`/acl/policy/${policy.ID}?ns=${Name}`, { Name: "mine" });
    expect((await v1.delete(`/acl/policy/${second.ID}?ns=${next.Name}`)).text).toBe("true");
    for (const each of [Name, next.Name]) await v1.put(`/namespace/${each}`, { Description: "x" });
    expect((await v1.get(`/acl/policies?ns=${Name}`)).body).toMatchObject([{ Name: "mine", ID: policy.ID }]);
    expect((await v1.get(`/acl/policies?ns=${next.Name}`)).text).toBe("[]");
  });
});
