/** What holds no more than it was born with ends with its DELETE; all else is marked, and ends in the background. */
import { expect, test } from "vitest";
import { countsIn, finishDeletion, NO_ROWS } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeIn, makeMethodIn, makeNamespace, makePartition, METHOD } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { listMarkedNamespaces, listMarkedPartitions } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  const records = async (partition: string) =>
    (
      await v1.db.sql
        .selectFrom("audit_records")
        .select(["action", "kind", "name", "accessor_id", "detail"])
        .where("chain", "=", `partition/${partition}`)
        .orderBy("seq")
        .execute()
    ).map(({ action, kind, name, accessor_id: by, detail }) => ({
      what: `${action} ${kind} ${name}`,
      by,
      cause: JSON.parse(detail).deletedWith,
    }));
  const isMarked = async (path: string) => "DeletedAt" in ((await v1.get(path)).body ?? {});

  test("an empty namespace is gone with its DELETE, and leaves nothing but records", async () => {
    const scope = { partition: "default", namespace: v1.unique("room") };
    const path = `/namespace/${scope.namespace}`;
    await makeNamespace(v1, scope);
    const made = (await v1.get(path)).body;
    const before = (await records("default")).length;
    expect(await v1.delete(path)).toMatchObject({ status: 200, text: "" });
    expect((await v1.get(path)).status).toBe(404);
    expect(await countsIn(v1.db, scope)).toEqual(NO_ROWS);
    expect(await listMarkedNamespaces(v1.db)).toEqual([]);
    const gone = (await records("default")).slice(before);
    expect(gone.map(({ what }) => what)).toEqual([
      `delete namespace ${scope.namespace}`,
      "delete policy namespace-management",
      `remove namespace ${scope.namespace}`,
    ]);
    expect(gone[1]?.cause).toEqual({ kind: "namespace", id: scope.namespace });
    expect(new Set(gone.map(({ by }) => by))).toEqual(new Set([gone[0]?.by]));
    expect((await v1.delete(path)).status).toBe(404);
    await makeNamespace(v1, scope);
    const again = (await v1.get(path)).body;
    expect(again.CreateIndex).toBeGreaterThan(made.ModifyIndex);
    expect((await v1.get(`/acl/policies?ns=${scope.namespace}`)).body).toHaveLength(1);
  });

  test("an empty partition is gone with its DELETE, with its namespace", async () => {
    const name = v1.unique("unit");
    await makePartition(v1, name);
    const path = `/partition/${name}`;
    const before = (await records(name)).length;
    expect((await v1.delete(path)).status).toBe(200);
    expect((await v1.get(path)).status).toBe(404);
    expect(await countsIn(v1.db, { partition: name, namespace: "default" })).toMatchObject({
      policies: 0,
      deleted_links: 0,
    });
    expect([await listMarkedNamespaces(v1.db), await listMarkedPartitions(v1.db)]).toEqual([[], []]);
    expect((await records(name)).slice(before).map(({ what }) => what)).toEqual([
      `delete partition ${name}`,
      "delete policy namespace-management",
      "remove namespace default",
      `remove partition ${name}`,
    ]);
    await makePartition(v1, name);
    await makeIn(v1, { partition: name }, "role", { Name: "again" });
    expect((await v1.get(`/acl/roles?partition=${name}`)).body).toHaveLength(1);
  });

  test("the indexes of what is gone at once are those that background removal leaves", async () => {
    const [once, later] = [v1.unique("once"), v1.unique("later")];
    for (const name of [once, later]) await makePartition(v1, name);
    await makeIn(v1, { partition: later }, "role", { Name: "inside" });
    for (const name of [once, later]) await v1.delete(`/partition/${name}`);
    await finishDeletion(v1.db);
    const left = async (name: string) => {
      const rows = v1.db.sql.selectFrom("table_indexes").select("name").where("name", "like", `${name}/%`);
      return (await rows.execute()).map((row) => row.name.slice(name.length)).toSorted();
    };
    expect(await left(once)).toEqual(await left(later));
  });

  test.each(["policy", "role", "token", "auth-method"] as const)("a namespace with a %s is marked", async (kind) => {
    const scope = { namespace: v1.unique("room") };
    await makeNamespace(v1, scope);
    if (kind === "auth-method") await makeMethodIn(v1, scope);
    else await makeIn(v1, scope, kind, kind === "token" ? {} : { Name: "inside" });
    const path = `/namespace/${scope.namespace}`;
    expect((await v1.delete(path)).status).toBe(200);
    expect(await isMarked(path)).toBe(true);
    await finishDeletion(v1.db);
    expect((await v1.get(path)).status).toBe(404);
  });

  test("a partition is marked while it has another namespace, or something in its first one", async () => {
    const [wide, full] = [v1.unique("wide"), v1.unique("full")];
    for (const name of [wide, full]) await makePartition(v1, name);
    await makeNamespace(v1, { partition: wide, namespace: "second" });
    await makeIn(v1, { partition: full }, "token", {});
    for (const name of [wide, full]) {
      expect((await v1.delete(`/partition/${name}`)).status).toBe(200);
      expect(await isMarked(`/partition/${name}`)).toBe(true);
    }
    await finishDeletion(v1.db);
    for (const name of [wide, full]) expect((await v1.get(`/partition/${name}`)).status).toBe(404);
  });

  test("what was emptied before is empty, but not while a deleted auth method has left something", async () => {
    const name = v1.unique("unit");
    const inIt = `?partition=${name}`;
    await makePartition(v1, name);
    const { ID } = await makeIn(v1, { partition: name }, "policy", { Name: "inside" });
    await v1.delete(`/acl/policy/${ID}${inIt}`);
    await makeMethodIn(v1, { partition: name });
    await v1.delete(`/acl/auth-method/${METHOD}${inIt}`);
    await v1.delete(`/partition/${name}`);
    expect(await isMarked(`/partition/${name}`)).toBe(true);
    await finishDeletion(v1.db);
    await makePartition(v1, name);
    const policy = await makeIn(v1, { partition: name }, "policy", { Name: "inside" });
    await v1.delete(`/acl/policy/${policy.ID}${inIt}`);
    await v1.delete(`/partition/${name}`);
    expect((await v1.get(`/partition/${name}`)).status).toBe(404);
    expect(await countsIn(v1.db, { partition: name, namespace: "default" })).toMatchObject({ deleted_links: 0 });
  });

  test("of a DELETE and a write at once, the write is refused or goes with the namespace", async () => {
    for (let round = 0; round < 10; round++) {
      const scope = { partition: "default", namespace: v1.unique("room") };
      await makeNamespace(v1, scope);
      const [written, deleted] = await Promise.all([
        v1.put(`/acl/role?ns=${scope.namespace}`, { Name: "late" }),
        v1.delete(`/namespace/${scope.namespace}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 400, 409]).toContain(written.status);
      if (written.status !== 200) expect((await v1.get(`/namespace/${scope.namespace}`)).status).toBe(404);
      await finishDeletion(v1.db);
      expect(await countsIn(v1.db, scope)).toEqual(NO_ROWS);
    }
  });
});
