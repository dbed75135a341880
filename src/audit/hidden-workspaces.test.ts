/** Workspaces that the records of an organization reveal. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function organization(name = v1.unique("acme")) {
    const attributes = { name, email: "a@b.example" };
    const made = await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    expect(made.status, made.text).toBe(201);
    return { name, id: String(made.body.data.attributes["external-id"]) };
  }

  async function organizationAudit(name: string, query = "", token = MANAGEMENT) {
    return v1.api("GET", `/organizations/${name}/audit${query}`, undefined, token);
  }

  test("records of workspaces that the caller may not read are left out of its organization's", async () => {
    const { name } = await organization();
    for (const each of ["open", "shut"]) {
      await v1.api("POST", `/organizations/${name}/workspaces`, {
        data: { type: "workspaces", attributes: { name: each } },
      });
    }
    const reader = await v1.tokenWith(
      `organization "${name}" { policy = "read" } workspace "${name}/shut" { policy = "deny" }`,
    );
    const { text, status } = await organizationAudit(name, "", reader);
    expect(status).toBe(200);
    expect(text).toContain('"open"');
    expect(text).not.toContain("shut");
    expect(text).not.toMatch(/"seq"|organization\/org-/);
    // Former name and content of a workspace, under a name that the reader may not read.
    const closed = { type: "workspaces", attributes: { name: "shut-2", description: "canary" } };
    const lines = { accept: "application/x-ndjson", authorization: `Bearer ${reader}` };
    const made = await v1.api("POST", `/organizations/${name}/workspaces`, { data: closed });
    const rename = { type: "workspaces", attributes: { name: "opened", description: "now" } };
    const shut = await v1.tokenWith(
      `organization "${name}" { policy = "read" } workspace_prefix "${name}/shut" { policy = "deny" }`,
    );
    expect((await v1.api("PATCH", `/workspaces/${made.body.data.id}`, { data: rename })).status).toBe(200);
    const again = { type: "workspaces", attributes: { name: "opened-2" } };
    expect((await v1.api("PATCH", `/workspaces/${made.body.data.id}`, { data: again })).status).toBe(200);
    const url = `/api/v2/organizations/${name}/audit`;
    const exported = await v1.send({ method: "GET", url, headers: { ...lines, authorization: `Bearer ${shut}` } });
    for (const shown of [(await organizationAudit(name, "", shut)).text, exported.text]) {
      expect(shown).toContain('"opened-2"');
      expect(shown).not.toMatch(/shut|canary/);
    }
    const stranger = await v1.tokenWith('key "a" { policy = "read" }');
    const [refused, missing] = [
      await organizationAudit(name, "", stranger),
      await organizationAudit("none", "", stranger),
    ];
    expect([refused.status, refused.text]).toEqual([404, missing.text]);
  });
});
