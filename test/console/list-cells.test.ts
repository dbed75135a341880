/** Filters by the value of a cell, the panel beside a list, and work on selected tokens. */
import { expect, it } from "vitest";
import { faultsInBoth, faultsOf, outside } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";

const at = useConsole({
  async prepare({ client }) {
    const reader = await client.policies.create({
      body: { Name: "reader", Rules: 'key_prefix "a/" { policy = "read" }' },
    });
    await client.policies.create({ body: { Name: "writer", Rules: 'key_prefix "a/" { policy = "write" }' } });
    const Policies = [{ ID: reader.ID }];
    for (const Description of ["build one", "build two"])
      await client.tokens.create({ body: { Description, Policies } });
    const more = [...Policies, { Name: "writer" }];
    await client.tokens.create({ body: { Description: "deploy", Policies: more } });
  },
});

async function tokens() {
  return (await at.client.request("listTokens", {})).body;
}

inBrowser("a list", () => {
  it("is filtered by the value of a cell, by mouse and by keyboard", async () => {
    const { page } = await at.open(`${SCOPE}/tokens?q=build`);
    const row = page.getByRole("row").filter({ hasText: "build two" });
    await row.hover();
    await row.getByRole("button", { name: "Filter by policy: reader" }).click();
    await page.getByRole("button", { name: "Remove filter Policy: reader", exact: true }).click();
    await page.waitForURL(({ searchParams }) => !searchParams.has("policy"));
    // The row with two policies asks which one; the menu leaves the row alone.
    await page.getByPlaceholder("Search tokens").fill("deploy");
    await page.waitForURL(({ searchParams }) => searchParams.get("q") === "deploy");
    await page.getByRole("link", { name: "build one" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "deploy", exact: true }).waitFor();
    await page.locator('[data-index="0"]').focus();
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "Filter by policy", exact: true }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "writer" }).waitFor();
    expect(await faultsOf(page, "a filter with several values")).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove filter Policy: writer", exact: true }).waitFor();
    expect(new URL(page.url()).pathname.endsWith("/tokens")).toBe(true);
  });

  it("shows the details of a row beside it, keeps its place, and opens the page from there", async () => {
    const { page, go } = await at.open(`${SCOPE}/policies`);
    await page.getByRole("link", { name: "reader" }).waitFor();
    await page.keyboard.press("d");
    const panel = page.getByRole("region", { name: "Row details" });
    await panel.getByText("Select a row to show its details.").waitFor();
    await page.getByRole("link", { name: "reader" }).click();
    await panel.getByRole("heading", { name: "reader" }).waitFor();
    await panel.getByText('key_prefix "a/"').waitFor();
    expect(await faultsInBoth(page, "a panel beside a list")).toEqual([]);
    await page.keyboard.press("j");
    await panel.getByRole("heading", { name: "writer" }).waitFor();
    expect(new URL(page.url()).pathname.endsWith("/policies")).toBe(true);
    // The browser remembers the panel, for other lists too.
    await go(`${SCOPE}/tokens?q=deploy`);
    await page.getByRole("link", { name: "deploy", exact: true }).click();
    await panel.getByRole("link", { name: "writer" }).waitFor();
    await panel.getByRole("link", { name: "Open page" }).click();
    await page.getByRole("heading", { level: 1, name: "deploy" }).waitFor();
  });

  it("has no panel where it has no room", async () => {
    const { page } = await at.open(`${SCOPE}/policies`, { width: 360, height: 740 });
    await page.evaluate('localStorage.setItem("tessera-panel", JSON.stringify("open"))');
    await page.reload();
    await page.getByRole("link", { name: "reader" }).click();
    await page.getByRole("heading", { level: 1, name: "reader" }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "reader" }).waitFor();
    expect(await page.getByRole("button", { name: "Show details in a side panel" }).count()).toBe(0);
    expect(await outside(page, "policies")).toEqual([]);
  });
});

inBrowser("selected tokens", () => {
  it("get and lose policies with the impact before, and leave out tokens that stay the same", async () => {
    const { page } = await at.open(`${SCOPE}/tokens?sort=Description`);
    for (const name of ["build one", "build two", "deploy"]) await page.getByLabel(`Select ${name}`).click();
    await page.getByRole("button", { name: "Policies and roles" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Policies" }).fill("writer");
    await page.getByRole("option", { name: "writer" }).click();
    await dialog.getByText("deploy: already has the policies and roles").waitFor();
    await dialog
      .getByText("key_prefix a/ read → write", { exact: false })
      .or(dialog.getByText("2 tokens"))
      .first()
      .waitFor();
    expect(await faultsOf(page, "policies of selected tokens")).toEqual([]);
    await dialog.getByRole("button", { name: "Change 2 tokens", exact: true }).click();
    await dialog.getByText("Changed 2 tokens.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const held = (await tokens()).filter(({ Policies }) => Policies?.some(({ Name }) => Name === "writer"));
    expect(held.map(({ Description }) => Description).toSorted()).toEqual(["build one", "build two", "deploy"]);
  });

  it("are disabled and enabled together, except the one of the session", async () => {
    const mine = await at.client.tokens.create({
      body: { Description: "build mine", Policies: [{ Name: "global-management" }] },
    });
    const { page } = await at.open(`${SCOPE}/tokens?sort=Description&q=build`, { as: mine.SecretID });
    await page.getByRole("link", { name: "build two" }).waitFor();
    await page.getByLabel("Select the loaded rows").click();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("build mine: token of this session").waitFor();
    await dialog.getByRole("button", { name: "Disable 2 tokens", exact: true }).click();
    await dialog.getByText("Disabled 2 tokens.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const disabled = async () => (await tokens()).filter(({ DisabledTime }) => DisabledTime !== undefined).length;
    expect(await disabled()).toBe(2);
    await page.getByLabel("Select the loaded rows").click();
    await page.getByRole("button", { name: "Enable", exact: true }).click();
    await dialog.getByText("build mine: not disabled").waitFor();
    await dialog.getByRole("button", { name: "Enable 2 tokens", exact: true }).click();
    await dialog.getByText("Enabled 2 tokens.").waitFor();
    expect(await disabled()).toBe(0);
  });
});
