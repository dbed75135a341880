/** Selected rows of a list: loaded rows first, deletes with a preview, and the columns that the browser remembers. */
import { expect, it } from "vitest";
import { faultsOf } from "./looks.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const PATH = "access/default/default/policies";

const at = useConsole({
  async prepare({ client }) {
    for (let index = 0; index < 130; index++) {
      const Rules = `key "k/${index}" { policy = "read" }`;
      await client.policies.create({ body: { Name: `policy-${String(index).padStart(3, "0")}`, Rules } });
    }
    await client.tokens.create({ body: { Description: "holder", Policies: [{ Name: "policy-001" }] } });
  },
});

inBrowser("the selection of a list", () => {
  it("is the loaded rows first, and then all rows", async () => {
    const { page } = await at.open(PATH);
    const all = page.getByLabel("Select the loaded rows");
    await all.click();
    await page.getByText("100 selected").waitFor();
    await page.getByRole("button", { name: /^Select all 13\d policies$/ }).click();
    await page.getByText(/^13\d selected$/).waitFor();
    await all.click();
    await expect.poll(async () => page.getByRole("region", { name: "Selection" }).count()).toBe(0);
  });

  it("is deleted after its impact, keeps built-in policies, and names what failed", async () => {
    const { page } = await at.open(`${PATH}?q=policy-00`);
    await page.getByRole("link", { name: "policy-001" }).waitFor();
    await page.locator('[data-index="0"] input').focus();
    await page.keyboard.press("Space");
    await page.locator('[data-index="1"] input').click();
    await page.locator('[data-index="2"] input').click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 3 policies?" });
    await dialog.getByRole("button", { name: "key k/1 read → deny 1 token" }).waitFor();
    expect(await dialog.getByRole("list", { name: "To delete" }).getByRole("listitem").allTextContents()).toEqual([
      "policy-000",
      "policy-001",
      "policy-002",
    ]);
    expect(await faultsOf(page, "a delete of selected rows")).toEqual([]);
    // Another client changes one of the policies in the meantime.
    const { ID: id } = await at.client.policies.readByName({ name: "policy-002" });
    await at.client.request("updatePolicy", { path: { id }, body: { Description: "changed" } });
    await dialog.getByRole("button", { name: "Delete 3 policies" }).click();
    await dialog.getByText("Deleted 2 policies. Failed: 1.").waitFor();
    await dialog.getByText("Could not delete policy-002").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("link", { name: "policy-001" }).waitFor({ state: "detached" });
  });

  it("leaves built-in policies alone, with the reason", async () => {
    const { page } = await at.open(`${PATH}?q=global-management`);
    await page.locator('[data-index="0"] input').click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 0 policies?" });
    await dialog.getByText("global-management: built-in").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete 0 policies" }).isDisabled()).toBe(true);
  });

  it("columns and density are remembered, and a link shows other columns", async () => {
    const { page, go } = await at.open(PATH);
    await page.getByRole("button", { name: "Choose columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Datacenters" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Compact rows" }).click();
    await page.keyboard.press("Escape");
    await go(PATH);
    await title(page, "Policies");
    await page.getByRole("columnheader", { name: "Datacenters" }).waitFor();
    const height = "document.querySelector('[data-index=\"0\"]').getBoundingClientRect().height";
    await expect.poll(async () => page.evaluate(height)).toBe(30);
    await go(`${PATH}?columns=title`);
    await page.getByRole("columnheader", { name: "Datacenters" }).waitFor({ state: "detached" });
    await go(PATH);
    await page.getByRole("button", { name: "Choose columns" }).click();
    await page.getByRole("menuitem", { name: "Default columns" }).click();
    await page.getByRole("columnheader", { name: "Datacenters" }).waitFor({ state: "detached" });
  });
});
