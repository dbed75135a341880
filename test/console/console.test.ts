/** The console in a browser, signed in at a real server: what it weighs, what it is stopped at, whether all can use it. */
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { faultsInBoth, faultsOfPages } from "./looks.ts";
import { signIn, tokenField } from "./open.ts";
import { isOfOrganization, PAGES } from "./pages.ts";
import { STATE_PAGES } from "./states.ts";
import { inBrowser, useConsole } from "./use-console.ts";

/** Limit of bytes, packed, that are fetched before the first screen can be used. */
const LIGHT = 350_000;

const at = useConsole({ isSeeded: true });

inBrowser("the console", () => {
  it("weighs no more than 350 kB until its first list is there, fonts and all", async () => {
    const window = await at.openSignedOut();
    let bytes = 0;
    const answers: Promise<void>[] = [];
    window.page.on("response", (response) => {
      // The place of messages is fetched some seconds later, needed or not: on a slow machine that is before the list.
      if (!response.url().includes("/ui/") || response.url().includes("/messages-")) return;
      answers.push(
        response.body().then((body) => {
          bytes += response.url().endsWith(".woff2") ? body.length : gzipSync(body).length;
        }),
      );
    });
    await window.go("access/default/default/tokens");
    // By keyboard: a mouse that rests on a row has that row's page fetched before it is clicked.
    await tokenField(window.page).fill(at.token);
    await window.page.keyboard.press("Enter");
    await window.page.getByText("Priya Nair, laptop").waitFor();
    await Promise.all(answers);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(LIGHT);
  });

  // Pages of organizations are checked beside their own tests.
  const pages = PAGES.filter((page) => !isOfOrganization(page.path) && !STATE_PAGES.includes(page));
  const parts = Array.from({ length: Math.ceil(pages.length / 20) }, (_none, part) =>
    pages.slice(part * 20, part * 20 + 20),
  );
  it.each([...parts.map((part) => ({ part, first: part[0]?.name })), { part: STATE_PAGES, first: "dialogs" }])(
    "shows every page from $first on in both schemes without a fault of accessibility, and is stopped at nothing",
    async ({ part }) => {
      const window = await at.openSignedOut();
      await window.go("");
      await tokenField(window.page).waitFor();
      const found = await faultsInBoth(window.page, "sign-in");
      await signIn(window, at.token);
      found.push(...(await faultsOfPages(window, part, at.seeded)));
      expect(found).toEqual([]);
    },
  );

  it("makes a token, shows its secret once, changes it after a diff, and deletes it", async () => {
    const { page } = await at.open("access/default/default/tokens");
    await page.getByRole("link", { name: "New token" }).click();
    await page.getByLabel("Description").fill("Made by hand");
    await page.getByRole("button", { name: "Create token" }).click();
    const secret = (await page.locator("[data-secret]").textContent()) ?? "";
    expect(secret).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await page.getByRole("heading", { level: 1, name: "Made by hand" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Description").fill("Made and changed");
    const changes = page.getByRole("region", { name: "Changes", exact: true });
    await expect.poll(async () => changes.textContent()).toContain("Made and changed");
    expect(await changes.textContent()).toContain("Made by hand");
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await page.getByRole("heading", { level: 1, name: "Made and changed" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    await expect.poll(async () => page.getByText("Made and changed", { exact: true }).count()).toBe(0);
  });

  it("tells an edit that its object was changed by others, shows both changes, and loses neither", async () => {
    const { page } = await at.open(`access/default/default/tokens/${at.seeded.token}/edit`);
    await page.getByLabel("Description").fill("Mine");
    const body = JSON.stringify({ Roles: [] });
    const headers = { authorization: `Bearer ${at.token}`, "content-type": "application/json" };
    const address = `${at.url}/v1/acl/token/${at.seeded.token}`;
    expect((await fetch(address, { method: "PATCH", headers, body })).status).toBe(200);
    const race = page.getByRole("alert").filter({ hasText: "Conflict: object has changed" });
    await race.waitFor();
    await race.getByRole("button", { name: "Apply my changes" }).click();
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
    const token = (await (await fetch(address, { headers })).json()) as { Description: string; Roles?: unknown[] };
    expect([token.Description, token.Roles ?? []]).toEqual(["Mine", []]);
  });
});
