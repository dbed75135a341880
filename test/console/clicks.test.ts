/**
 * The eight jobs that the console review counted, each from its list: by mouse, with no more clicks than there, and by keyboard
 * alone. Typed text is not counted, as there.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { countPresses, tabTo } from "./presses.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";
const KEY = createSigningKey("k1");
const HANDS = ["mouse", "keys"] as const;
type Hand = (typeof HANDS)[number];

/** More than one page of tags. */
const IDLE = 150;
const RULES = 'key "a" {\n  policy = "read"\n}\n';

/** A job, done by each hand on objects of its own: organization `<hand>-inc`, and names that begin with the hand. */
interface Job {
  readonly name: string;
  path(hand: Hand): string;
  /** What the console may need at most. */
  readonly clicks: number;
  readonly presses: number;
  mouse(page: Page): Promise<void>;
  keys(page: Page): Promise<void>;
  /** Waits until it is done. */
  done(page: Page, hand: Hand): Promise<void>;
}

const at = useConsole({
  isSeeded: true,
  async prepare({ client }) {
    const Config = { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS };
    await client.authMethods.create({ body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
    for (const hand of HANDS) {
      const organization = `${hand}-inc`;
      const attributes = { name: organization, email: "ops@acme.example" };
      await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
      const idle = Array.from({ length: IDLE }, (_, index) => `idle-${index}`);
      const data = ["same-1", "same-2", ...idle].map((name) => ({ type: "tags" as const, attributes: { name } }));
      await client.tags.create({ organization, body: { data } });
      for (const name of ["web-1", "web-2", "other"]) {
        const made = { data: { type: "workspaces" as const, attributes: { name } } };
        await client.workspaces.create({ organization, body: made });
      }
      await client.policies.create({ body: { Name: `${hand}-rules`, Rules: "" } });
      await client.tokens.create({ body: { Description: `${hand} gone` } });
    }
  },
});

const JOBS: readonly Job[] = [
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
    async done(page, hand) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      await expect.poll(async () => tagsOf(hand, "same")).toBe(1);
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
    async done(page, hand) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      await expect.poll(async () => tagsOf(hand, "idle")).toBe(0);
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
    async done(page, hand) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      const query = { organization: `${hand}-inc`, "search[tags]": "fresh" };
      await expect.poll(async () => (await at.client.workspaces.list(query).all()).length).toBe(2);
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
    async done(_page, hand) {
      const all = await at.client.workspaces.list({ organization: `${hand}-inc` }).all();
      const workspace = all.find(({ attributes }) => attributes.name === "other")?.id ?? "";
      const keys = async () =>
        (await at.client.tagBindings.listOfWorkspace({ workspace }).all()).map((each) => each.attributes.key);
      await expect.poll(keys).toEqual(["owner"]);
    },
  },
  {
    name: "Correct a policy",
    path: (hand) => `${SCOPE}/policies?q=${hand}-rules`,
    clicks: 3,
    presses: 8,
    async mouse(page) {
      await page.getByRole("link", { name: "mouse-rules" }).click();
      await page.getByRole("link", { name: "Edit" }).click();
      // The rules have the focus.
      await page.locator(".cm-content:focus").waitFor();
      await page.keyboard.insertText(RULES);
      await page.getByRole("button", { name: "Save changes (1)" }).click();
    },
    async keys(page) {
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await title(page, "keys-rules");
      await page.getByRole("link", { name: "Edit" }).waitFor();
      await page.keyboard.press("e");
      await title(page, "Edit keys-rules");
      await page.locator(".cm-content:focus").waitFor();
      await page.keyboard.insertText(RULES);
      await page.getByRole("button", { name: "Save changes (1)" }).waitFor();
      await page.keyboard.press("Control+Enter");
    },
    async done(page, hand) {
      await title(page, `${hand}-rules`);
      expect((await at.client.policies.readByName({ name: `${hand}-rules` })).Rules).toBe(RULES);
    },
  },
  {
    name: "Delete a token",
    path: (hand) => `${SCOPE}/tokens?q=${hand}`,
    clicks: 4,
    presses: 58,
    async mouse(page) {
      await page.getByRole("link", { name: "mouse gone" }).click();
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    },
    async keys(page) {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText("1 selected").waitFor();
      await selectionDoes(page, "Delete");
      await opened(page);
      await page.getByRole("dialog").getByRole("button", { name: "Delete 1 token" }).waitFor();
      await press(page, "Delete 1 token");
    },
    async done(_page, hand) {
      const left = async () => (await at.client.tokens.list({ search: `${hand} gone` }).all()).length;
      await expect.poll(left).toBe(0);
    },
  },
  {
    name: "Create a binding rule from a JWT",
    path: () => `${SCOPE}/login?method=ci`,
    clicks: 5,
    presses: 40,
    async mouse(page) {
      await page.getByRole("textbox", { name: "JWT" }).click();
      await page.keyboard.insertText(bearer(KEY, { sub: "web", team: "web", name: "shop", groups: ["ops"] }));
      await page.getByRole("textbox", { name: "Selector", exact: true }).click();
      await page.keyboard.type('"ops" in list.groups');
      await page.getByLabel("Bind name").and(page.locator("input")).click();
      await page.keyboard.type("on-call");
      await page.getByText("Matches, grants role on-call").waitFor();
      await page.getByRole("textbox", { name: "Description" }).click();
      await page.keyboard.type("mouse rule");
      await page.getByRole("button", { name: "Create binding rule" }).click();
    },
    async keys(page) {
      await tabTo(page, "JWT", "textarea");
      await page.keyboard.insertText(bearer(KEY, { sub: "web", team: "web", name: "shop", groups: ["ops"] }));
      await tabTo(page, "Selector");
      await page.keyboard.type('"ops" in list.groups');
      await tabTo(page, "Bind name");
      await page.keyboard.type("on-call");
      await page.getByText("Matches, grants role on-call").waitFor();
      await tabTo(page, "Description");
      await page.keyboard.type("keys rule");
      await press(page, "Create binding rule");
    },
    async done(page, hand) {
      await page.waitForURL(/\/binding-rules\/[0-9a-f-]{36}$/);
      const rules = await at.client.bindingRules.list({ authmethod: "ci" }).all();
      expect(rules.map(({ Description }) => Description)).toContain(`${hand} rule`);
    },
  },
  {
    name: "Why can a token not do that?",
    path: () => `${SCOPE}/why`,
    clicks: 4,
    presses: 40,
    async mouse(page) {
      await page.getByRole("combobox", { name: "Token", exact: true }).click();
      await page.keyboard.type("Deployments of mail");
      await page.getByRole("option", { name: /^Deployments of mail/ }).click();
      await page.getByRole("combobox", { name: "Name" }).click();
      await page.keyboard.type("other/web");
      await page.getByRole("button", { name: "Check", exact: true }).click();
    },
    async keys(page) {
      await tabTo(page, "Token");
      await page.keyboard.type("Deployments of mail");
      const options = page.getByRole("option");
      await expect.poll(async () => (await options.allTextContents()).join()).toMatch(/^Deployments of mail [^,]*$/);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await tabTo(page, "Name");
      await page.keyboard.type("other/web");
      await page.keyboard.press("Escape");
      await press(page, "Check");
    },
    async done(page) {
      await page.getByRole("heading", { name: "Denied" }).waitFor();
    },
  },
];

inBrowser("clicks per job", () => {
  it.each(JOBS)("$name", async (job) => {
    const needed: Record<Hand, { clicks: number; keys: number }> = { mouse: NOTHING, keys: NOTHING };
    for (const hand of HANDS) {
      const { page, settled } = await at.open(job.path(hand));
      await settled();
      const presses = await countPresses(page);
      await job[hand](page);
      needed[hand] = await presses();
      await job.done(page, hand);
    }
    expect(needed.keys.clicks).toBe(0);
    expect(needed.mouse.clicks).toBeLessThanOrEqual(job.clicks);
    expect(needed.keys.keys).toBeLessThanOrEqual(job.presses);
  });
});

const NOTHING = { clicks: 0, keys: 0 };

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type(text);
}

