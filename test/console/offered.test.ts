/** Tests of the actions that the pages of an organization offer to users who may not, or not everywhere, change it. */
import { expect, it } from "vitest";
import { inBrowser, title, useConsole } from "./use-console.ts";

/** Buttons that change something. */
const WRITES = /^(More|Edit|Add to workspaces|Tag all|Add tags|Remove tags|Move|Merge|Delete|Rename|Lock|Unlock)/;

const at = useConsole();

inBrowser("what is offered of an organization", () => {
  it("offers a reader of an organization nothing that writes, and says so where all is hidden", async () => {
    await makeOrganization("umbrella");
    const tag = await makeTagged("umbrella", "web");
    const rules = 'organization "umbrella" { policy = "read" }';
    await at.client.policies.create({ body: { Name: "readers", Rules: rules } });
    const reader = await at.client.tokens.create({ body: { Policies: [{ Name: "readers" }] } });
    const { page, go } = await at.open(undefined, { as: reader.SecretID });
    for (const [path, name] of [
      ["org/umbrella/settings", "umbrella"],
      ["org/umbrella/projects", "Projects"],
      ["org/umbrella/tags", "Tags"],
      [`org/umbrella/tags/${tag}`, "pci"],
      ["org/umbrella/workspaces", "Workspaces"],
      ["org/umbrella/tag-rules", "Tag policy"],
      ["org/umbrella/reserved-tag-keys", "Reserved tag keys"],
      ["organizations", "Organizations"],
    ] as const) {
      await go(path);
      await title(page, name);
      expect([path, await page.getByRole("link", { name: /^(New|Edit|Create)/ }).count()]).toEqual([path, 0]);
      expect([path, await page.getByRole("button", { name: WRITES }).count()]).toEqual([path, 0]);
    }
    for (const [path, row] of [
      ["org/umbrella/tags", "pci"],
      ["org/umbrella/workspaces", "web"],
    ] as const) {
      await go(path);
      await page.getByRole("checkbox", { name: `Select ${row}`, exact: true }).click();
      await page.getByRole("region", { name: "Selection" }).getByText("1 selected").waitFor();
      expect([path, await page.getByRole("button", { name: WRITES }).count()]).toEqual([path, 0]);
    }
    await page.getByText("Your token cannot change these workspaces.").waitFor();
    expect(await page.getByRole("link", { name: "Webhooks", exact: true }).count()).toBe(0);
    await go("org/umbrella/tag-webhooks");
    await page.getByRole("link", { name: "Explain denial" }).waitFor();
  });

  it("offers who may write one workspace what changes its tags, and says which of the selected ones stay", async () => {
    await makeOrganization("wayne");
    await makeTagged("wayne", "db");
    const tag = await makeTagged("wayne", "web");
    const rules = 'organization "wayne" { policy = "read" } workspace "wayne/web" { policy = "write" }';
    await at.client.policies.create({ body: { Name: "web-writers", Rules: rules } });
    const writer = await at.client.tokens.create({ body: { Policies: [{ Name: "web-writers" }] } });
    const { page, go } = await at.open(`org/wayne/tags/${tag}`, { as: writer.SecretID });
    await page.getByRole("button", { name: "Add to workspaces" }).waitFor();
    await go("org/wayne/workspaces");
    await page.getByRole("button", { name: "Tag all matching" }).waitFor();
    await page.getByRole("checkbox", { name: "Select web", exact: true }).click();
    await page.getByRole("button", { name: "Add tags" }).waitFor();
    await page.getByRole("checkbox", { name: "Select db", exact: true }).click();
    await page.getByText("Your token cannot change 1 of these workspaces, such as db.").waitFor();
    expect(await page.getByRole("button", { name: "Add tags" }).count()).toBe(0);
    // The token may change nothing that this search finds.
    await go("org/wayne/workspaces?q=db");
    await page.getByRole("checkbox", { name: "Select db", exact: true }).click();
    await page.getByText("Your token cannot change these workspaces.").waitFor();
    expect(await page.getByRole("button", { name: "Tag all matching" }).count()).toBe(0);
  });

  it("says in a form that was opened by its address what it lacks to save it", async () => {
    await makeOrganization("stark");
    const rules = 'acl = "read" operator = "read" organization "stark" { policy = "read" }';
    const policy = await at.client.policies.create({ body: { Name: "onlookers", Rules: rules } });
    const onlooker = await at.client.tokens.create({ body: { Policies: [{ Name: "onlookers" }] } });
    const { page, go } = await at.open(undefined, { as: onlooker.SecretID });
    const scope = "access/default/default";
    for (const [path, lacks] of [
      ["org/stark/tags/new", "organization:write"],
      ["org/stark/workspaces/new", "organization:write"],
      ["org/stark/tag-rules/edit", "organization:write"],
      ["org/stark/settings/edit", "organization:write"],
      ["org/stark/reserved-tag-keys/new", "organization:write"],
      ["organizations/new", "organization:write"],
      [`${scope}/tokens/new`, "acl:write"],
      [`${scope}/tokens/${onlooker.AccessorID}/edit`, "acl:write"],
      [`${scope}/policies/${policy.ID}/edit`, "acl:write"],
      [`${scope}/binding-rules/new`, "acl:write"],
      [`${scope}/namespaces/new`, "operator:write"],
    ] as const) {
      await go(path);
      await page.getByText(`Your token cannot save this form. Required permission: ${lacks}.`).waitFor();
      const save = page.locator("form").getByRole("button", { name: /^(Create|Save)/ });
      expect([path, await save.isDisabled()]).toEqual([path, true]);
    }
  });

  async function makeOrganization(name: string): Promise<void> {
    const attributes = { name, email: `ops@${name}.example` };
    await at.client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  }

  /** A workspace with the tag `pci`, whose ID is given. */
  async function makeTagged(organization: string, name: string): Promise<string> {
    const body = { data: { type: "workspaces" as const, attributes: { name } } };
    const { data } = await at.client.workspaces.create({ organization, body });
    const tags = [{ type: "tags" as const, attributes: { name: "pci" } }];
    await at.client.workspaceTags.add({ workspace: data.id, body: { data: tags } });
    const [tag] = await at.client.tags.list({ organization }).all();
    return tag?.id ?? "";
  }
});
