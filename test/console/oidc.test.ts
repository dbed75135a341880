/** Signing in at the console by a real OpenID provider, in a browser. */
import { afterAll, expect, it } from "vitest";
import { startOpenIdProvider, type OpenIdProvider } from "../support/openid-provider.ts";
import { tokenField, type Window } from "./open.ts";
import { inBrowser, useConsole } from "./use-console.ts";

let provider: OpenIdProvider | undefined;

const at = useConsole({
  async prepare({ client, url }) {
    const redirect = `${url}/ui/oidc/callback`;
    const started = await startOpenIdProvider({
      clients: [{ clientId: "tessera", clientSecret: "a secret", redirectUris: [redirect] }],
      accounts: { alice: {} },
    });
    provider = started;
    const Config = {
      OIDCDiscoveryURL: started.issuer,
      OIDCDiscoveryCACert: started.ca,
      OIDCClientID: "tessera",
      OIDCClientSecret: "a secret",
      AllowedRedirectURIs: [redirect],
    };
    await client.request("createNamespace", { body: { Name: "team-a" } });
    for (const [ns, Name, DisplayName, policy] of [
      ["default", "people", "Acme <SSO>", "readers"],
      ["team-a", "team", "Team A", "team-readers"],
    ] as const) {
      await client.policies.create({ ns, body: { Name: policy, Rules: 'acl = "read"' } });
      await client.authMethods.create({ ns, body: { Name, DisplayName, Type: "oidc", MaxTokenTTL: "1h", Config } });
      await client.bindingRules.create({ ns, body: { AuthMethod: Name, BindType: "policy", BindName: policy } });
    }
  },
});
afterAll(async () => provider?.stop());

/** A window that may go to the provider, too. */
async function openBeside(): Promise<Window> {
  return at.openSignedOut({ provider: provider?.issuer ?? "" });
}

inBrowser("signing in by a provider", () => {
  it("comes back to where one was, with a token that signing out revokes", async () => {
    const { page, go } = await openBeside();
    await go("access/default/default/policies?q=read");
    await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).click();
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    expect(page.url()).toBe(`${at.url}/ui/access/default/default/policies?q=read`);
    await page.getByRole("row", { name: /readers/ }).waitFor();
    // Actions that the login may not do are not offered.
    expect(await page.getByRole("link", { name: "New policy" }).count()).toBe(0);
    const made = async () =>
      ((await at.client.request("listTokens", { query: { authmethod: "people" } })).body as
        | readonly unknown[]
        | null) ?? [];
    expect(await made()).toHaveLength(1);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: /Sign out/ }).click();
    await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).waitFor();
    expect(await made()).toHaveLength(0);
  });

  it("offers the methods of the namespace of its address", async () => {
    const { page, go } = await openBeside();
    await go("access/default/team-a/policies");
    await page.getByRole("button", { name: "Sign in with Team A" }).waitFor();
    expect(await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).count()).toBe(0);
    await page.getByRole("button", { name: "Sign in with Team A" }).click();
    await page.getByRole("row", { name: /team-readers/ }).waitFor();
  });

  it("signs in by a method of another namespace that is named by hand", async () => {
    const { page, go } = await openBeside();
    await go("");
    await page.getByRole("button", { name: "Another method" }).click();
    const other = page.getByRole("form", { name: "Another method" });
    expect(await other.getByLabel("Namespace").inputValue()).toBe("default");
    await other.getByLabel("Namespace").fill("team-a");
    await other.getByLabel("Auth method name").fill("team");
    await other.getByRole("button", { name: "Sign in with method" }).click();
    await page.getByRole("button", { name: "Account" }).waitFor();
    await go("access/default/team-a/policies");
    await page.getByRole("row", { name: /team-readers/ }).waitFor();
  });

  it("says over a page that the way by a provider leaves it", async () => {
    const { page, go } = await openBeside();
    const made = await at.client.tokens.create({ body: { Policies: [{ Name: "readers" }] } });
    await go("access/default/default/policies");
    await tokenField(page).fill(made.SecretID);
    const leaves = page.getByText("Sign-in leaves this page");
    expect(await leaves.count()).toBe(0);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("row", { name: /readers/ }).waitFor();
    await at.client.tokens.delete({ accessor: made.AccessorID });
    const over = page.getByRole("dialog", { name: "Your session has ended" });
    await over.getByRole("button", { name: "Sign in with Acme <SSO>" }).waitFor();
    expect(await over.textContent()).toContain("With a token or JWT, the page keeps your input.");
    await expect.poll(async () => leaves.count()).toBe(1);
  });

  it("has what was written in a form there again after the way by a provider, and keeps it no longer", async () => {
    const { page, go } = await openBeside();
    const writers = await at.client.tokens.create({ body: { Policies: [{ Name: "global-management" }] } });
    const role = await at.client.roles.create({ body: { Name: "kept", Description: "before" } });
    await go(`access/default/default/roles/${role.ID}/edit`);
    await tokenField(page).fill(writers.SecretID);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("Written before");
    await at.client.tokens.delete({ accessor: writers.AccessorID });
    const over = page.getByRole("dialog", { name: "Your session has ended" });
    await over.getByText("Your input is restored").waitFor();
    // Changes by others meanwhile are not overwritten.
    await at.client.roles.update({ id: role.ID, body: { Name: "kept-by-others" } });
    await over.getByRole("button", { name: "Sign in with Acme <SSO>" }).click();
    await page.getByText("Your input was restored after sign-in").waitFor();
    expect(await page.getByRole("textbox", { name: "Description", exact: true }).inputValue()).toBe("Written before");
    await page.getByText("kept-by-others").first().waitFor();
    expect(await page.evaluate("sessionStorage.getItem(`tessera-form`)")).toBeNull();
  });

  it("says why where the provider refuses, where a code is of no sign-in of this browser, and where there is none", async () => {
    const { page, go } = await openBeside();
    const why = page.getByRole("alert");
    await go("oidc/callback?error=access_denied&error_description=Call%20us%20at%20555&state=x");
    await page.getByRole("heading", { name: "Sign-in failed" }).waitFor();
    expect(await why.textContent()).toBe("The identity provider denied access. Sign in again and approve the request.");
    await go("oidc/callback?error=%3Cscript%3Ealert(1)%3C/script%3E");
    await expect.poll(async () => why.textContent()).toMatch(/^The identity provider rejected the sign-in\. /);
    await go("oidc/callback?state=of-somebody-else&code=stolen");
    await expect.poll(async () => why.textContent()).toContain("Sign-in failed");
    await go("oidc/callback");
    await expect.poll(async () => why.textContent()).toContain("Open this page only from the identity provider");
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await page.getByRole("button", { name: "Sign in with Acme <SSO>" }).waitFor();
  });
});
