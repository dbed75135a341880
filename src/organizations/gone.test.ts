/** Objects of a deleted organization get a record each, in the chain of the organization. */
import { expect, test } from "vitest";
import { tagNames, useApi } from "../../test/support/api.ts";
import { recordsOf } from "../../test/support/audit.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { countRows } from "../../test/support/storage.ts";
import { chainHash } from "../storage/proofs/audit-chain.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function put(path: string, type: string, attributes: object): Promise<void> {
    const answer = await api.post(path, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
  }

  /** An organization with something of each kind. @returns its ID */
  async function filled(): Promise<{ name: string; id: string }> {
    const name = await api.organization();
    const id = String((await api.get(`/organizations/${name}`)).body.data.attributes["external-id"]);
    await put(`/organizations/${name}/projects`, "projects", { name: "second" });
    await put(`/organizations/${name}/reserved-tag-keys`, "reserved-tag-keys", { key: "owner" });
    const hook = { name: "hook", url: "https://hooks.example.com/", token: "canary-of-the-webhook" };
    await put(`/organizations/${name}/tag-webhooks`, "tag-webhooks", hook);
    const rules = [{ name: "must", "required-keys": ["owner"] }];
    const policy = await api.put(`/organizations/${name}/tag-policy`, {
      data: { type: "tag-policies", attributes: { enforce: "advise", rules } },
    });
    expect(policy.status, policy.text).toBeLessThan(300);
    await api.post(`/organizations/${name}/tags`, tagNames("pinned"));
    await api.workspace(name, "db", ["prod"]);
    await api.workspace(name, "web", ["prod"]);
    return { name, id };
  }

  async function remove(name: string): Promise<void> {
    expect((await api.delete(`/organizations/${name}`)).status).toBe(204);
    await expect.poll(() => countRows(api.db, "purges"), { interval: 5 }).toBe(0);
  }

  test("each workspace, tag, project, webhook, reserved key and the rules, with what they were, without secrets", async () => {
    const { name, id } = await filled();
    const chain = `organization/${id}`;
    const before = (await recordsOf(api.db, chain)).length;
    await remove(name);
    const all = await recordsOf(api.db, chain);
    const gone = all.slice(before);
    expect(gone.map((record) => `${record.action} ${record.kind} ${record.name}`)).toEqual([
      "delete workspace db",
      "delete workspace web",
      "delete tag pinned",
      "delete tag prod",
      "delete project Default Project",
      "delete project second",
      "delete reserved-tag-key owner",
      "delete webhook hook",
      "delete tag-policy ",
    ]);
    for (const { detail, organization_id: lies } of gone) {
      const { deletedWith, changes } = JSON.parse(detail);
      expect([lies, deletedWith, changes]).toEqual([id, { kind: "organization", id }, [expect.any(Object), 0, 0]]);
    }
    const [rules] = JSON.parse(gone.at(-1)?.detail ?? "{}").changes;
    expect(rules).toMatchObject({ enforce: "advise", rules: [expect.objectContaining({ name: "must" })] });
    expect(JSON.stringify(all)).not.toContain("canary-of-the-webhook");
    let last = "";
    for (const { hash, ...content } of all) {
      last = chainHash(last, content);
      expect(last).toBe(hash);
    }
  });

  test("of one that was deleted before there were records, nothing is, and it goes all the same", async () => {
    const { id } = await filled();
    const chain = `organization/${id}`;
    // As a server of that time left it: no counter under another name.
    await api.db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.deleteFrom("counters").where("name", "=", chain));
      tx.write(tx.sql.deleteFrom("organizations").where("id", "=", id));
      const note = { id: `del-${id}`, kind: "organization", target: id, created_at: "2026-01-01" } as const;
      tx.write(tx.sql.insertInto("purges").values(note));
    });
    const before = (await recordsOf(api.db, chain)).length;
    await expect.poll(() => countRows(api.db, "purges"), { interval: 5 }).toBe(0);
    expect((await recordsOf(api.db, chain)).length).toBe(before);
    const left = api.db.sql.selectFrom("workspaces").select("id").where("organization_id", "=", id);
    expect(await left.execute()).toEqual([]);
  });
});
