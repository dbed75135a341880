/** Home, Audit and the login workbench, each with what people come for. */
import { readFileSync } from "node:fs";
import type { Client } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { option, text } from "./forms.ts";
import { faultsOf } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const FORMULA = '=HYPERLINK("http://example.com")';
const SCRIPT = `<script>alert(1)</script> שלום 🎛️ ${"long ".repeat(40)}`.slice(0, 250).trim();

const key = createSigningKey("k1");

// It shows all records of a server, and what there is of each kind.
const at = useConsole({
  own: () => ({}),
  async prepare({ client }) {
    await client.tokens.create({ body: { Description: FORMULA } });
    const { AccessorID: accessor } = await client.tokens.create({ body: { Description: "Before" } });
    await client.tokens.update({ accessor, body: { Description: SCRIPT } });
    await client.roles.create({ body: { Name: "deployers" } });
    await client.tokens.create({ body: { Description: "Ends in an hour", ExpirationTTL: "1h" } });
    await organizationWithRules(client);
    const Config = { JWTValidationPubKeys: [key.publicKey], ...MAPPINGS };
    await client.request("createAuthMethod", { body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
    for (let count = 0; count < 6; count += 1) {
      const asked = { body: { AuthMethod: "ci", BearerToken: bearer(key, { sub: "web" }) } };
      await expect(client.request("login", asked)).rejects.toThrow();
    }
  },
});

inBrowser("the console's insight", () => {
  it("tells at Home what there is and what needs care, and leads to it", async () => {
    const { page, go } = await at.open("");
    const care = page.getByRole("region", { name: "Needs attention" });
    await expect.poll(async () => care.textContent()).toContain("tokens without expiration");
    await page.getByRole("region", { name: "Recent activity" }).getByText(SCRIPT).waitFor();
    await care.getByRole("link", { name: /workspace.* of acme .* the tag policy/ }).click();
    await page.getByRole("heading", { level: 1, name: "Non-compliant workspaces" }).waitFor();
    await page.getByText("falls-short").first().waitFor();
    await go("");
    await care.getByRole("link", { name: /tokens without expiration/ }).click();
    // Home names both tokens too.
    await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    await page.getByText(FORMULA).waitFor();
    expect(await page.getByText("Ends in an hour").count()).toBe(0);
    expect(new URL(page.url()).search).toBe("?expires=never");
    await go("");
    await page.getByRole("link", { name: /1 Auth methods/ }).waitFor();
    // Nothing is known here about other servers.
    await page.getByRole("region", { name: "This server is ready" }).waitFor();
    // Many refusals and an old backup take longer to come about than a test may last: the server's answer with both in it.
    await page.route(/\/v1\/acl\/overview/, async (route) => {
      const response = await route.fetch();
      const told = (await response.json()) as { Server: object };
      const RefusedLogins = [{ AuthMethod: "ci", Namespace: "default", Count: 6 }];
      await route.fulfill({
        response,
        json: { ...told, RefusedLogins, Server: { ...told.Server, BackupAgeSeconds: 5 * 86_400 } },
      });
    });
    await go("");
    await care.getByText("The last backup is 5 days old").waitFor();
    await care.getByRole("link", { name: "ci denied 6 logins" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    expect(new URL(page.url()).search).toBe("?kind=login&outcome=refused");
    expect(await page.getByRole("combobox", { name: "Outcome" }).inputValue()).toBe("Denied");
  });

  it("shows the diff of a record, walks its chain, and finds a record that was changed on the way", async () => {
    const { page } = await at.open("access/default/default/audit", { scheme: "dark" });
    await page.getByRole("combobox", { name: "Action" }).fill("update");
    await page.waitForURL(/action=update/);
    const record = page.getByRole("button", { name: /changed token/ });
    await expect.poll(async () => page.getByRole("listitem").count()).toBe(1);
    await record.click();
    const item = page.getByRole("listitem");
    expect((await item.textContent())?.replaceAll(/\s+/g, " ")).toContain("removed: Before");
    expect(await item.textContent()).toContain(`added: ${SCRIPT}`);
    await page.getByRole("button", { name: "Verify chain" }).click();
    await page.getByRole("alert").filter({ hasText: "Verified" }).waitFor();
    expect(await faultsOf(page, "a record")).toEqual([]);
    await page.route(/\/v1\/audit/, async (route) => {
      const answer = await route.fetch();
      const whole = await answer.text();
      await route.fulfill({ response: answer, body: whole.replace('"name":"ci"', '"name":"cd"') });
    });
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(async () => page.getByRole("listitem").count()).toBeGreaterThan(5);
    await page.getByRole("button", { name: "Verify chain" }).click();
    await page.getByRole("alert").filter({ hasText: "modified or inserted" }).waitFor();
  });

  it("exports records as CSV in which nothing is a formula, and as lines of JSON", async () => {
    const { page } = await at.open("access/default/default/audit?kind=token&action=create");
    await page.getByText("Showing all").waitFor();
    const csv = await exported(page, /CSV/);
    expect(csv).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
    expect(csv).not.toMatch(/(^|,)"?=/m);
    const lines = (await exported(page, /JSON/)).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toContain(FORMULA);
  });

  it("begins with a login that was refused lately, and keeps in sight what its record knows", async () => {
    const { page, go } = await at.open();
    // A record of refusals is written when its minute is over, which takes longer than a test may last.
    const Detail = { subject: "web", reason: "no binding rule matches" };
    const Time = new Date().toISOString();
    const refused = { Time, Kind: "login", Action: "login", Outcome: "refused", Name: "ci", Actor: {}, Detail };
    await page.route(/\/v1\/audit\?.*outcome=refused/, async (route) => route.fulfill({ json: [refused] }));
    await go("access/default/default/login");
    await page.getByText("Recent denials", { exact: true }).click();
    await page.getByRole("button", { name: /^ci / }).first().click();
    await page.getByText(/^Denied .*subject web: /).waitFor();
    await page.getByRole("textbox", { name: "Claims for selectors" }).fill('{"value":{"team":"web"}}');
    await page.getByText("The login would be denied").first().waitFor();
    await expect.poll(async () => page.getByText(/^Denied .*subject web: /).isVisible()).toBe(true);
  });

  it("explains a JWT that was pasted with line breaks, and saves the rule that was written for it", async () => {
    const { page, go } = await at.open("access/default/default/login");
    const jwt = bearer(key, { sub: "web", team: `web-sqlite`, name: "shop", groups: ["ops"] });
    await page
      .getByLabel("JWT", { exact: true })
      .last()
      .fill(jwt.replaceAll(/(.{60})/g, "$1\n"));
    await page.getByText("The login would be denied").first().waitFor();
    await page.getByRole("button", { name: "Use value.team in the selector" }).click();
    await page.getByText("Matches", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Selector" }).inputValue()).toBe(`value.team == "web-sqlite"`);
    await page.getByRole("textbox", { name: "Selector" }).fill("value.team ==");
    await page.getByText("Invalid binding rule").waitFor();
    await page.getByRole("textbox", { name: "Selector" }).fill('value.team == "other"');
    await page.getByText("Does not match", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Selector" }).fill(`"ops" in list.groups`);
    await page.getByLabel("Bind name").fill("deployers");
    await page.getByText("Matches, grants role deployers").waitFor();
    expect(await faultsOf(page, "the login")).toEqual([]);
    await page.getByRole("button", { name: "Create binding rule" }).click();
    await page.getByText("Enter a description").waitFor();
    await page.getByLabel("Description").fill("From the login test");
    await page.getByRole("button", { name: "Create binding rule" }).click();
    await page.waitForURL(/\/binding-rules\/[0-9a-f-]{36}$/);
    await go("access/default/default/login");
    await page.getByLabel("JWT", { exact: true }).last().fill(jwt);
    await page.getByRole("region", { name: "Resulting token" }).getByText("deployers").waitFor();
  });

  it("answers whether who logs in by a method, with these claims, may make a request", async () => {
    const { page, go } = await at.open();
    await at.client.policies.create({ body: { Name: "makers", Rules: 'acl = "write"' } });
    await at.client.bindingRules.create({
      body: { AuthMethod: "ci", BindType: "policy", BindName: "makers", Selector: 'value.team == "makers"' },
    });
    await go("access/default/default/why");
    await option(page, "Subject", "login with");
    await option(page, "Auth method", "ci (jwt)");
    await option(page, "Access", "send request");
    await text(page, "Request", "PUT /v1/acl/token");
    const answer = page.getByRole("article", { name: "Result", exact: true });
    const asks = async (claims: string) => {
      await text(page, "Identity claims", claims);
      await page.getByRole("button", { name: "Check", exact: true }).click();
    };
    await asks('{"value": {"team": "makers"}}');
    await answer.getByText("PUT /v1/acl/token (write acl)").waitFor();
    await answer.getByText("Allowed", { exact: true }).waitFor();
    await answer.getByRole("link", { name: "makers" }).first().waitFor();
    expect(await faultsOf(page, "the answer")).toEqual([]);
    await asks('{"value": {"team": "others"}}');
    await answer.getByText("The login is denied.").waitFor();
    await text(page, "Identity claims", "no JSON");
    expect(await page.getByRole("button", { name: "Check", exact: true }).isDisabled()).toBe(true);
    await page.reload();
    await answer.getByText("The login is denied.").waitFor();
  });
});

async function exported(page: Page, name: RegExp): Promise<string> {
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name }).click()]);
  return readFileSync(await download.path(), "utf8");
}

/** An organization, and a workspace of it that lacks what its rules ask for. */
async function organizationWithRules(client: Client): Promise<void> {
  const attributes = { name: "acme", email: "a@acme.example" };
  await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  const workspace = { data: { type: "workspaces" as const, attributes: { name: "falls-short" } } };
  await client.workspaces.create({ organization: "acme", body: workspace });
  const policy = { enforce: "advise" as const, rules: [{ name: "owners", "required-keys": ["owner"] }] };
  await client.tagPolicies.put({
    organization: "acme",
    body: { data: { type: "tag-policies", attributes: policy } },
  });
}
