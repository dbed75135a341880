/** Namespaces and partitions in the trash: what is restored of them, and what goes with them. */
import { expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { at, makeNamespace, makePartition, secretIn } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  type Entry = { ID: string; Name: string; Kind: string };
  const list = async (query = "", token?: string) => (await v1.get(`/acl/trash${query}`, token)).body as Entry[];
  const entryOf = async (name: string, query = "") =>
    (await list(query)).find(({ Name }) => Name === name) ?? expect.fail(`${name} is not in the trash`);
  const restore = (id: string, body?: object, query = "", token?: string) =>
    v1.post(`/acl/trash/${id}/restore${query}`, body, token);
  const rowsIn = async (partition: string) => {
    const rows = await v1.db.sql.selectFrom("trash").select("id").where("partition", "=", partition).execute();
    return rows.length;
  };

  test("a namespace keeps its name until it is empty, comes back under another before, and without its objects", async () => {
    const name = v1.unique("ns");
    const [kept, gone] = [await v1.policy('key_prefix "" { policy = "read" }'), await v1.policy("")];
    const role = await v1.role();
    await makeNamespace(
      v1,
      { namespace: name },
      {
        Description: "team",
        Meta: { owner: "ops" },
        ACLs: { PolicyDefaults: [{ ID: kept }, { ID: gone }], RoleDefaults: [{ ID: role }] },
      },
    );
    await v1.put(at("/acl/policy", { namespace: name }), { Name: "inside" });
    await v1.delete(`/namespace/${name}`);
    await v1.delete(`/acl/policy/${gone}`);
    await v1.delete(`/namespace/${name}`);
    const entry = await entryOf(name);
    expect((await list()).filter(({ Name }) => Name === name).length).toBe(1);
    expect((await restore(entry.ID)).text).toBe(`Namespace "${name}" is marked for deletion`);
    const other = v1.unique("Other");
    const restored = await restore(entry.ID, { Name: other });
    expect(restored.body).toMatchObject({
      Kind: "namespace",
      Name: other.toLowerCase(),
      LeftOut: [{ Kind: "policy", ID: gone }],
    });
    expect(restored.body.ID).toBeUndefined();
    const { body } = await v1.get(`/namespace/${other}`);
    expect(body).toMatchObject({
      Name: other.toLowerCase(),
      Description: "team",
      Meta: { owner: "ops" },
      ACLs: { PolicyDefaults: [{ ID: kept }], RoleDefaults: [{ ID: role }] },
    });
    const inside = (await v1.get(at("/acl/policies", { namespace: other.toLowerCase() }))).body as { Name: string }[];
    expect(inside.map(({ Name }) => Name)).toEqual(["namespace-management"]);
    await finishDeletion(v1.db);
  });

  test("an empty namespace is gone at once, and comes back under its name", async () => {
    const name = v1.unique("ns");
    await makeNamespace(v1, { namespace: name });
    await v1.delete(`/namespace/${name}`);
    expect((await v1.get(`/namespace/${name}`)).status).toBe(404);
    const entry = await entryOf(name);
    expect((await restore(entry.ID)).status).toBe(200);
    expect((await v1.get(`/namespace/${name}`)).body).toMatchObject({ Name: name });
    expect((await restore(entry.ID)).status).toBe(404);
  });

  test("only a caller who may write namespaces sees them in the trash, and sees nothing else by that", async () => {
    const name = v1.unique("ns");
    await makeNamespace(v1, { namespace: name });
    await v1.delete(`/namespace/${name}`);
    const policy = v1.unique("p");
    await v1.delete(`/acl/policy/${await v1.policy("", policy)}`);
    const [hidden, shown] = [await entryOf(name), await entryOf(policy)];
    const [acl, operator] = [await v1.tokenWith('acl = "write"'), await v1.tokenWith('operator = "write"')];
    expect(new Set((await list("", operator)).map(({ Kind }) => Kind))).toEqual(new Set(["namespace"]));
    expect((await list("", acl)).some(({ Kind }) => Kind === "namespace")).toBe(false);
    for (const [token, entry] of [
      [acl, hidden],
      [operator, shown],
    ] as const) {
      const [one, missing] = [entry.ID, NOBODY].map((id) => () => restore(id, undefined, "", token));
      if (one === undefined || missing === undefined) throw new Error("both are there");
      expect((await one()).text.replace(entry.ID, NOBODY)).toBe((await missing()).text);
      await v1.expectSameStatements(one, missing);
      expect((await v1.get(`/acl/trash?id=${entry.ID}`, token)).status).toBe(404);
    }
    expect((await restore(hidden.ID, undefined, "", operator)).status).toBe(200);
    expect((await restore(shown.ID, undefined, "", acl)).status).toBe(200);
  });

  test("default policies need the permission to write them, as at a creation", async () => {
    const name = v1.unique("ns");
    const ACLs = { PolicyDefaults: [{ ID: await v1.policy("") }] };
    await makeNamespace(v1, { namespace: name }, { ACLs });
    await v1.delete(`/namespace/${name}`);
    const { ID } = await entryOf(name);
    const operator = await v1.tokenWith('operator = "write"');
    expect((await restore(ID, undefined, "", operator)).text).toContain("lacks permission 'acl:write'");
    expect((await restore(ID)).status).toBe(200);
  });

  test("the trash of a namespace goes with it", async () => {
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    const { body } = await v1.put(at("/acl/policy", { namespace }), { Name: "inside" });
    await v1.delete(at(`/acl/policy/${body.ID}`, { namespace }));
    const { ID } = await entryOf("inside", `?ns=${namespace}`);
    await v1.delete(`/namespace/${namespace}`);
    await finishDeletion(v1.db);
    await makeNamespace(v1, { namespace });
    expect(await list(`?ns=${namespace}`)).toEqual([]);
    expect((await restore(ID, undefined, `?ns=${namespace}`)).status).toBe(404);
  });

  test("nothing of a partition's trash is left, also of a namespace that is deleted while the partition goes", async () => {
    const partition = v1.unique("part");
    await makePartition(v1, partition);
    for (const namespace of ["one", "two"]) await makeNamespace(v1, { partition, namespace });
    await v1.put(at("/acl/policy", { partition }), { Name: "p" });
    await v1.delete(`/namespace/one?partition=${partition}`);
    expect((await list(`?partition=${partition}&ns=default`)).map(({ Name }) => Name)).toEqual(["one"]);
    await v1.delete(`/partition/${partition}`);
    await v1.delete(`/namespace/two?partition=${partition}`);
    expect(await rowsIn(partition)).toBe(2);
    await finishDeletion(v1.db);
    expect(await rowsIn(partition)).toBe(0);
    expect((await v1.get(`/partition/${partition}`)).status).toBe(404);
  });

  test("a namespaced token cannot see the trash of another namespace or partition", async () => {
    const [namespace, partition] = [v1.unique("ns"), v1.unique("part")];
    await makeNamespace(v1, { namespace });
    await makePartition(v1, partition);
    const secret = await secretIn(v1, { namespace }, 'acl = "write"');
    expect((await v1.get(`/acl/trash?ns=${namespace}`, secret)).status).toBe(200);
    for (const query of ["?ns=default", `?ns=default&partition=${partition}`]) {
      expect((await v1.get(`/acl/trash${query}`, secret)).status, query).toBe(403);
    }
    expect((await v1.get("/acl/trash?ns=*", secret)).status).toBe(400);
  });
});