async function only(page: Page, ...names: readonly string[]): Promise<void> {
  const links = page.locator("[role=grid] [role=row] a[href]");
  await expect.poll(async () => (await links.allTextContents()).filter((text) => names.includes(text))).toEqual(names);
  await expect.poll(async () => page.locator("[role=grid] [role=row][data-index]").count()).toBe(names.length);
}

/** Waits until a dialog has the focus: Tab would go on behind it. */
async function opened(page: Page): Promise<void> {
  await page.locator("[role=dialog] :focus").waitFor();
}

async function previewed(page: Page): Promise<void> {
  await opened(page);
  await page
    .getByRole("dialog")
    .getByText(/would change/)
    .waitFor();
}

/** Goes to a button by Tab, and presses it. */
async function press(page: Page, button: string, tab: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await tabTo(page, button, "button:enabled", tab);
  await page.keyboard.press("Enter");
}

/** The same for an action of the selection, by its key. */
async function selectionDoes(page: Page, button: string): Promise<void> {
  await page.keyboard.press("b");
  await page.getByRole("region", { name: "Selection" }).locator("button:focus").waitFor();
  await press(page, button);
}

async function tagsOf(hand: Hand, q: string): Promise<number> {
  return (await at.client.tags.list({ organization: `${hand}-inc`, q }).all()).length;
}
