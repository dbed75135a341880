/** Signing in at the console by a real OpenID provider, in a browser. */
import { createClient } from "@tessera-server/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../support/openid-provider.ts";
import { HAS_BROWSER, openBrowser, openConsole, openWindow, tokenField, type OpenedConsole } from "./open.ts";

forEachEngine((_engine, makeUrl) => {
  describe.skipIf(!HAS_BROWSER)("signing in by a provider", { timeout: 120_000 }, () => {
    let opened: OpenedConsole;
    let provider: OpenIdProvider;
    let browser: Browser;

    beforeAll(async () => {
      opened = await openConsole({ database: await makeUrl(), args: ["--outbound-allow", "127.0.0.0/8"] });
      const redirect = `${opened.url}/ui/oidc/callback`;
      provider = await startOpenIdProvider({
        clients: [{ clientId: "tessera", clientSecret: "a secret", redirectUris: [redirect] }],
        accounts: { alice: {} },
      });
      const client = createClient({ address: opened.url, token: opened.token });
      await client.request("createPolicy", { body: { Name: "readers", Rules: 'acl = "read"' } });
      const Config = {
        OIDCDiscoveryURL: provider.issuer,
        OIDCDiscoveryCACert: provider.ca,
        OIDCClientID: "tessera",
        OIDCClientSecret: "a secret",
        AllowedRedirectURIs: [redirect],
      };
      const body = { Name: "people", DisplayName: "Acme <SSO>", Type: "oidc", MaxTokenTTL: "1h", Config };
      await client.request("createAuthMethod", { body });
      await client.request("createBindingRule", {
        body: { AuthMethod: "people", BindType: "policy", BindName: "readers" },
      });
      await client.request("createNamespace", { body: { Name: "team-a" } });
      const team = createClient({ address: opened.url, token: opened.token, namespace: "team-a" });
      await team.request("createPolicy", { body: { Name: "team-readers", Rules: 'acl = "read"' } });
      await team.request("createAuthMethod", { body: { ...body, Name: "team", DisplayName: "Team A" } });
      await team.request("createBindingRule", {
        body: { AuthMethod: "team", BindType: "policy", BindName: "team-readers" },
      });
      browser = await openBrowser();
    }, 180_000);
    afterAll(async () => {
      await browser?.close();
      await provider?.stop();
      await opened?.close();
    });

    it("comes back to where one was, with a token that signing out revokes", async () => {
      const { page, context, faults, go } = await openWindow(browser, opened.url, { provider: provider.issuer });
      await go("access/default/default/policies?q=read");
      await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).click();
      await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
      expect(page.url()).toBe(`${opened.url}/ui/access/default/default/policies?q=read`);
      await page.getByRole("row", { name: /readers/ }).waitFor();
      // What the login may not do is not offered.
      expect(await page.getByRole("link", { name: "New policy" }).count()).toBe(0);
      const client = createClient({ address: opened.url, token: opened.token });
      const made = async () =>
        ((await client.request("listTokens", { query: { authmethod: "people" } })).body as readonly unknown[] | null) ??
        [];
      expect(await made()).toHaveLength(1);
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: /Sign out/ }).click();
      await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).waitFor();
      expect(await made()).toHaveLength(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    it("offers the methods of the namespace of its address", async () => {
      const { page, context, faults, go } = await openWindow(browser, opened.url, { provider: provider.issuer });
      await go("access/default/team-a/policies");
      await page.getByRole("button", { name: "Sign in with Team A" }).waitFor();
      expect(await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).count()).toBe(0);
      await page.getByRole("button", { name: "Sign in with Team A" }).click();
      await page.getByRole("row", { name: /team-readers/ }).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });

    it("signs in by a method of another namespace that is named by hand", async () => {
      const { page, context, faults, go } = await openWindow(browser, opened.url, { provider: provider.issuer });
      await go("");
      await page.getByRole("button", { name: "Another method" }).click();
      const other = page.getByRole("form", { name: "Another method" });
      expect(await other.getByLabel("Namespace").inputValue()).toBe("default");
      await other.getByLabel("Namespace").fill("team-a");
      await other.getByLabel("Name of the auth method").fill("team");
      await other.getByRole("button", { name: "Sign in by this method" }).click();
      await page.getByRole("button", { name: "Account" }).waitFor();
      await go("access/default/team-a/policies");
      await page.getByRole("row", { name: /team-readers/ }).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });

    it("says over a page that the way by a provider leaves it", async () => {
      const { page, context, faults, go } = await openWindow(browser, opened.url, { provider: provider.issuer });
      const client = createClient({ address: opened.url, token: opened.token });
      const made = await client.tokens.create({ body: { Policies: [{ Name: "readers" }] } });
      await go("access/default/default/policies");
      await tokenField(page).fill(made.SecretID);
      const leaves = page.getByText("That way leaves this page");
      expect(await leaves.count()).toBe(0);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("row", { name: /readers/ }).waitFor();
      await client.tokens.delete({ accessor: made.AccessorID });
      const over = page.getByRole("dialog", { name: "Your session has ended" });
      await over.getByRole("button", { name: "Sign in with Acme <SSO>" }).waitFor();
      expect(await over.textContent()).toContain("By a token or a JWT nothing on this page is lost.");
      expect(await leaves.count()).toBe(1);
      expect(faults).toEqual([]);
      await context.close();
    });

    it("has what was written in a form there again after the way by a provider, and keeps it no longer", async () => {
      const { page, context, faults, go } = await openWindow(browser, opened.url, { provider: provider.issuer });
      const client = createClient({ address: opened.url, token: opened.token });
      const writers = await client.tokens.create({ body: { Policies: [{ Name: "global-management" }] } });
      const role = await client.roles.create({ body: { Name: "kept", Description: "before" } });
      await go(`access/default/default/roles/${role.ID}/edit`);
      await tokenField(page).fill(writers.SecretID);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("textbox", { name: "Description", exact: true }).fill("Written before");
      await client.tokens.delete({ accessor: writers.AccessorID });
      const over = page.getByRole("dialog", { name: "Your session has ended" });
      await over.getByText("is here again when you come back").waitFor();
      // Whatever others do meanwhile is not written over.
      await client.roles.update({ id: role.ID, body: { Name: "kept-by-others" } });
      await over.getByRole("button", { name: "Sign in with Acme <SSO>" }).click();
      await page.getByText("What you wrote before you signed in is here again").waitFor();
      expect(await page.getByRole("textbox", { name: "Description", exact: true }).inputValue()).toBe("Written before");
      await page.getByText("kept-by-others").first().waitFor();
      expect(await page.evaluate("sessionStorage.getItem(`tessera-form`)")).toBeNull();
      expect(faults).toEqual([]);
      await context.close();
    });

    it("says why where the provider refuses, where a code is of no sign-in of this browser, and where there is none", async () => {
      const { page, context, faults, go } = await openWindow(browser, opened.url, { provider: provider.issuer });
      const why = page.getByRole("alert");
      await go("oidc/callback?error=access_denied&error_description=Call%20us%20at%20555&state=x");
      await page.getByRole("heading", { name: "Not signed in" }).waitFor();
      expect(await why.textContent()).toBe("The provider says that it was not agreed to.");
      await go("oidc/callback?error=%3Cscript%3Ealert(1)%3C/script%3E");
      await expect.poll(async () => why.textContent()).toMatch(/^The provider refused\. /);
      await go("oidc/callback?state=of-somebody-else&code=stolen");
      await expect.poll(async () => why.textContent()).toContain("Not signed in");
      await go("oidc/callback");
      await expect.poll(async () => why.textContent()).toContain("only for who comes from a provider");
      await page.getByRole("link", { name: "Back to sign in" }).click();
      await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });
  });
});
