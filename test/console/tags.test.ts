/** Tags, workspaces and jobs in a browser, at a real server. */
import { expect, it } from "vitest";
import { faultsOfPages } from "./looks.ts";
import { isOfOrganization, PAGES } from "./pages.ts";
import { STATE_PAGES } from "./states.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const at = useConsole({ isSeeded: true });

inBrowser("tags in the console", () => {
  it("says which of the selected workspaces have a new tag when one of them was refused, and does all or nothing with a tag that is there", async () => {
    const make = async (name: string) => {
      const body = { data: { type: "workspaces" as const, attributes: { name } } };
      return (await at.client.workspaces.create({ organization: "acme", body })).data.id;
    };
    const [first, second, third] = [await make("picked-1"), await make("picked-2"), await make("picked-3")];
    const tags = async (workspace: string) =>
      (await at.client.workspaces.read({ workspace })).data.attributes["tag-names"];
    const { page } = await at.open("org/acme/workspaces?q=picked-");
    for (const end of [1, 2, 3]) {
      await page.getByRole("checkbox", { name: `Select picked-${end}`, exact: true }).click();
    }
    await page.getByRole("button", { name: "Add tags" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByRole("combobox", { name: "Tags" });
    await field.fill("never-before");
    await field.press("Enter");
    await dialog.getByRole("region", { name: "Equivalent code" }).getByText(second).first().waitFor();
    await at.client.workspaces.delete({ workspace: second, body: {} });
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const told = dialog.getByText("Changed: picked-1. Not changed: picked-2, picked-3.");
    await told.waitFor();
    expect(await tags(first)).toEqual(["never-before"]);
    // Now that the tag is there, it is one request.
    await dialog.getByRole("region", { name: "Equivalent code" }).getByText("tag-").first().waitFor();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await told.waitFor({ state: "detached" });
    await dialog.getByRole("alert").waitFor();
    expect(await tags(third)).toEqual([]);
  });

  it("jumps to where a text stands among thousands of tags, and by the address too", async () => {
    const attributes = { name: "initech", email: "ops@initech.example" };
    await at.client.organizations.create({ body: { data: { type: "organizations", attributes } } });
    for (let from = 0; from < 3000; from += 1000) {
      const data = Array.from({ length: 1000 }, (_each, index) => ({
        type: "tags" as const,
        attributes: { name: `t${String(from + index).padStart(5, "0")}` },
      }));
      await at.client.tags.create({ organization: "initech", body: { data } });
    }
    const { page, go } = await at.open("org/initech/tags");
    await page.getByRole("link", { name: "t00000" }).waitFor();
    await page.getByLabel("Jump to entry").fill("t02345");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "t02345" }).waitFor();
    await page.getByText("2,300 rows skipped").waitFor();
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "t02345" }) });
    expect(await row.getAttribute("aria-rowindex")).toBe("2347");
    expect(await page.getByRole("link", { name: "t00000" }).count()).toBe(0);
    // In the other order, by the address alone, and to what is no name.
    await go("org/initech/tags?sort=-name&to=t01000x");
    await page.getByRole("link", { name: "t01000", exact: true }).waitFor();
    await page.getByRole("button", { name: "Go to start" }).click();
    await page.getByRole("link", { name: "t02999" }).waitFor();
  });

  it("shows its pages in both schemes without a fault of accessibility", async () => {
    const window = await at.open();
    const pages = PAGES.filter((each) => isOfOrganization(each.path) && !STATE_PAGES.includes(each));
    expect(await faultsOfPages(window, pages, at.seeded)).toEqual([]);
  });
});
