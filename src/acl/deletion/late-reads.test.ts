import { expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { writePast } from "../../../test/support/proofs.ts";
import { makeIn, makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { readEffective } from "../effective.ts";
import { NO_GRANTS } from "../grants.ts";
import { readLinkNames } from "../kit/links.ts";
import { roleStore, type Role } from "../roles/store.ts";
import type { Scope } from "../../rights/scope.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** A role as a list reads it, with a link to a policy that was deleted before. */
  async function roleRead(scope: Scope): Promise<Role> {
    await makeNamespace(v1, scope);
    const policy = await makeIn(v1, scope, "policy", { Name: "gone", Rules: "" });
    const { ID } = await makeIn(v1, scope, "role", { Name: "r", Policies: [{ ID: policy.ID }] });
    await v1.delete(`/acl/policy/${policy.ID}?partition=${scope.partition}&ns=${scope.namespace}`);
    const role = await roleStore.find(v1.db, scope, ID);
    if (role === undefined) throw new Error("the role is not there");
    return role;
  }

  async function expectDeadLinks(role: Role): Promise<void> {
    const names = await readLinkNames(v1.db, [role]);
    expect(names.policies(role.scope, role.policies)).toEqual([]);
    const holder = { ...NO_GRANTS, ...role, roles: [role.id] };
    expect(await readEffective(v1.db, holder, undefined, "dc1")).toMatchObject({ policies: [], roles: [] });
  }

  test("who read a role before its namespace was deleted finds dead links afterwards, no damage", async () => {
    const role = await roleRead({ partition: "default", namespace: v1.unique("ns") });
    await v1.delete(`/namespace/${role.scope.namespace}`);
    await finishDeletion(v1.db);
    await expectDeadLinks(role);
  });

  test("so does who read it before its partition was", async () => {
    const partition = v1.unique("part");
    await makePartition(v1, partition);
    const role = await roleRead({ partition, namespace: "team" });
    await v1.delete(`/partition/${partition}`);
    await finishDeletion(v1.db);
    await expectDeadLinks(role);
  });

  test("so does who finds another namespace of the same name", async () => {
    const role = await roleRead({ partition: "default", namespace: v1.unique("ns") });
    await v1.delete(`/namespace/${role.scope.namespace}`);
    await finishDeletion(v1.db);
    await makeNamespace(v1, role.scope);
    await expectDeadLinks(role);
  });

  test("incident 53: a link of a role whose namespace stands is lost, when nothing says that its target was deleted", async () => {
    const role = await roleRead({ partition: "default", namespace: v1.unique("ns") });
    const { partition, namespace } = role.scope;
    await writePast(v1.db, { kind: "root" }, (tx) =>
      Promise.resolve(
        tx.write(
          tx.sql.deleteFrom("deleted_links").where("partition", "=", partition).where("namespace", "=", namespace),
        ),
      ),
    );
    const damaged = expect.objectContaining({ row: { table: "policies", key: role.policies[0] } });
    await expect(readLinkNames(v1.db, [role])).rejects.toEqual(damaged);
    const holder = { ...NO_GRANTS, scope: role.scope, roles: [role.id] };
    await expect(readEffective(v1.db, holder, undefined, "dc1")).rejects.toEqual(damaged);
  });
});
