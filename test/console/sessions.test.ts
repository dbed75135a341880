/**
 * Tests of the console with a session that has not begun, has ended, or is another's: in both schemes, and on a narrow
 * screen.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { faultsInBoth, outside } from "./looks.ts";
import { signIn, tokenField, type Window } from "./open.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const SSO = [
  { Name: "people", DisplayName: "Acme", Type: "oidc" },
  { Name: "contractors", DisplayName: "", Type: "oidc" },
  { Name: "pipelines", DisplayName: "Our pipelines", Type: "jwt" },
];

interface State {
  readonly title: string;
  /** Members that replace those of the server's answer about the session. */
  readonly says?: object;
  bring(window: Window): Promise<void>;
}

const STATES: readonly State[] = [
  {
    title: "the first run",
    says: {
      FirstRun: true,
      Where: "The server wrote it into the file management-token of its data directory (--data-dir).",
    },
    bring: async ({ page }) => page.getByText("Find the management token").waitFor(),
  },
  {
    title: "a connection by which nobody can sign in",
    says: { Insecure: true },
    bring: async ({ page }) => page.getByText("Insecure connection").waitFor(),
  },
  {
    title: "single sign-on, and another method",
    says: { Methods: SSO },
    async bring({ page }) {
      await page.getByRole("button", { name: "Sign in with Acme" }).waitFor();
      await page.getByRole("button", { name: "Another method" }).click();
      await page.getByRole("form", { name: "Another method" }).waitFor();
    },
  },
  {
    title: "signing in by a JWT",
    async bring({ page }) {
      await page.getByText("JWT", { exact: true }).click();
      await page.getByRole("textbox", { name: "JWT" }).waitFor();
    },
  },
  {
    title: "a token that is not taken",
    async bring({ page }) {
      await tokenField(page).fill("no such secret");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").filter({ hasText: "Sign-in failed" }).waitFor();
    },
  },
  {
    title: "a provider that refuses",
    async bring({ page, go }) {
      await go("oidc/callback?error=access_denied&state=x");
      await page.getByRole("heading", { name: "Sign-in failed" }).waitFor();
    },
  },
  {
    title: "a session that has ended",
    async bring(window) {
      const { SecretID, AccessorID } = await admin("Ends soon");
      await signIn(window, SecretID);
      await window.go("access/default/default/policies");
      await window.page.getByRole("link", { name: "auditors" }).waitFor();
      await at.client.tokens.delete({ accessor: AccessorID });
      await window.page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    },
  },
  {
    title: "a session that is another's now",
    async bring(window) {
      const { page, go } = window;
      await signIn(window, (await admin("Anna")).SecretID);
      await go("access/default/default/tokens/new");
      await page.getByLabel("Description").fill("By whom?");
      await signInBehind(page, (await admin("Bert")).SecretID);
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog", { name: "Different token signed in" }).getByText("Bert").waitFor();
    },
  },
];

const at = useConsole({
  isSeeded: true,
  async prepare({ client }) {
    await client.policies.create({ body: { Name: "admins", Rules: 'acl = "write"\noperator = "write"\n' } });
  },
});

inBrowser("what is shown of a session", () => {
  it.each(STATES)("can be read by everybody on every screen: $title", async ({ title, says, bring }) => {
    const window = await at.openSignedOut();
    const { page, go } = window;
    if (says !== undefined) {
      await page.route(/\/ui\/session(?:\?|$)/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...says } });
      });
    }
    await go("");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await bring(window);
    const found = await faultsInBoth(page, title);
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 });
      found.push(...(await outside(page, `${title}, ${width} px`)));
    }
    expect(found).toEqual([]);
  });
});

async function admin(Description: string) {
  return at.client.tokens.create({ body: { Description, Policies: [{ Name: "admins" }] } });
}

/** Signs in as somebody else in the same browser, and not by the console's own page, which would tell the others. */
async function signInBehind(page: Page, secret: string): Promise<void> {
  await page.evaluate(`fetch("${at.url}/ui/session", {
    method: "POST",
    headers: { "content-type": "application/json", "x-tessera-console": "1" },
    body: ${JSON.stringify(JSON.stringify({ SecretID: secret }))},
  })`);
}
