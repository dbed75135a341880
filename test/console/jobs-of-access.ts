/** The jobs of the console review in access control. */
import { expect } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer } from "../support/login.ts";
import { opened, press, selectionDoes, type Job } from "./job.ts";
import { tabTo } from "./presses.ts";
import { title } from "./use-console.ts";

const SCOPE = "access/default/default";
export const KEY = createSigningKey("k1");
const RULES = 'key "a" {\n  policy = "read"\n}\n';

export const ACCESS_JOBS: readonly Job[] = [
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
    async done({ page, hand, client }) {
      await title(page, `${hand}-rules`);
      expect((await client.policies.readByName({ name: `${hand}-rules` })).Rules).toBe(RULES);
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
    async done({ hand, client }) {
      const left = async () => (await client.tokens.list({ search: `${hand} gone` }).all()).length;
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
    async done({ page, hand, client }) {
      await page.waitForURL(/\/binding-rules\/[0-9a-f-]{36}$/);
      const rules = await client.bindingRules.list({ authmethod: "ci" }).all();
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
    async done({ page }) {
      await page.getByRole("heading", { name: "Denied" }).waitFor();
    },
  },
];
