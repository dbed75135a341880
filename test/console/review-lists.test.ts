/** Lists, jobs and layers above a page as the console review asks for them, with keys straight after the page has loaded. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { faultsOf } from "./looks.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";

const at = useConsole({ isSeeded: true });

inBrowser("lists", () => {
  it("have chips in words and a clear button, and tag what a filter finds by its number", async () => {
    const { page } = await at.open("org/acme/tags?filter[unused]=true");
    await page.getByRole("button", { name: "Remove filter Unused", exact: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("env");
    await page.waitForURL(({ searchParams }) => searchParams.get("q") === "env");
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.waitForURL(({ searchParams }) => (searchParams.get("q") ?? "") === "");
    expect(await page.getByPlaceholder("Search tags").evaluate("document.activeElement.value")).toBe("");

    const { page: other } = await at.open("org/acme/workspaces?search[wildcard-name]=web-*");
    await other.getByRole("button", { name: "Remove filter Name: web-*", exact: true }).waitFor();
    await other.getByRole("button", { name: "Tag all matching" }).click();
    const dialog = other.getByRole("dialog", { name: "Add tags to 8 workspaces" });
    expect(await dialog.getByRole("list", { name: "Filter" }).textContent()).toBe("Name: web-*");
    await dialog.getByRole("combobox", { name: "Tags" }).fill("pc");
    await other.getByRole("option", { name: "pci" }).click();
    // The drop-down does not stay over the preview.
    await other.getByRole("option").first().waitFor({ state: "hidden" });
    await dialog.getByRole("button", { name: "Tag 8 workspaces", exact: true }).waitFor();
  });

  it("show both lines of a long name on a phone, where nothing announces keys and filters are folded", async () => {
    const names = ["catalog-dev-euc1-0x10-blue", "catalog-dev-euc1-0x10-green"];
    for (const name of names) {
      await at.client.workspaces.create({
        organization: "acme",
        body: { data: { type: "workspaces", attributes: { name } } },
      });
    }
    const { page, go } = await at.open("org/acme/workspaces?q=catalog", { width: 360, height: 740, hasTouch: true });
    for (const name of names) {
      const link = page.getByRole("link", { name, exact: true });
      await link.waitFor();
      expect(await isCut(link)).toBe(false);
    }
    expect(await page.getByText("/", { exact: true }).isVisible()).toBe(false);
    await go(`${SCOPE}/audit`);
    await page.getByRole("listitem").first().waitFor();
    expect((await page.getByLabel("AccessorID").count()) + (await page.getByLabel("Outcome").count())).toBe(0);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Outcome").first().waitFor();
  });

  it("are without a fault of accessibility while menus and pickers are open", async () => {
    const { page, go, settled } = await at.open(`${SCOPE}/policies`);
    const open = async (name: string, act: () => Promise<void>) => {
      await act();
      await settled();
      const found = await faultsOf(page, name);
      await page.keyboard.press("Escape");
      return found;
    };
    await page.getByRole("row").nth(2).waitFor();
    const button = (name: string) => async () => {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator("[role=menu], [role=dialog]").first().waitFor();
    };
    const found = [
      ...(await open("account", button("Account"))),
      ...(await open("columns", button("Choose columns"))),
      ...(await open("scheme", button("Color scheme"))),
      ...(await open("filter", button("Filter"))),
      ...(await open("scope", async () => {
        await page.getByText("Partition and namespace:").click({ force: true });
        await page.getByPlaceholder("Find namespace").waitFor();
      })),
    ];
    await go(`${SCOPE}/roles/new`);
    found.push(
      ...(await open("policies", async () => {
        await page.getByRole("combobox", { name: "Policies" }).fill("web");
        await page.getByRole("option").first().waitFor();
      })),
    );
    await go(`${SCOPE}/tokens/${at.seeded.token}`);
    found.push(...(await open("more", button("More"))));
    await go("org/acme/tags?to=region");
    await page.getByText("Starting at").waitFor();
    found.push(...(await faultsOf(page, "after a jump")));
    expect(found).toEqual([]);
    // By keyboard: the first entry of a menu has the focus.
    await go(`${SCOPE}/tokens/${at.seeded.token}`);
    await page.getByRole("button", { name: "More" }).press("Enter");
    await page.locator("[role=menuitem]:focus").waitFor();
  });

  it("have a name in every row while one scrolls fast", async () => {
    const data = Array.from({ length: 900 }, (_, index) => ({
      type: "tags" as const,
      attributes: { name: `fast-${String(index).padStart(4, "0")}` },
    }));
    await at.client.tags.create({ organization: "acme", body: { data } });
    const { page } = await at.open("org/acme/tags?q=fast-");
    await page.getByRole("link", { name: "fast-0000" }).waitFor();
    await page.evaluate(`(() => {
      window.bare = 0;
      new MutationObserver(() => {
        for (const row of document.querySelectorAll("[role=row][data-index]"))
          if (row.querySelector("[role=gridcell]") === null || !row.textContent.includes("fast-")) window.bare += 1;
      }).observe(document.querySelector("[role=grid]"), { childList: true, subtree: true });
    })()`);
    await page.keyboard.press("j");
    // Rows are loaded page by page, and the focus waits for them.
    const focused = async () => {
      await page.keyboard.press("PageDown");
      return Number(await page.locator("[role=row]:focus").getAttribute("data-index"));
    };
    await expect.poll(focused, { interval: 5 }).toBeGreaterThan(400);
    expect(await page.evaluate("window.bare")).toBe(0);
  });

  it("come back by themselves after the server was not ready", async () => {
    const lists = ["tokens", "policies", "roles", "auth-methods", "binding-rules", "namespaces"];
    const paths = [
      ...lists.map((noun) => `${SCOPE}/${noun}`),
      "org/acme/tags",
      "org/acme/workspaces",
      "org/acme/tag-jobs",
    ];
    const { page, go, faults } = await at.open("");
    let isAway = true;
    await page.route(/\/(v1\/(acl|namespaces?)|api\/v2)\b/, async (route) =>
      isAway && route.request().method() === "GET"
        ? route.fulfill({ status: 503, body: "starting" })
        : route.fallback(),
    );
    for (const path of paths) {
      isAway = true;
      await go(path);
      await page.getByRole("main").getByRole("alert").first().waitFor();
      isAway = false;
      await page.getByRole("row").nth(1).waitFor();
    }
    expect(faults.splice(0).filter((fault) => !/503/.test(fault))).toEqual([]);
  });
});

inBrowser("jobs", () => {
  it("name their object and number, show what they changed, and are undone after a preview, with links both ways", async () => {
    const filter = { workspaces: { wildcard: "web-*" } };
    const attributes = { action: "add" as const, tags: [{ name: "seen" }], filter };
    const { data } = await at.client.tagJobs.create({
      organization: "acme",
      body: { data: { type: "tag-jobs", attributes } },
    });
    if (data.type !== "tag-jobs") throw new Error("a preview");
    const status = async () => (await at.client.tagJobs.read({ tagJob: data.id })).data.attributes.status;
    await expect.poll(status).toBe("done");
    const { page, go } = await at.open(`org/acme/tag-jobs/${data.id}`);
    const called = "Add to workspaces: seen (Name: web-*; 8 objects)";
    await title(page, called);
    await page.getByRole("tab", { name: "Changes" }).click();
    const changes = page.getByRole("list", { name: "Changes" });
    await expect.poll(async () => changes.getByRole("listitem").count()).toBe(8);
    expect(await changes.textContent()).toContain("workspace web-search: +seen");
    const having = async () =>
      (await at.client.workspaces.list({ organization: "acme", "search[tags]": "seen" }).all()).length;
    await page.getByRole("button", { name: "Undo" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Reverts the changes of 8 objects.").waitFor();
    await dialog.getByText("web-search").waitFor();
    expect(await dialog.getByRole("list", { name: "Changes" }).textContent()).toContain("−seen");
    expect(await having()).toBe(8);
    await dialog.getByRole("button", { name: "Start undo" }).click();
    await title(page, `Undo of ${called}`);
    await expect.poll(having).toBe(0);
    await page.getByRole("link", { name: called }).click();
    await title(page, called);
    await page.getByText("Undone by", { exact: true }).waitFor();
    await go("org/acme/tag-jobs");
    await page.getByRole("link", { name: `Undo of ${called}` }).waitFor();
  });

  it("merge all selected groups of duplicates, one after the other", async () => {
    const names = ["wide", "wides", "deep", "deeps"];
    const data = names.map((name) => ({ type: "tags" as const, attributes: { name } }));
    await at.client.tags.create({ organization: "acme", body: { data } });
    const { page } = await at.open("org/acme/tags/alike");
    const count = async () => page.getByRole("checkbox", { name: /^Select duplicates of/ }).count();
    await expect.poll(count).toBeGreaterThan(1);
    // Names lead to their tags.
    await page.getByRole("link", { name: "wide", exact: true }).waitFor();
    await page.getByRole("button", { name: /^Select \d+ groups/ }).click();
    await page.getByRole("button", { name: /^Merge \d+ groups/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("list", { name: "Merges" }).getByText("→").first().waitFor();
    await dialog.getByRole("button", { name: /^Merge \d+ groups/ }).click();
    await dialog.getByText(/^Merged (\d+) of \1 groups\./).waitFor();
    const left = async () =>
      (await at.client.tags.list({ organization: "acme" }).all()).map(({ attributes }) => attributes.name);
    expect((await left()).filter((name) => names.includes(name)).length).toBe(2);
    await page.keyboard.press("Escape");
    await expect.poll(async () => page.getByRole("link", { name: "wide", exact: true }).count()).toBe(0);
  });

  it("leave no row selected that is gone", async () => {
    const data = ["going-1", "going-2", "going-3"].map((name) => ({ type: "tags" as const, attributes: { name } }));
    await at.client.tags.create({ organization: "acme", body: { data } });
    const { page } = await at.open("org/acme/tags?q=going-");
    await select(page, "going-1", "going-2", "going-3");
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Merge" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/would change/).waitFor();
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await dialog.getByRole("button", { name: "Undo" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const selection = page.getByRole("region", { name: "Selection" });
    await selection.waitFor({ state: "detached" });
    // One that others delete.
    await at.client.tags.create({ organization: "acme", body: { data: data.slice(1) } });
    await select(page, "going-2", "going-3");
    await selection.getByText("2 selected").waitFor();
    const [gone] = await at.client.tags.list({ organization: "acme", q: "going-2" }).all();
    await at.client.tags.delete({ organization: "acme", body: { data: [{ type: "tags", id: gone?.id ?? "" }] } });
    await selection.getByText("1 selected").waitFor();
    expect(await page.getByRole("checkbox", { name: "Select going-3", exact: true }).isChecked()).toBe(true);
  });
});

async function select(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
}

async function isCut(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { scrollHeight, clientHeight } = shown as unknown as { scrollHeight: number; clientHeight: number };
    return scrollHeight > clientHeight + 1;
  });
}
