/** Organizations, projects, rules for tags, reserved keys and webhooks in a browser, at a real server on both engines. */
import { expect, it } from "vitest";
import { startTarget } from "../support/webhook-target.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const HOSTILE = "<script>alert(1)</script> 🔑 مفتاح =1+1";
const LONG = "x".repeat(255);

const at = useConsole();

inBrowser("what an organization has", () => {
  it("makes an organization and a project, changes both after a diff, edits the project's keys in place, and says what goes with them", async () => {
    const { page, go } = await at.open("organizations");
    await page.getByRole("link", { name: "New organization" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("globex");
    await page.getByLabel("Email", { exact: true }).fill("ops@globex.example");
    await page.getByRole("button", { name: "Create organization" }).click();
    await title(page, "globex");
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Email", { exact: true }).fill("platform@globex.example");
    // Changes by others to members that the form does not have are no race.
    const { data: first } = await at.client.workspaces.create({
      organization: "globex",
      body: { data: { type: "workspaces", attributes: { name: "web" } } },
    });
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await title(page, "globex");
    await page.getByText("platform@globex.example").waitFor();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("ops@globex.example").first().waitFor();

    await go("org/globex/projects/new");
    await page.getByLabel("Name", { exact: true }).fill("Payments");
    await page.getByLabel("Description", { exact: true }).fill(HOSTILE);
    await page.getByRole("button", { name: "Create project" }).click();
    await title(page, "Payments");
    await expect.poll(async () => page.getByText(HOSTILE, { exact: true }).count()).toBe(1);
    const [project] = await at.client.projects.list({ organization: "globex", q: "pay" }).all();
    const id = project?.id ?? "";
    await page.getByRole("combobox", { name: "Tag keys" }).fill("owner=payments");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save tag keys" }).click();
    const keys = async () =>
      (await at.client.tagBindings.listOfProject({ project: id }).all()).map(({ attributes }) => attributes);
    await expect.poll(keys).toMatchObject([{ key: "owner", value: "payments" }]);
    // Its records lead to it.
    await go("org/globex/audit?kind=project&action=create");
    await page.getByRole("button", { name: /created project Payments/ }).click();
    await page.getByRole("listitem").getByRole("link", { name: "Payments" }).click();
    await title(page, "Payments");

    await go("org/globex/workspaces");
    await page.getByRole("checkbox", { name: "Select web", exact: true }).click();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Project" }).click();
    await page.getByRole("option", { name: "Payments" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("Moved 1 workspace").waitFor();
    await go(`org/globex/workspaces?filter[project][id]=${id}`);
    await page.getByRole("button", { name: "Remove filter Project" }).getByText("Payments").waitFor();
    await page.getByRole("link", { name: "web", exact: true }).waitFor();
    await go(`org/globex/projects/${id}`);
    await page.getByRole("link", { name: "web", exact: true }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    const kept = page.getByRole("menuitem", { name: /Delete/ });
    expect(await kept.textContent()).toContain("The project has 1 workspace. Move or delete this workspace first.");
    await kept.click({ force: true });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await at.client.request("deleteWorkspace", { path: { workspace_id: first.id } });
    await go(`org/globex/projects/${id}`);
    await page.getByRole("button", { name: "More" }).click();
    await kept.click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title(page, "Projects");
    await expect.poll(async () => page.getByText("Payments", { exact: true }).count()).toBe(0);

    await go("org/globex/settings");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/0 tags, 0 workspaces, 1 project/).waitFor();
    const button = dialog.getByRole("button", { name: "Delete" });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel("Type globex to confirm").fill("globex");
    await button.click();
    await title(page, "Organizations");
    await expect(at.client.organizations.read({ organization: "globex" })).rejects.toThrow();
  });

  it("writes rules for tags, mends one that the server refuses, and loses nothing when others write them meanwhile", async () => {
    await makeOrganization("initech");
    const { page, go } = await at.open("org/initech/tag-rules");
    await page.getByRole("link", { name: "Create tag policy" }).click();
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByRole("button", { name: /^Save$|^Save \(/ }).click();
    await page.getByText("Enter 1 to 100 letters, digits, spaces").waitFor();
    const rule = page
      .getByRole("group")
      .filter({ has: page.getByLabel("Required keys") })
      .first();
    await rule.getByLabel("Name", { exact: true }).fill("owners");
    await rule.getByLabel("Required keys").fill("owner");
    await page.keyboard.press("Enter");
    await rule.getByLabel("Naming pattern").fill("[a-z");
    await page.getByRole("button", { name: /^Save$|^Save \(/ }).click();
    await page
      .getByRole("alert")
      .getByText(/Pattern is malformed/)
      .waitFor();
    await rule.getByLabel("Naming pattern").fill("[a-z]+");
    await page.getByRole("button", { name: /^Save$|^Save \(/ }).click();
    await title(page, "Tag policy");
    const rules = async () => (await at.client.tagPolicies.read({ organization: "initech" })).data.attributes;
    expect(await rules()).toMatchObject({
      enforce: "advise",
      rules: [{ name: "owners", "required-keys": ["owner"], "naming-pattern": "[a-z]+" }],
    });

    await at.client.workspaces.create({
      organization: "initech",
      body: { data: { type: "workspaces", attributes: { name: "short" } } },
    });
    await go("org/initech/tag-policies");
    await page.getByRole("link", { name: "short", exact: true }).waitFor();
    await page.getByRole("link", { name: "Tag policy", exact: true }).click();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("combobox", { name: "Enforcement" }).click();
    await page.getByRole("option", { name: "Block (reject the write)" }).click();
    // Another one is as fast as that.
    const theirs = [{ name: "owners", "required-keys": ["owner", "cost"] }];
    await at.client.tagPolicies.put({
      organization: "initech",
      body: { data: { type: "tag-policies", attributes: { enforce: "advise", rules: theirs } } },
    });
    const race = page.getByRole("alert").filter({ hasText: "Conflict: object has changed" });
    await race.waitFor();
    await race.getByRole("button", { name: "Apply my changes" }).click();
    await page.getByRole("button", { name: /^Save$|^Save \(/ }).click();
    await title(page, "Tag policy");
    expect(await rules()).toMatchObject({ enforce: "refuse", rules: theirs });
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText(/added: refuse$/).waitFor();

    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No tag policy yet").waitFor();
    await expect(rules()).rejects.toThrow();
  });

  it("reserves a key, changes it and lets it go; makes a webhook whose secret is shown once, tests it and changes it", async () => {
    const target = await startTarget();
    await makeOrganization("hooli");
    const { page, go } = await at.open("org/hooli/reserved-tag-keys/new");
    await page.getByLabel("Key", { exact: true }).fill("cost-center");
    await page.getByRole("button", { name: "Create reserved tag key" }).click();
    await title(page, "cost-center");
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Disable workspace overrides").click();
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await page.getByText("workspace value, if it is set").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title(page, "Reserved tag keys");
    expect(await at.client.reservedTagKeys.list({ organization: "hooli" }).all()).toEqual([]);

    await go("org/hooli/tag-webhooks/new");
    await page.getByLabel("Name", { exact: true }).fill(LONG);
    await page.getByLabel("URL", { exact: true }).fill(target.url);
    await page.getByRole("button", { name: "Generate" }).click();
    await page.getByRole("button", { name: "Create webhook" }).click();
    const secret = (await page.locator("[data-secret]").textContent()) ?? "";
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await title(page, LONG);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Delivered. Response: 204").waitFor();
    expect(target.asked[0]?.signature).toMatch(/^[0-9a-f]{128}$/);
    target.answer = 503;
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("Test delivery failed: 503").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill(HOSTILE);
    await page.getByLabel("Enabled").click();
    await page.getByRole("button", { name: "Save changes (2)" }).click();
    await title(page, HOSTILE);
    await page.getByText("disabled", { exact: true }).waitFor();
    const [hook] = await at.client.tagWebhooks.list({ organization: "hooli" }).all();
    expect(hook?.attributes).toMatchObject({ name: HOSTILE, enabled: false, "has-token": true });
  });

  it("shows a stored secret to who sends the secret of a token, and not by the session", async () => {
    const token = await at.client.tokens.create({ body: { Description: "Of a service" } });
    const { page } = await at.open(`access/default/default/tokens/${token.AccessorID}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Reveal secret" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your SecretID").fill("3f0c9b1e-6a53-4d6f-8f0a-000000000000");
    await dialog.getByRole("button", { name: "Reveal" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await page.locator("[data-secret]").count()).toBe(0);
    await dialog.getByLabel("Your SecretID").fill(at.token);
    await dialog.getByRole("button", { name: "Reveal" }).click();
    expect(await page.locator("[data-secret]").textContent()).toBe(token.SecretID);
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("Reveal", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(token.SecretID);
  });

  it("says of a list of which the token may not read all that there may be others", async () => {
    await makeOrganization("partly");
    for (const name of ["seen", "unseen"]) {
      const body = { data: { type: "workspaces" as const, attributes: { name } } };
      await at.client.workspaces.create({ organization: "partly", body });
    }
    const Rules = 'workspace "partly/seen" {\n  policy = "read"\n}\n';
    await at.client.policies.create({ body: { Name: "some", Rules } });
    const note = "The list may be incomplete: your token cannot read all objects.";
    const some = await at.open("org/partly/workspaces", {
      as: (await at.client.tokens.create({ body: { Policies: [{ Name: "some" }] } })).SecretID,
    });
    await some.page.getByRole("link", { name: "seen", exact: true }).waitFor();
    await some.page.getByText(note).waitFor();
    const all = await at.open("org/partly/workspaces");
    await all.page.getByRole("link", { name: "unseen", exact: true }).waitFor();
    await all.page.getByRole("link", { name: "New workspace" }).waitFor();
    expect(await all.page.getByText(note).count()).toBe(0);
  });

  async function makeOrganization(name: string): Promise<void> {
    const attributes = { name, email: `ops@${name}.example` };
    await at.client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  }
});
