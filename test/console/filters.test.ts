/** Every list of the console is filtered, sorted and shown as its address says, on both engines; that of workspaces by any mix of tags. */
import type { Client } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { LISTS, makeFiltered, OTHER_BROWSER } from "./filtered-lists.ts";
import { faultsOf } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

/** A key that needs escapes wherever it stands. */
const ODD_KEY = "a=b+c@d:e.f";

/** Workspaces by what they carry. */
const CARRIERS: readonly (readonly [name: string, tags: readonly string[], keys: Readonly<Record<string, string>>])[] =
  [
    ["all-of-it", ["env:prod", "team_a"], { [ODD_KEY]: "x=y", owner: "ops" }],
    ["other-value", ["env:prod"], { [ODD_KEY]: "x=z", owner: "ops" }],
    ["excluded", ["env:prod", "legacy"], { [ODD_KEY]: "x=y", owner: "ops" }],
    ["lacks-a-key", ["env:prod"], { [ODD_KEY]: "x=y" }],
    ["lacks-a-tag", ["team_a"], { [ODD_KEY]: "x=y", owner: "" }],
  ];

const at = useConsole({
  isSeeded: true,
  async prepare({ client, url }) {
    await makeFiltered(client);
    await anotherSession(url, (await client.tokens.create({ body: {} })).SecretID);
    await makeCarriers(client);
  },
});

inBrowser("filters of lists", () => {
  it("are chosen by hand, and kept by the address with the order and the columns", async () => {
    const { page, go, follow } = await at.open("");
    const found: string[] = [];
    for (const { path, filters, sort, columns, heads } of LISTS) {
      await follow(path);
      const all = [...new Set(filters.flatMap(({ shown, hidden }) => [...shown, ...hidden]))];
      for (const { field, choice, parameter, value, shown, hidden } of filters) {
        await areThere(page, all);
        await page.getByRole("button", { name: "Filter", exact: true }).click();
        await page.getByRole("combobox", { name: field, exact: true }).click();
        await page.getByRole("option", { name: choice, exact: true }).click();
        await page.keyboard.press("Escape");
        await areLeft(page, `${path} ${parameter}`, shown, hidden);
        expect(new URL(page.url()).searchParams.toString()).toBe(`${parameter}=${value}`);
        await chipOf(page, field, choice).click();
      }
      const [{ field, choice, parameter, value, shown, hidden } = NONE] = filters;
      await go(`${path}?${parameter}=${value}&sort=${sort}&columns=${columns}`);
      await areLeft(page, `${path} ${parameter}`, shown, hidden);
      const chip = chipOf(page, field, choice);
      await expect.poll(async () => chip.count()).toBe(1);
      found.push(...(await faultsOf(page, path)));
      await chip.click();
      await areThere(page, all);
      expect((await page.getByRole("columnheader").allTextContents()).filter((text) => text !== "")).toEqual(heads);
      expect(await page.locator("[role=columnheader][aria-sort=descending]").count()).toBe(sort === "" ? 0 : 1);
      await page.getByRole("searchbox").fill("nobody-has-this");
      await page.getByRole("button", { name: "Clear search and filters" }).click();
      await areThere(page, all);
      expect((await page.getByRole("columnheader").allTextContents()).filter((text) => text !== "")).toEqual(heads);
    }
    expect(found).toEqual([]);
  });

  it("find workspaces by any mix of tags and keys, typed by keyboard alone, in another window, and for a job", async () => {
    const { page, faults } = await at.open("org/odd/workspaces");
    await areThere(
      page,
      CARRIERS.map(([name]) => name),
    );
    await page.getByRole("button", { name: "Filter", exact: true }).focus();
    await page.keyboard.press("Enter");
    // The menu takes the focus a moment after it is shown: what is typed before would go there.
    await page.getByLabel("Name with * wildcards").and(page.locator(":focus")).waitFor();
    await page.getByRole("combobox", { name: "With tag", exact: true }).focus();
    await type(page, "env:prod,", "");
    await page.getByRole("combobox", { name: "Without tag", exact: true }).focus();
    await type(page, "legacy");
    await page.keyboard.press("Enter");
    await page.getByLabel("Key 1", { exact: true }).focus();
    for (const text of [ODD_KEY, "x=y", "owner"]) {
      await hasFocused(page, "");
      await type(page, text);
      await page.keyboard.press("Tab");
    }
    const others = CARRIERS.slice(1).map(([name]) => name);
    await areLeft(page, "by hand", ["all-of-it"], others);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      "search[tags]": "env:prod",
      "search[exclude-tags]": "legacy",
      "filter[tagged][0][key]": ODD_KEY,
      "filter[tagged][0][value]": "x=y",
      "filter[tagged][1][key]": "owner",
    });
    expect(await faultsOf(page, "the fields")).toEqual([]);

    const other = await at.open();
    await other.page.goto(page.url());
    await areLeft(other.page, "by the address", ["all-of-it"], others);
    expect(await chipsOf(other.page)).toEqual([
      "With tag: env:prod",
      "Without tag: legacy",
      `Effective tag key: ${ODD_KEY}=x=y`,
      "Effective tag key: owner",
    ]);
    await other.page.getByRole("button", { name: "Tag all matching" }).click();
    const dialog = other.page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Tags" }).fill("found");
    await other.page.keyboard.press("Enter");
    const touched = dialog.getByRole("list", { name: "First changes" });
    await touched.waitFor();
    expect(await touched.getByRole("listitem").allTextContents()).toEqual([expect.stringContaining("all-of-it")]);
    // By keyboard: it does not matter whether the choice of names is still open, which would lie over it.
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await other.page.getByRole("button", { name: `Remove filter Effective tag key: ${ODD_KEY}=x=y` }).click();
    await areLeft(other.page, "without a key", ["all-of-it", "other-value"], others.slice(1));
    expect(new URL(other.page.url()).searchParams.get("filter[tagged][0][key]")).toBe("owner");
    await other.page.getByRole("button", { name: "Remove filter Without tag: legacy" }).click();
    await areLeft(other.page, "without a tag", ["all-of-it", "excluded"], others.slice(2));
    expect([...faults, ...other.faults]).toEqual([]);
  });

  it("take names that nothing has, and tell a key without a value from one with any", async () => {
    const { page, go } = await at.open();
    const all = CARRIERS.map(([name]) => name);
    await go("org/odd/workspaces?filter[tagged][0][key]=owner&filter[tag-value-default-null]=true");
    await areLeft(page, "no value", ["lacks-a-tag"], all.slice(0, 4));
    for (const name of ["🔑", "مفتاح", "<script>alert(1)</script>", "a&b=c#d", "100%41"]) {
      const asked = new URLSearchParams({ "search[tags]": name, "filter[tagged][0][key]": name });
      await go(`org/odd/workspaces?${asked.toString()}`);
      await page.getByText("No matching workspaces").waitFor();
      expect(await chipsOf(page)).toEqual([`With tag: ${name}`, `Effective tag key: ${name}`]);
      await page.getByRole("button", { name: "Clear search and filters" }).click();
      await areThere(page, all);
      expect(new URL(page.url()).search).toBe("");
    }
    await go("org/odd/workspaces");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Project" }).click();
    await page.getByRole("option", { name: PROJECT, exact: true }).click();
    await areLeft(
      page,
      "of a project",
      ["excluded"],
      all.filter((name) => name !== "excluded"),
    );
    expect(await chipsOf(page)).toEqual([`Project: ${PROJECT}`]);
  });
});

