import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { WORKSPACE_TEXTS } from "./list-text.ts";
import { findWorkspaceByName } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const patterns = Array.from({ length: 20 }, () => "p".repeat(900));

  beforeAll(async () => {
    const organization = { type: "organizations", attributes: { name: "acme", email: "a@b.cd" } };
    await v1.api("POST", "/organizations", { data: organization });
    for (const name of ["one", "two", "three"]) {
      const data = { type: "workspaces", attributes: { name, "trigger-patterns": patterns } };
      expect((await v1.api("POST", "/organizations/acme/workspaces", { data })).status).toBe(201);
    }
  });

  async function found(name: string) {
    const workspace = await findWorkspaceByName(v1.db, "acme", name);
    if (workspace === undefined) throw new Error(`there is no workspace ${name}`);
    const { id, nameKey, projectId } = workspace;
    return { workspace, entry: { id, nameKey, projectId, tagNames: ["t"], effective: undefined, write: false } };
  }

  test("what lies under another name or in another project by now, or is gone, was not decided on and is left out", async () => {
    const [one, two, three] = await Promise.all(["one", "two", "three"].map(found));
    const { organizationId, organizationName, organizationExecutionMode } = one?.workspace ?? {};
    const organization = { organizationId, organizationName, organizationExecutionMode };
    const entries = [
      one?.entry,
      { ...two?.entry, nameKey: "other" },
      { ...three?.entry, projectId: "prj-other" },
      { ...three?.entry, id: "ws-0000000000000000" },
    ];
    const asked = { organization, found: entries } as Parameters<typeof WORKSPACE_TEXTS.run>[1];
    const [made] = await v1.db.apart(WORKSPACE_TEXTS, asked);
    expect(made?.ids).toEqual([one?.entry.id]);
    const shown = JSON.parse(`[${Buffer.from(made?.bytes ?? []).toString()}]`) as object[];
    const attributes = { name: "one", "trigger-patterns": patterns, "tag-names": ["t"] };
    expect(shown).toMatchObject([{ id: one?.entry.id, attributes }]);
    expect(shown).toMatchObject([{ attributes: { permissions: { "can-update": false } } }]);
  });

  test("a page shows of each workspace what a read of it alone shows, however long it is", async () => {
    const page = await v1.api("GET", "/organizations/acme/workspaces", undefined, MANAGEMENT);
    const entries = page.body.data as { id: string }[];
    expect(entries).toHaveLength(3);
    for (const entry of entries) {
      expect((await v1.api("GET", `/workspaces/${entry.id}`, undefined, MANAGEMENT)).body.data).toEqual(entry);
    }
  });
});
