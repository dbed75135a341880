/** Incident 86: Home for tokens that can read little: the console finds a place by its contents. */
import { createClient } from "@tessera-server/client";
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

const at = useConsole({ isSeeded: true });

inBrowser("Home for a token with few permissions", () => {
  it("leads to the workspaces that it can read, though it cannot read their organization", async () => {
    await at.client.policies.create({
      body: { Name: "web-readers", Rules: 'workspace_prefix "acme/web-" { policy = "read" }' },
    });
    const { SecretID } = await at.client.tokens.create({ body: { Policies: [{ Name: "web-readers" }] } });
    const { page } = await at.open("", { as: SecretID });
    await page.getByRole("link", { name: "Workspaces of acme" }).click();
    await page.getByRole("link", { name: "web-search" }).waitFor();
    expect(await page.getByRole("link", { name: "mail", exact: true }).count()).toBe(0);
    // The switch and the palette know what is there too.
    await page.getByText("Organization:").click({ force: true });
    await page.getByPlaceholder("Find organization").waitFor();
    await page.getByRole("button", { name: "acme", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("web-search");
    await page.getByRole("dialog").getByText("web-search").first().waitFor();
  });

  it("tells a token without permissions so, with the ID to send to an administrator", async () => {
    const { AccessorID, SecretID } = await at.client.tokens.create({ body: {} });
    const { page } = await at.open("", { as: SecretID });
    const notice = page.getByRole("alert").filter({ hasText: "Your token has no permissions yet" });
    await notice.getByText("Ask an administrator for a policy or role.").waitFor();
    await notice.getByText(AccessorID).waitFor();
    expect(await page.getByRole("link", { name: /^Workspaces of/ }).count()).toBe(0);
  });

  it("shows what was denied to it last, with the reason and a request whose link opens the minimal rule as a draft", async () => {
    const Rules = 'workspace_prefix "acme/web-" { policy = "read" }';
    await at.client.policies.create({ body: { Name: "web-lookers", Rules } });
    const body = { Description: "Web team", ExpirationTTL: "48h", Policies: [{ Name: "web-lookers" }] };
    const { AccessorID, SecretID } = await at.client.tokens.create({ body });
    const own = createClient({ address: at.url, token: SecretID });
    const [web] = await own.workspaces.list({ organization: "acme" }).all();
    const attributes = { description: "mine" };
    const change = { workspace: web?.id ?? "", body: { data: { type: "workspaces" as const, attributes } } };
    await expect(own.workspaces.update(change)).rejects.toThrow("not found");
    const { page } = await at.open("", { as: SecretID });
    const denied = page.getByRole("region", { name: "Denied requests" });
    await denied.getByText(`write workspace acme/${web?.attributes.name}`).waitFor();
    await denied.getByText("The policies of your token do not allow this access.").waitFor();
    await page.getByRole("region", { name: "Tokens that expire soon" }).getByText("Your token").waitFor();
    const mine = page.getByRole("region", { name: "Your organizations" });
    await mine.getByRole("link", { name: web?.attributes.name ?? "", exact: true }).waitFor();
    expect(await page.getByText("Auth methods").count()).toBe(0);
    await denied.getByRole("button", { name: "Copy access request" }).click();
    const request = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(request).toContain(`token "Web team" ${AccessorID}`);
    const link = /^Draft policy: (.+)$/m.exec(request)?.[1] ?? "";
    expect(link).not.toContain(SecretID);
    const before = (await at.client.policies.list().all()).length;
    const admin = await at.open();
    await admin.page.goto(link);
    await admin.page.getByText("A link opened this draft.").waitFor();
    expect(await admin.page.getByLabel("Description", { exact: true }).inputValue()).toContain(AccessorID);
    expect((await at.client.policies.list().all()).length).toBe(before);
    await admin.page.getByLabel("Name", { exact: true }).fill("granted");
    await admin.page.getByRole("button", { name: "Create policy" }).click();
    await admin.page.getByRole("heading", { level: 1, name: "granted" }).waitFor();
    const { ID } = await at.client.policies.readByName({ name: "granted" });
    const Policies = [{ Name: "web-lookers" }, { ID }];
    await at.client.tokens.update({ accessor: AccessorID, body: { Policies } });
    await own.workspaces.update(change);
    await page.reload();
    await mine.waitFor();
    await expect.poll(async () => denied.count()).toBe(0);
  });
});
