/** Incident 87: keys that work wherever the focus is, suggestions that Enter takes, names as they are, and lists after a restart. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

const at = useConsole({ isSeeded: true });
const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

inBrowser("the console", () => {
  it("takes the keys that Help shows from anywhere on a screen, straight after it was loaded", async () => {
    const { page } = await at.open("org/acme/tags");
    await page.getByRole("row").nth(2).waitFor();
    await page.keyboard.press("j");
    await page.locator("[role=row][data-index='0']:focus").waitFor();
    await page.keyboard.press("j");
    await page.locator("[role=row][data-index='1']:focus").waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("link", { name: "Workspaces" }).first().focus();
    await page.keyboard.press("k");
    await page.locator("[role=row][data-index='1']:focus").waitFor();
    await page.keyboard.press("/");
    const search = page.locator("input:focus");
    await search.waitFor();
    // In a field letters are text.
    await page.keyboard.type("gw/x");
    expect(await search.inputValue()).toBe("gw/x");
    await page.getByRole("link", { name: "Workspaces" }).first().click();
    await title(page, "Workspaces");
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await title(page, "Policies");
    await page.getByRole("row").getByRole("link").first().click();
    await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
    await page.keyboard.press("e");
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/edit$/);
  });

  it("takes the suggestion by Enter in a field of names, and marks a name that does not exist", async () => {
    await at.client.policies.create({ body: { Name: "shop-read", Rules: 'key_prefix "" { policy = "read" }' } });
    const { page } = await at.open("access/default/default/roles/new");
    const field = page
      .getByRole("combobox", { name: /^Policies/ })
      .or(page.getByRole("textbox", { name: /^Policies/ }))
      .first();
    await field.fill("shop-re");
    await page.getByRole("option", { name: "shop-read" }).waitFor();
    await field.press("Enter");
    await page.getByText("shop-read", { exact: true }).first().waitFor();
    await field.fill("shop-nothing");
    await page.getByRole("option", { name: "shop-read" }).waitFor({ state: "hidden" });
    await field.press("Enter");
    await page.getByText('Policy "shop-nothing" does not exist.').waitFor();
    expect(await page.getByText('Policy "shop-read" does not exist.').count()).toBe(0);
  });

  it("shows names as they are: no letter between digits becomes a sign", async () => {
    const { page } = await at.open("");
    const pixels = async (style: string) => {
      await page.evaluate(`(() => {
        document.getElementById("glyphs")?.remove();
        const text = document.createElement("div");
        text.id = "glyphs";
        text.textContent = "catalog-00x23 0x10 -> 1x1";
        text.style.cssText = "position:fixed;top:0;left:0;z-index:9999;background:white;color:black;padding:8px;" + ${JSON.stringify(style)};
        document.body.append(text);
      })()`);
      return (await page.locator("#glyphs").screenshot({ animations: "disabled" })).toString("base64");
    };
    const shown = await pixels("");
    expect(await pixels("font-variant-ligatures: no-contextual")).toBe(shown);
    // As the font has it without our settings.
    expect(await pixels('font-feature-settings: "zero", "cv05", "cv11", "ss03"')).not.toBe(shown);
  });

  it("reads a list again by itself after the server was away", async () => {
    const { page, faults } = await at.open("");
    let isAway = true;
    await page.route("**/v1/acl/policies**", async (route) =>
      isAway ? route.fulfill({ status: 503, body: "starting" }) : route.fallback(),
    );
    await page.getByRole("link", { name: "Policies" }).first().click();
    await page.getByRole("alert").first().waitFor();
    isAway = false;
    await page.getByRole("row", { name: /global-management/ }).waitFor();
    expect(faults.splice(0).filter((fault) => !/503/.test(fault))).toEqual([]);
  });
});
