/** The jobs of the console review in an organization. */
import { expect } from "vitest";
import { only, opened, press, previewed, search, selectionDoes, tagsOf, type Job } from "./job.ts";
import { tabTo } from "./presses.ts";
import { title } from "./use-console.ts";

/** More than one page of tags. */
export const IDLE = 150;

export const ORGANIZATION_JOBS: readonly Job[] = [
  {
    name: "Find and merge two tags",
    path: (hand) => `org/${hand}-inc/tags`,
    clicks: 5,
    presses: 60,
    async mouse(page) {
      await page.getByPlaceholder("Search tags").click();
      await page.keyboard.type("same");
      await only(page, "same-1", "same-2");
      for (const name of ["same-1", "same-2"])
        await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
      await page.getByRole("button", { name: "Merge" }).click();
      await previewed(page);
      await page.getByRole("dialog").getByRole("button", { name: "Merge", exact: true }).click();
    },
    async keys(page) {
      await search(page, "same");
      await only(page, "same-1", "same-2");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("x");
      await page.keyboard.press("Shift+ArrowDown");
      await page.getByText("2 selected").waitFor();
      await selectionDoes(page, "Merge");
      await previewed(page);
      await press(page, "Merge");
    },
    async done({ page, hand, client }) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      await expect.poll(async () => tagsOf(client, hand, "same")).toBe(1);
    },
  },
  {
    name: "Delete all unused tags",
    path: (hand) => `org/${hand}-inc/tags?q=idle`,
    clicks: 5,
    presses: 64,
    async mouse(page) {
      await page
        .getByRole("button", { name: /^Filter by .*: unused$/i })
        .first()
        .click();
      await page.getByRole("checkbox", { name: "Select the loaded rows" }).click();
      await page.getByRole("button", { name: `Select all ${IDLE} tags` }).click();
      await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
      await previewed(page);
      await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    },
    async keys(page) {
      await page.keyboard.press("j");
      await page.keyboard.press("f");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Remove filter/ }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText("1 selected").waitFor();
      await selectionDoes(page, `Select all ${IDLE} tags`);
      await selectionDoes(page, "Delete");
      await previewed(page);
      await press(page, "Delete");
    },
    async done({ page, hand, client }) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      await expect.poll(async () => tagsOf(client, hand, "idle")).toBe(0);
    },
  },
  {
    name: "Tag all workspaces that a search finds",
    path: (hand) => `org/${hand}-inc/workspaces`,
    clicks: 5,
    presses: 20,
    async mouse(page) {
      await page.getByPlaceholder("Search workspaces").click();
      await page.keyboard.type("web-");
      await only(page, "web-1", "web-2");
      await page.getByRole("button", { name: "Tag all matching" }).click();
      await page.getByRole("combobox", { name: "Tags" }).click();
      await page.keyboard.type("fresh");
      await page.keyboard.press("Enter");
      await previewed(page);
      await page.getByRole("dialog").getByRole("button", { name: "Tag 2 workspaces" }).click();
    },
    async keys(page) {
      await search(page, "web-");
      await only(page, "web-1", "web-2");
      await press(page, "Tag all matching", "Shift+Tab");
      await opened(page);
      await tabTo(page, "Tags");
      await page.keyboard.type("fresh");
      await page.keyboard.press("Enter");
      await previewed(page);
      await press(page, "Tag 2 workspaces");
    },
    async done({ page, hand, client }) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      const query = { organization: `${hand}-inc`, "search[tags]": "fresh" };
      await expect.poll(async () => (await client.workspaces.list(query).all()).length).toBe(2);
    },
  },
  {
    name: "Add a key to a workspace",
    path: (hand) => `org/${hand}-inc/workspaces`,
    clicks: 3,
    presses: 32,
    async mouse(page) {
      await page.getByRole("link", { name: "other", exact: true }).click();
      await page.getByRole("combobox", { name: "Tag keys" }).click();
      await page.keyboard.type("owner=web");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Save tag keys" }).click();
    },
    async keys(page) {
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await title(page, "other");
      await tabTo(page, "Tag keys");
      await page.keyboard.type("owner=web");
      await page.keyboard.press("Enter");
      await press(page, "Save tag keys");
    },
    async done({ hand, client }) {
      const all = await client.workspaces.list({ organization: `${hand}-inc` }).all();
      const workspace = all.find(({ attributes }) => attributes.name === "other")?.id ?? "";
      const keys = async () =>
        (await client.tagBindings.listOfWorkspace({ workspace }).all()).map((each) => each.attributes.key);
      await expect.poll(keys).toEqual(["owner"]);
    },
  },
];
