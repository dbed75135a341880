/** What cannot be seen is shown, and what is not there is said to be missing. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { HAS_BROWSER, openBrowser, openConsole, openSignedIn, type OpenedConsole } from "./open.ts";

/** Draws what stands behind it from the right to the left; without width; the same, to its end. */
const [OVERRIDE, NO_WIDTH, ISOLATE] = ["\u202e", "\u200b", "\u2067"];

describe.skipIf(!HAS_BROWSER)("the console", { timeout: 120_000 }, () => {
  let opened: OpenedConsole;
  let browser: Browser;
  const rules = `key_prefix "a/" {\n  policy = "read" # ${OVERRIDE} } "b" yek ${ISOLATE}\n}\nkey "x${NO_WIDTH}y" {\n  policy = "write"\n}\n`;
  let policy: string;
  let stranger: string;

  beforeAll(async () => {
    opened = await openConsole();
    browser = await openBrowser();
    const client = createClient({ address: opened.url, token: opened.token });
    policy = (await client.policies.create({ body: { Name: "turned", Rules: rules } })).ID;
    const made = await client.tokens.create({ body: { Description: `report${OVERRIDE}gnp.exe` } });
    stranger = made.SecretID;
    const attributes = { name: "acme", email: "a@acme.example" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await opened?.close();
  });

  async function signedIn(path: string, secret = opened.token) {
    return openSignedIn(browser, opened.url, secret, { path });
  }

  it("marks what turns the direction of text, or has no width, in rules, their history and names", async () => {
    const { page, context, faults, go } = await signedIn(`access/default/default/policies/${policy}`);
    await expect.poll(async () => page.locator(".cm-specialChar").count()).toBe(3);
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText('key "x‹U+200B›y"').waitFor();
    await page.getByText("‹U+202E› } ", { exact: false }).first().waitFor();
    await go("access/default/default/tokens");
    await page.getByRole("link", { name: "report‹U+202E›gnp.exe" }).click();
    await page.getByRole("heading", { level: 1, name: "report‹U+202E›gnp.exe" }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says of a namespace, an ID and an order that there is none, and leads on", async () => {
    const { page, context, faults, go } = await signedIn("access/default/nope/tokens");
    await page.getByText("No namespace nope").waitFor();
    await page.getByRole("link", { name: "All namespaces" }).click();
    await page.getByRole("heading", { level: 1, name: "Namespaces" }).waitFor();
    await go("access/default/default/tokens/no-uuid");
    await page.getByText("It is not there, or your token may not see it.").waitFor();
    await go("access/default/default/tokens?sort=Bogus");
    await page.getByRole("button", { name: "Clear search, filters and order" }).click();
    await page.getByRole("link", { name: /^report/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("offers no screens of an organization that was asked for and is not seen", async () => {
    const { page, context, faults, go } = await signedIn("org/acme/workspaces", stranger);
    await page.getByRole("heading", { level: 1, name: "Workspaces" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Not found" }).waitFor();
    await go("");
    const screens = page.getByRole("navigation", { name: "Screens" });
    await screens.getByRole("link", { name: "Organizations", exact: true }).waitFor();
    await screens.getByRole("link", { name: "Workspaces" }).waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    await context.close();
  });
});