const PROJECT = "Cards and ledgers - 1_a";
const NONE = { field: "", choice: "", parameter: "", value: "", shown: [], hidden: [] };

function rowOf(page: Page, text: string) {
  return page.getByRole("row").filter({ hasText: text }).first();
}

async function areThere(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await rowOf(page, text).waitFor();
}

/** Waits until the rows are those that fit. */
async function areLeft(page: Page, what: string, shown: readonly string[], hidden: readonly string[]): Promise<void> {
  if (shown.length === 0) await page.getByText("Change or clear the search and filters.").waitFor();
  const found = async () => Promise.all([...shown, ...hidden].map(async (text) => rowOf(page, text).count()));
  await expect.poll(found, { message: what }).toEqual([...shown.map(() => 1), ...hidden.map(() => 0)]);
}

function chipOf(page: Page, field: string, choice: string) {
  return page.getByRole("button", { name: `Remove filter ${field}: ${choice}`, exact: true });
}

async function chipsOf(page: Page): Promise<string[]> {
  const texts = await page.getByRole("button", { name: /^Remove filter/ }).allTextContents();
  return texts.map((text) => text.replace(/^Remove filter /, ""));
}

/** Types into the field that has the focus, and waits until the page has heard it: what follows is typed into the next. */
async function type(page: Page, text: string, left = text): Promise<void> {
  await page.keyboard.type(text);
  await hasFocused(page, left);
}

async function hasFocused(page: Page, value: string): Promise<void> {
  // The page forbids the evaluation of texts, which waiting for a function does.
  await expect.poll(async () => page.evaluate<string>("document.activeElement?.value")).toBe(value);
  // The next field may be enabled by what was typed, with the next drawing.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

async function anotherSession(url: string, SecretID: string): Promise<void> {
  const headers = { "content-type": "application/json", "x-tessera-console": "1", "user-agent": OTHER_BROWSER };
  const answer = await fetch(`${url}/ui/session`, { method: "POST", headers, body: JSON.stringify({ SecretID }) });
  expect(answer.status).toBe(200);
}

async function makeCarriers(client: Client): Promise<void> {
  const organization = "odd";
  await client.organizations.create({
    body: { data: { type: "organizations", attributes: { name: organization, email: "ops@odd.example" } } },
  });
  const attributes = { name: PROJECT };
  const project = await client.projects.create({ organization, body: { data: { type: "projects", attributes } } });
  for (const [name, tags, keys] of CARRIERS) {
    const bindings = Object.entries(keys).map(([key, value]) => ({
      type: "tag-bindings" as const,
      attributes: { key, value },
    }));
    await client.workspaces.create({
      organization,
      body: {
        data: {
          type: "workspaces",
          attributes: { name },
          relationships: {
            tags: { data: tags.map((tag) => ({ type: "tags" as const, attributes: { name: tag } })) },
            "tag-bindings": { data: bindings },
            ...(name === "excluded" ? { project: { data: { type: "projects" as const, id: project.data.id } } } : {}),
          },
        },
      },
    });
  }
}
