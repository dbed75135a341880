import { afterEach, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

const MARKED_AT = Date.UTC(2026, 1, 3, 4, 5, 6, 789);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  afterEach(() => v1.setNow(undefined));

  /** A partition with two namespaces, and one object of each kind in both. */
  async function filled() {
    const unit = v1.unique("unit");
    await v1.put("/partition", { Name: unit, Description: "d" });
    await v1.put(`/namespace/team?partition=${unit}`, { ACLs: { PolicyDefaults: [{ Name: "namespace-management" }] } });
    const secrets: string[] = [];
    const ids: string[] = [];
    for (const scope of [`partition=${unit}`, `partition=${unit}&ns=team`]) {
      const policy = (await v1.put(`/acl/policy?${scope}`, { Name: "p", Rules: 'acl = "write"' })).body.ID as string;
      await v1.put(`/acl/role?${scope}`, { Name: "r", Policies: [{ ID: policy }] });
      const token = (await v1.put(`/acl/token?${scope}`, { Roles: [{ Name: "r" }] })).body;
      expect(token.SecretID).toBeTruthy();
      secrets.push(String(token.SecretID));
      ids.push(policy);
    }
    return { unit, secrets, ids };
  }
  const mark = async (unit: string) => {
    const answer = await v1.delete(`/partition/${unit}`);
    expect(answer, answer.text).toMatchObject({ status: 200, text: "" });
  };

  test("a delete answers at once, and leaves the partition readable with the time of its mark", async () => {
    const { unit } = await filled();
    const before = (await v1.get(`/partition/${unit}`)).body;
    v1.setNow(MARKED_AT);
    await mark(unit);
    const marked = await v1.get(`/partition/${unit}`);
    const { ModifyIndex } = marked.body;
    expect(marked.body).toEqual({ ...before, DeletedAt: "2026-02-03T04:05:06.789Z", ModifyIndex });
    const list = (await v1.get("/partitions")).body as { Name: string }[];
    expect(list.find((each) => each.Name === unit)).toEqual(marked.body);
    v1.setNow(MARKED_AT + 1000);
    await mark(unit);
    await mark(unit.toUpperCase());
    expect((await v1.delete(`/partition/${unit}?cas=1`)).status).toBe(200);
    expect((await v1.get(`/partition/${unit}`)).text).toBe(marked.text);
  });

  test("a delete of a name that is unknown is 404", async () => {
    const text = 'Cannot find partition "nobody" to delete';
    expect(await v1.delete("/partition/nobody")).toMatchObject({ status: 404, text });
  });

  const writes: Record<string, (unit: string, scope: string, id: string) => Promise<Answer>> = {
    "a new policy": (_unit, scope) => v1.put(`/acl/policy?${scope}`, { Name: "new" }),
    "a policy": (_unit, scope, id) => v1.patch(`/acl/policy/${id}?${scope}`, { Description: "x" }),
    "a new role": (_unit, scope) => v1.put(`/acl/role?${scope}`, { Name: "new" }),
    "a new token": (_unit, scope) => v1.put(`/acl/token?${scope}`, {}),
    "a new namespace": (unit) => v1.put(`/namespace/new?partition=${unit}`, {}),
    "its namespace default": (unit) => v1.put(`/namespace/default?partition=${unit}`, {}),
    "another of its namespaces": (unit) => v1.patch(`/namespace/team?partition=${unit}`, { Description: "x" }),
    "the create of its name": (Name) => v1.put("/partition", { Name }),
    "an update of it": (unit) => v1.put(`/partition/${unit}`, { DeletedAt: null }),
    "a patch of it": (unit) => v1.patch(`/partition/${unit}`, { DeletedAt: null }),
  };
  describe.each(["", "&ns=team"])("in a marked partition (%j)", (ns) => {
    test.each(Object.keys(writes))("%s is refused with 409 and the state", async (what) => {
      const { unit, ids } = await filled();
      await mark(unit);
      const text = `Partition "${unit}" is marked for deletion`;
      const answer = await writes[what]?.(unit, `partition=${unit}${ns}`, ids[ns === "" ? 0 : 1] ?? "");
      expect(answer).toMatchObject({ status: 409, text });
    });
  });

  test("reads go on until all is gone, and its namespaces are not marked themselves", async () => {
    const { unit, ids } = await filled();
    const paths = [
      `/namespaces?partition=${unit}`,
      `/namespace/team?partition=${unit}`,
      `/acl/policies?partition=${unit}`,
      `/acl/policy/${ids[1]}?partition=${unit}&ns=team`,
      `/acl/tokens?partition=${unit}&ns=*`,
    ];
    const read = async () => Promise.all(paths.map(async (path) => (await v1.get(path)).text));
    const before = await read();
    await mark(unit);
    expect(await read()).toEqual(before);
    expect(before.join()).not.toContain("DeletedAt");
    await finishDeletion(v1.db);
    expect((await v1.get(`/partition/${unit}`)).status).toBe(404);
    expect((await v1.get(`/namespace/team?partition=${unit}`)).status).toBe(404);
    for (const path of paths.filter((each) => /s\?/.test(each))) expect((await v1.get(path)).text).toBe("[]");
    expect((await v1.put(`/acl/policy?partition=${unit}`, { Name: "x" })).text).toBe(
      `Partition "${unit}" does not exist`,
    );
  });

  test("the tokens of all its namespaces are unknown from the commit that marks it", async () => {
    const [{ unit, secrets }, other] = [await filled(), await filled()];
    for (const secret of secrets) expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
    await mark(unit);
    for (const secret of secrets) {
      for (const path of ["/acl/token/self", "/acl/policies", "/partitions", `/namespaces?partition=${other.unit}`]) {
        expect(await v1.get(path, secret)).toMatchObject({ status: 403, text: "ACL not found" });
      }
    }
    for (const secret of other.secrets) expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
  });

  test("incident 13: everything inside goes, nothing outside does, and the same name made again knows nothing of it", async () => {
    const [{ unit, secrets, ids }, other] = [await filled(), await filled()];
    const outside = async () =>
      Promise.all(
        [`partition=${other.unit}&ns=*`, "ns=*"].flatMap((scope) =>
          ["policies", "roles", "tokens"].map(async (kind) => (await v1.get(`/acl/${kind}?${scope}`)).text),
        ),
      );
    // Finishes deletions of other tests.
    await finishDeletion(v1.db);
    const before = await outside();
    // A namespace that was marked before its partition goes with it.
    await v1.delete(`/namespace/team?partition=${unit}`);
    await mark(unit);
    const { progress } = await finishDeletion(v1.db);
    expect(progress).toMatchObject({ pending: 0, finished: 3 });
    expect(await outside()).toEqual(before);
    for (const table of ["policies", "roles", "tokens", "namespaces"] as const) {
      const rows = await v1.db.sql.selectFrom(table).select("partition").where("partition", "=", unit).execute();
      expect([table, rows]).toEqual([table, []]);
    }
    await v1.put("/partition", { Name: unit });
    expect((await v1.get(`/namespaces?partition=${unit}`)).body).toMatchObject([{ Name: "default" }]);
    for (const kind of ["roles", "tokens"]) expect((await v1.get(`/acl/${kind}?partition=${unit}`)).text).toBe("[]");
    for (const secret of secrets) {
      expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 403, text: "ACL not found" });
    }
    expect((await v1.get(`/acl/policy/${ids[0]}?partition=${unit}`)).status).toBe(404);
  });
});
