/** Tags, workspaces and jobs in a browser, at a real server. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { faultsOfPages } from "./looks.ts";
import { HAS_BROWSER, openBrowser, openConsole, openSignedIn, type OpenedConsole, type Window } from "./open.ts";
import { isOfOrganization, PAGES } from "./pages.ts";
import { seed, type Seeded } from "./seed.ts";
import { STATE_PAGES } from "./states.ts";

let opened: OpenedConsole;
let browser: Browser;
let seeded: Seeded;

describe.skipIf(!HAS_BROWSER)("tags in the console", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    opened = await openConsole();
    seeded = await seed(opened.url, opened.token);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await opened.close();
  });

  it("says which of the selected workspaces have a new tag when one of them was refused, and does all or nothing with a tag that is there", async () => {
    const client = createClient({ address: opened.url, token: opened.token });
    const make = async (name: string) => {
      const body = { data: { type: "workspaces" as const, attributes: { name } } };
      return (await client.workspaces.create({ organization: "acme", body })).data.id;
    };
    const [first, second, third] = [await make("picked-1"), await make("picked-2"), await make("picked-3")];
    const tags = async (workspace: string) =>
      (await client.workspaces.read({ workspace })).data.attributes["tag-names"];
    const { page, context, faults, go } = await signedIn();
    await go("org/acme/workspaces?q=picked-");
    for (const at of [1, 2, 3]) await page.getByRole("checkbox", { name: `Select picked-${at}`, exact: true }).click();
    await page.getByRole("button", { name: "Add tags" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByRole("combobox", { name: "Tags" });
    await field.fill("never-before");
    await field.press("Enter");
    await field.press("Escape");
    await dialog.getByRole("region", { name: "The same as code" }).getByText(second).first().waitFor();
    await client.workspaces.delete({ workspace: second, body: {} });
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const told = dialog.getByText("Changed: picked-1. Not changed: picked-2, picked-3.");
    await told.waitFor();
    expect(await tags(first)).toEqual(["never-before"]);
    // Now that the tag is there, it is one request.
    await dialog.getByRole("region", { name: "The same as code" }).getByText("tag-").first().waitFor();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await told.waitFor({ state: "detached" });
    await dialog.getByRole("alert").waitFor();
    expect(await tags(third)).toEqual([]);
    await context.close();
    expect(faults).toEqual([]);
  });

  it("jumps to where a text stands among thousands of tags, and by the address too", async () => {
    const client = createClient({ address: opened.url, token: opened.token });
    const attributes = { name: "initech", email: "ops@initech.example" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
    for (let from = 0; from < 3000; from += 1000) {
      const data = Array.from({ length: 1000 }, (_each, at) => ({
        type: "tags" as const,
        attributes: { name: `t${String(from + at).padStart(5, "0")}` },
      }));
      await client.tags.create({ organization: "initech", body: { data } });
    }
    const { page, context, faults, go } = await signedIn();
    await go("org/initech/tags");
    await page.getByRole("link", { name: "t00000" }).waitFor();
    await page.getByLabel("Jump to where this stands in the list").fill("t02345");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "t02345" }).waitFor();
    await page.getByText("2,300 rows are before these").waitFor();
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "t02345" }) });
    expect(await row.getAttribute("aria-rowindex")).toBe("2347");
    expect(await page.getByRole("link", { name: "t00000" }).count()).toBe(0);
    // In the other order, by the address alone, and to what is no name.
    await go("org/initech/tags?sort=-name&to=t01000x");
    await page.getByRole("link", { name: "t01000", exact: true }).waitFor();
    await page.getByRole("button", { name: "From the beginning" }).click();
    await page.getByRole("link", { name: "t02999" }).waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });

  it("shows its pages in both schemes without a fault of accessibility", async () => {
    const window = await openSignedIn(browser, opened.url, opened.token);
    const pages = PAGES.filter((each) => isOfOrganization(each.path) && !STATE_PAGES.includes(each));
    expect(await faultsOfPages(window, pages, seeded)).toEqual([]);
    expect(window.faults).toEqual([]);
    await window.context.close();
  });
});

async function signedIn(): Promise<Window> {
  return openSignedIn(browser, opened.url, opened.token);
}
