/**
 * Tests audit records of objects that are deleted with another object: each has a record, in the transaction that
 * removes it.
 */
import { expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { loginIn, makeIn, makeMethodIn, makeNamespace, makePartition, METHOD } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { chainHash, type AuditContent } from "../../storage/proofs/audit-chain.ts";
import type { Database } from "../../storage/database.ts";

/** Records of a chain, in its order. */
function recordsOf(db: Database, partition: string) {
  const chain = `partition/${partition}`;
  return db.sql.selectFrom("audit_records").selectAll().where("chain", "=", chain).orderBy("seq").execute();
}

const told = ({ action, kind, object_id: id }: { action: string; kind: string; object_id: string }) =>
  `${action} ${kind} ${id}`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** A namespace with an object of each kind. @returns their IDs, by kind */
  async function filled(scope: { partition: string; namespace: string }) {
    await makeNamespace(v1, scope);
    const policy = await makeIn(v1, scope, "policy", { Name: "p", Rules: 'key "a" { policy = "read" }' });
    const role = await makeIn(v1, scope, "role", { Name: "r" });
    const token = await makeIn(v1, scope, "token", { Description: "of the namespace" });
    await makeMethodIn(v1, scope);
    const rule = await makeIn(v1, scope, "binding-rule", {});
    const login = await loginIn(v1, scope);
    return {
      policy: String(policy.ID),
      role: String(role.ID),
      rule: String(rule.ID),
      tokens: [String(token.AccessorID), String(login.AccessorID)],
      secret: String(token.SecretID),
    };
  }

  test("each object of a namespace, with what it was and the namespace that it went with, and at last that the name is free", async () => {
    const scope = { partition: "default", namespace: v1.unique("ns") };
    const made = await filled(scope);
    await v1.delete(`/namespace/${scope.namespace}`);
    const before = (await recordsOf(v1.db, "default")).length;
    await finishDeletion(v1.db);
    const gone = (await recordsOf(v1.db, "default")).slice(before);
    expect(gone.map(told)).toEqual(
      expect.arrayContaining([
        ...made.tokens.map((id) => `delete token ${id}`),
        `delete policy ${made.policy}`,
        `delete role ${made.role}`,
        `delete binding-rule ${made.rule}`,
        `remove namespace ${scope.namespace}`,
      ]),
    );
    expect(gone.filter(({ kind, name }) => kind === "auth-method" && name === METHOD)).toHaveLength(1);
    expect(gone.at(-1)).toMatchObject({ action: "remove", kind: "namespace" });
    for (const record of gone.slice(0, -1)) {
      const { deletedWith, changes } = JSON.parse(record.detail);
      expect(deletedWith).toEqual({ kind: "namespace", id: scope.namespace });
      expect(changes).toEqual([expect.any(Object), 0, 0]);
      expect(record).toMatchObject({ ...scope, outcome: "done" });
    }
    const detail = JSON.parse(gone.find(({ object_id: id }) => id === made.tokens[0])?.detail ?? "{}");
    expect(detail.changes[0]).toMatchObject({ Description: "of the namespace" });
    expect(JSON.stringify(gone)).not.toContain(made.secret);
  });

  test("what an auth method has made elsewhere: its tokens in other namespaces", async () => {
    const scope = { partition: "default", namespace: v1.unique("ns") };
    const { tokens } = await filled(scope);
    await v1.delete(`/acl/auth-method/${METHOD}?ns=${scope.namespace}`);
    const before = (await recordsOf(v1.db, "default")).length;
    await finishDeletion(v1.db);
    const gone = (await recordsOf(v1.db, "default")).slice(before);
    expect(gone.map(told)).toContain(`delete token ${tokens[1]}`);
    expect(gone.every(({ kind }) => ["token", "binding-rule"].includes(kind))).toBe(true);
    for (const { detail } of gone) {
      expect(JSON.parse(detail).deletedWith).toEqual({ kind: "auth-method", id: expect.any(String), name: METHOD });
    }
  });

  test("all of a partition, in the chain of its own, whose every record still hangs on the one before", async () => {
    const partition = v1.unique("part");
    await makePartition(v1, partition);
    const made = await filled({ partition, namespace: v1.unique("ns") });
    await v1.delete(`/partition/${partition}`);
    await finishDeletion(v1.db);
    const all = await recordsOf(v1.db, partition);
    const ends = all.filter(({ action }) => action === "remove").map(({ kind }) => kind);
    expect(ends).toEqual(["namespace", "namespace", "partition"]);
    const token = all.find((record) => told(record) === `delete token ${made.tokens[0]}`);
    expect(JSON.parse(token?.detail ?? "{}").deletedWith).toEqual({ kind: "partition", id: partition });
    let last = "";
    for (const { hash, ...content } of all) {
      expect(chainHash(last, content satisfies AuditContent)).toBe(hash);
      last = hash;
    }
    const indexes = v1.db.sql.selectFrom("table_indexes").select("name").where("name", "like", `${partition}/%`);
    // The index of partitions stays: it notifies readers who wait for partitions that this one is deleted.
    const left = (await indexes.execute()).filter(({ name }) => !name.endsWith("/partitions"));
    expect(left).toEqual([]);
  });

  test("one that is not what was written goes all the same, on record by its ID alone", async () => {
    const scope = { partition: "default", namespace: v1.unique("ns") };
    const { role } = await filled(scope);
    await v1.past({ kind: "root" }, (tx) =>
      Promise.resolve(tx.write(tx.sql.updateTable("roles").set({ description: "changed" }).where("id", "=", role))),
    );
    await v1.delete(`/namespace/${scope.namespace}`);
    await finishDeletion(v1.db);
    const record = (await recordsOf(v1.db, "default")).findLast(({ object_id: id }) => id === role);
    expect(record).toMatchObject({ action: "delete", kind: "role", name: "" });
    expect(JSON.parse(record?.detail ?? "{}")).toMatchObject({ damaged: true });
    expect(record?.detail).not.toContain("changed");
  });
});
