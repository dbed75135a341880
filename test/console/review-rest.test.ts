/** What the console review asks for and no other file looks at: numbers without a picture, actions of a selection, and facts. */
import { expect, it } from "vitest";
import { inBrowser, title, useConsole } from "./use-console.ts";

const at = useConsole({ isSeeded: true });

inBrowser("the list of tags", () => {
  it("shows uses as numbers, without a bar on a scale of its own", async () => {
    const { page } = await at.open("org/acme/tags?q=reviewed");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "reviewed", exact: true }) });
    const uses = row.getByRole("gridcell").filter({ hasText: /^8$/ });
    await uses.waitFor();
    expect(await uses.locator("progress, [role=progressbar]").count()).toBe(0);
  });

  it("disables what cannot be done with all tags, and opens nothing", async () => {
    const { page } = await at.open("org/acme/tags");
    await page.getByRole("row").nth(2).waitFor();
    await page.getByRole("checkbox", { name: "Select legacy", exact: true }).click();
    const button = page.getByRole("button", { name: "Add to workspaces" });
    await button.waitFor();
    expect(await button.getAttribute("aria-disabled")).toBe(null);
    await page.getByRole("button", { name: /^Select all \d+ tags$/ }).click();
    await expect.poll(async () => button.getAttribute("aria-disabled")).toBe("true");
    await button.press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

inBrowser("the page of a role", () => {
  it("says who created it, and has its index under Advanced", async () => {
    const { page } = await at.open(`access/default/default/roles/${at.seeded.role}`);
    await title(page, "web-team");
    const facts = page.getByRole("region", { name: "Details" });
    await facts.getByText("Created by").waitFor();
    await facts.getByRole("link", { name: "Bootstrap Token (Global Management)" }).waitFor();
    const index = facts.getByText("Index", { exact: true });
    expect(await index.isVisible()).toBe(false);
    await facts.getByText("Advanced").click();
    await index.waitFor();
  });
});
