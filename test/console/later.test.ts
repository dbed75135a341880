/**
 * Tests of files that the console fetches only when it needs them, when the server cannot give them just then, or does
 * not have them any more.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { signIn } from "./open.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const at = useConsole();

inBrowser("what the console fetches later", () => {
  /** Signed in, at a form in which something is written: one sees whether the page was loaded again. */
  async function atForm() {
    const window = await at.openSignedOut();
    await window.go("access/default/default/tokens/new");
    await signIn(window, at.token);
    await window.page.getByLabel("Description").fill("Half written");
    return window;
  }

  const withheld = /\/ui\/assets\/palette[^/]*\.js$/;

  it("is asked for again until it comes, and nothing that is written is lost meanwhile", async () => {
    const { page } = await atForm();
    let asked = 0;
    await page.route(withheld, async (route) => {
      asked += 1;
      return route.abort("connectionrefused");
    });
    await page.keyboard.press("Control+k");
    await expect.poll(() => asked).toBeGreaterThan(1);
    expect(await page.getByLabel("Description").inputValue()).toBe("Half written");
    await page.unroute(withheld);
    await page.getByPlaceholder("Search or run a command").waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Half written");
  });

  it("is a screen that stays where it was until the next one can be had", async () => {
    const { page, go } = await atForm();
    await go("access/default/default/tokens");
    await page.getByText("Anonymous Token").first().waitFor();
    const failing = /\/ui\/assets\/.*\.js$/;
    await page.route(failing, async (route) => route.abort("connectionrefused"));
    const marked = await mark(page);
    await page.getByRole("link", { name: "Roles", exact: true }).click();
    await expect.poll(() => page.url()).toContain("/roles");
    await page.unroute(failing);
    await page.getByRole("heading", { name: "Roles", level: 1 }).waitFor();
    expect(await page.evaluate("globalThis.marked")).toBe(marked);
  });

  it("is not there any more after an upgrade: the page says so, and keeps what is written", async () => {
    const { page } = await atForm();
    await page.route(withheld, async (route) => route.fulfill({ status: 404, body: "" }));
    await page.route(/\/ui\/$/, async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, body: (await response.text()).replace(/index-[\w-]+\.js/, "index-Newer.js") });
    });
    await page.keyboard.press("Control+k");
    await page.getByText("The server was upgraded").waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Half written");
    // The browser first asks whether the form may be lost.
    page.on("dialog", (dialog) => void dialog.accept());
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload console" }).click();
    await expect.poll(async () => page.getByLabel("Description").inputValue()).toBe("");
  });
});

/** Something that is gone when the page is loaded anew. */
async function mark(page: Page): Promise<string> {
  await page.evaluate('globalThis.marked = "the same page"');
  return "the same page";
}
