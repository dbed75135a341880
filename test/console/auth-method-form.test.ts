/** The form of a new auth method: fields of a provider, a test with a token, the first binding rule, and the code. */
import { expect, it } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer } from "../support/login.ts";
import { option } from "./forms.ts";
import { faultsOf } from "./looks.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const PATH = "access/default/default/auth-methods/new";
const key = createSigningKey("k1");
const at = useConsole();

inBrowser("the form of a new auth method", () => {
  it("has no content of its own, and names the fields that are missing", async () => {
    const { page } = await at.open(PATH);
    await page.getByRole("combobox", { name: "Identity provider" }).waitFor();
    const contents = "[...document.querySelectorAll('form input, form textarea')].map(({ value }) => value).join('')";
    expect(await page.evaluate(contents)).toBe("");
    await option(page, "Identity provider", "GitHub Actions");
    await page.getByRole("button", { name: "Create auth method" }).click();
    await page.getByText("Required").first().waitFor();
    expect(await page.getByText("Required").count()).toBe(2);
    expect(await faultsOf(page, "a new auth method")).toEqual([]);
    const { body } = await at.client.request<unknown[]>("listAuthMethods");
    expect(body).toEqual([]);
  });

  it("writes the answers of a provider as configuration, rule, Terraform and YAML", async () => {
    const { page } = await at.open(PATH);
    await option(page, "Identity provider", "GitHub Actions");
    await page.getByLabel("GitHub organization").fill("acme");
    await page.getByLabel("Audience").fill("https://tessera.example.com");
    await page.getByLabel("Name", { exact: true }).fill("github");
    await page.locator('input[data-path="bindName"]').fill("web-deployers");
    expect(await page.getByRole("textbox", { name: "Selector" }).inputValue()).toBe('value.repository_owner == "acme"');
    expect(await page.getByText("Default: 24h").count()).toBe(1);
    const code = page.getByRole("tabpanel");
    await page.getByRole("tab", { name: "Terraform" }).click();
    await expect.poll(async () => code.textContent()).toContain("consul_acl_binding_rule");
    expect(await code.textContent()).toContain("token.actions.githubusercontent.com");
    await page.getByRole("tab", { name: "YAML" }).click();
    const yaml = await code.textContent();
    for (const part of ["kind: auth-method", "name: github", "kind: binding-rule", "bind-name: web-deployers"])
      expect(yaml).toContain(part);
  });

  it("tests a token before anything is saved, and creates the method with its first rule", async () => {
    const { page } = await at.open(PATH);
    await option(page, "Identity provider", "Advanced (JSON)");
    await page.getByLabel("Name", { exact: true }).fill("ours");
    const config = { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { team: "team" } };
    await page.getByLabel("Configuration").fill(JSON.stringify(config));
    await page.locator('input[data-path="bindName"]').fill("web");
    await page.getByRole("textbox", { name: "Selector" }).fill('value.team == "web"');
    const test = page.getByRole("region", { name: "Test with a token" });
    await test.getByLabel("JWT").fill(bearer(key, { team: "db" }));
    await test.getByRole("button", { name: "Test" }).click();
    await test.getByText("The binding rule does not match").waitFor();
    await test.getByLabel("JWT").fill(bearer(key, { team: "web" }));
    await test.getByRole("button", { name: "Test" }).click();
    await test.getByText("The binding rule matches.").waitFor();
    expect(await faultsOf(page, "a tested auth method")).toEqual([]);
    await page.getByRole("button", { name: "Create auth method" }).click();
    await title(page, "ours");
    const { body: rules } = await at.client.request<{ Selector: string; BindName: string }[]>("listBindingRules");
    expect(rules).toMatchObject([{ Selector: 'value.team == "web"', BindName: "web" }]);
  });
});
