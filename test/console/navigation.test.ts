/** The two areas of the navigation, each with its own switch. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser, title, useConsole } from "./use-console.ts";

const at = useConsole({ isSeeded: true });
const MOST_ENTRIES = 12;

const AREAS = {
  Tags: { from: "org/acme/tags", switch: /Organization: acme/ },
  Access: { from: "access/default/payments/tokens", switch: /Partition and namespace:.*payments/ },
} as const;

async function entriesIn(page: Page, area: string): Promise<string[]> {
  const nav = page.getByRole("navigation", { name: "Screens" });
  await nav.getByRole("group", { name: area, exact: true }).waitFor();
  return nav.getByRole("group").and(page.locator(":not([aria-label=Areas])")).getByRole("link").allTextContents();
}

inBrowser("the navigation", () => {
  for (const [area, { from, switch: label }] of Object.entries(AREAS)) {
    it(`has at most ${MOST_ENTRIES} entries in the area ${area}, all in a window of 900 pixels`, async () => {
      const window = await at.open(from, { width: 1440, height: 900 });
      await window.settled();
      const entries = await entriesIn(window.page, area);
      expect(entries.length).toBeGreaterThan(8);
      expect(entries.length).toBeLessThanOrEqual(MOST_ENTRIES);
      expect(new Set(entries).size).toBe(entries.length);
      const links = window.page.getByRole("navigation", { name: "Screens" }).getByRole("link");
      const box = await links.last().boundingBox();
      expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
    });

    it(`changes neither area nor scope by an entry of ${area}, and marks the current one`, async () => {
      const { page } = await at.open(from, { width: 1440, height: 900 });
      const entries = await entriesIn(page, area);
      const nav = page.getByRole("navigation", { name: "Screens" });
      for (const entry of entries) {
        await nav.getByRole("link", { name: entry, exact: true }).last().click();
        await nav.locator("[data-status=active]:not([data-area])").filter({ hasText: entry }).waitFor();
        expect([entry, await nav.locator("[data-status=active]:not([data-area])").count()]).toEqual([entry, 1]);
        await page.getByRole("button", { name: label }).waitFor();
        expect(await entriesIn(page, area)).toEqual(entries);
        expect(new URL(page.url()).pathname).toContain(area === "Tags" ? "/org/acme/" : "/access/default/payments/");
      }
    });
  }

  it("goes from one area to the other by their switch only, and comes back to the same scope", async () => {
    const { page } = await at.open("access/default/payments/roles");
    const areas = page.getByRole("group", { name: "Areas" });
    await page.getByRole("button", { name: /Partition and namespace/ }).waitFor();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await title(page, "Home");
    await page.getByRole("button", { name: /Partition and namespace:.*payments/ }).waitFor();
    await areas.getByRole("link", { name: "Tags" }).click();
    await title(page, "Organizations");
    await page.getByRole("button", { name: "Organization: Choose organization" }).click();
    await page.getByRole("button", { name: "acme", exact: true }).click();
    await title(page, "Tags");
    await areas.getByRole("link", { name: "Access" }).click();
    await page.waitForURL(/\/access\/default\/payments\/tokens$/);
    await page.getByRole("button", { name: /Partition and namespace/ }).click();
    await page.getByRole("link", { name: "Manage namespaces" }).click();
    await title(page, "Namespaces");
    expect(new URL(page.url()).pathname).toMatch(/\/access\/default\/payments\/namespaces$/);
  });

  it("has names that say what a page answers", async () => {
    const { page } = await at.open("access/default/default/why");
    const nav = page.getByRole("navigation", { name: "Screens" });
    for (const name of ["Who can", "Explain a denial", "Check access"]) {
      await nav.getByRole("link", { name, exact: true }).click();
      await title(page, name);
    }
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sessions" }).click();
    await title(page, "Sessions");
    expect(await nav.getByRole("link", { name: "Sessions" }).count()).toBe(0);
  });
});
