/** Earlier versions of objects: read from the audit log, and restored by an ordinary write. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod } from "../../../test/support/login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  interface Version {
    Version: number;
    Action: string;
    AccessorID: string;
    Content?: Record<string, unknown>;
    Patch?: Record<string, unknown>;
  }
  const versions = async (query: string) => (await v1.get(`/acl/history?${query}`)).body as Version[];
  const version = async (query: string, index: number) => {
    const [found] = await versions(`${query}&version=${index}`);
    return found;
  };
  /** Restores a version by the ordinary write. */
  const restore = async (query: string, index: number, path: string, cas: number) =>
    v1.patch(`${path}?cas=${cas}`, (await version(query, index))?.Patch);
  /** Members that a write sets. */
  const written = (object: Record<string, unknown>) => {
    const { ModifyIndex: _index, ...rest } = object;
    return rest;
  };

  test("every version of a policy is as it was written, and is restored by compare-and-set", async () => {
    const Rules = ['acl = "read"', 'key_prefix "ä" { policy = "write" }', 'operator = "read"'];
    const first = (await v1.put("/acl/policy", { Name: v1.unique("p"), Rules: Rules[0] })).body;
    const path = `/acl/policy/${first.ID}`;
    const second = (await v1.patch(path, { Rules: Rules[1], Datacenters: ["dc1"], Description: "second" })).body;
    const third = (await v1.patch(path, { Rules: Rules[2], Name: v1.unique("renamed"), Datacenters: null })).body;
    const query = `policy=${first.ID}`;
    const listed = await versions(query);
    const indexes = [third, second, first].map(({ ModifyIndex }) => ModifyIndex as number);
    expect(listed.map(({ Version, Action }) => [Version, Action])).toEqual([
      [indexes[0], "update"],
      [indexes[1], "update"],
      [indexes[2], "create"],
    ]);
    expect(listed.every((each) => !("Content" in each) && each.AccessorID !== "")).toBe(true);
    expect((await version(query, second.ModifyIndex))?.Content).toEqual({
      Name: first.Name,
      Description: "second",
      Rules: Rules[1],
      Datacenters: ["dc1"],
    });
    expect((await restore(query, first.ModifyIndex, path, second.ModifyIndex)).status).toBe(409);
    const restored = await restore(query, first.ModifyIndex, path, third.ModifyIndex);
    expect(written(restored.body)).toEqual(written(first));
    const again = await restore(query, second.ModifyIndex, path, restored.body.ModifyIndex);
    expect(written(again.body)).toEqual(written(second));
    expect((await versions(query)).length).toBe(5);
  });

  test("a role, a binding rule, an auth method and the defaults of a namespace are restored", async () => {
    const policy = await v1.policy('acl = "read"');
    const role = (
      await v1.put("/acl/role", {
        Name: v1.unique("r"),
        Policies: [{ ID: policy }],
        ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc1"] }],
        NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }],
        TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "api" } }],
      })
    ).body;
    const name = v1.unique("method");
    await makeMethod(v1, createSigningKey("k1"), { Name: name, Description: "first", MaxTokenTTL: "1h" });
    const method = (await v1.get(`/acl/auth-method/${name}`)).body;
    const rule = (
      await v1.put("/acl/binding-rule", { AuthMethod: name, BindType: "service", BindName: "web", Selector: "" })
    ).body;
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    const defaults = (
      await v1.patch(`/namespace/${namespace}`, { ACLs: { PolicyDefaults: [{ ID: policy }], RoleDefaults: [] } })
    ).body;
    const kinds: [path: string, query: string, before: Record<string, unknown>, change: object][] = [
      [
        `/acl/role/${role.ID}`,
        `role=${role.ID}`,
        role,
        { Policies: [], ServiceIdentities: [], NodeIdentities: null, TemplatedPolicies: [], Description: "x" },
      ],
      [
        `/acl/binding-rule/${rule.ID}`,
        `binding-rule=${rule.ID}`,
        rule,
        { BindType: "role", BindName: "r", Selector: "", Description: "x" },
      ],
      [
        `/acl/auth-method/${name}`,
        `auth-method=${name}`,
        method,
        { Description: null, MaxTokenTTL: "2h", Config: { BoundIssuer: "other", ClockSkewLeeway: "1m" } },
      ],
      [`/namespace/${namespace}`, `namespace=${namespace}`, defaults, { ACLs: null }],
    ];
    for (const [path, query, before, change] of kinds) {
      const changed = await v1.patch(path, change);
      expect(changed.status, changed.text).toBe(200);
      const restored = await restore(query, Number(before["ModifyIndex"]), path, changed.body.ModifyIndex);
      expect(restored.status, restored.text).toBe(200);
      expect({ ...restored.body, Hash: "" }, path).toEqual({
        ...before,
        Hash: "",
        ModifyIndex: restored.body.ModifyIndex,
      });
    }
  });

  test("it is for who may read the object, and a write that a version asks for needs its own right", async () => {
    const policy = await v1.policy('acl = "read"');
    const changed = (await v1.patch(`/acl/policy/${policy}`, { Rules: "" })).body;
    const reader = await v1.tokenWith('acl = "read"');
    const nobody = await v1.tokenWith('key_prefix "" { policy = "read" }');
    expect((await v1.get(`/acl/history?policy=${policy}`, nobody)).status).toBe(403);
    const { body } = await v1.get(`/acl/history?policy=${policy}`, reader);
    const first = (await version(`policy=${policy}`, body[1].Version))?.Patch;
    expect((await v1.patch(`/acl/policy/${policy}?cas=${changed.ModifyIndex}`, first, reader)).status).toBe(403);
    const answers = [
      await v1.get("/acl/history"),
      await v1.get(`/acl/history?policy=${policy}&role=${policy}`),
      await v1.get(`/acl/history?policy=${policy}&version=x`),
      await v1.get(`/acl/history?policy=${policy}&version=1`),
      await v1.get(`/acl/history?policy=${NOBODY}`),
      await v1.get("/acl/history?namespace=none"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 404, 404]);
  });

  test("beyond a record that is gone no version is shown", async () => {
    const policy = await v1.policy('acl = "read"');
    for (const Description of ["one", "two", "three"]) await v1.patch(`/acl/policy/${policy}`, { Description });
    const before = await versions(`policy=${policy}`);
    expect(before).toHaveLength(4);
    await v1.past({ kind: "root" }, (tx) => {
      tx.write(
        tx.sql
          .updateTable("audit_records")
          .set({ detail: "{}" })
          .where("object_id", "=", policy)
          .where("detail", "like", '%"two"%')
          .where("detail", "not like", '%"three"%'),
      );
      return Promise.resolve();
    });
    expect((await versions(`policy=${policy}`)).map((each) => each.Version)).toEqual([before[0]?.Version]);
  });
});
