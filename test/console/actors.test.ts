/** Names of actors, on each screen that says who did a thing. */
import { createClient } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

const NAME = "Deployer of the web team";
const AUDIT = "access/default/default/audit?kind=role";
let accessor = "";

const at = useConsole({
  isSeeded: true,
  async prepare({ client, url }) {
    const body = { Description: NAME, Policies: [{ Name: "global-management" }] };
    const { AccessorID, SecretID } = await client.tokens.create({ body });
    accessor = AccessorID;
    const deployer = createClient({ address: url, token: SecretID });
    for (const Name of ["made-by-one", "made-by-one-too"]) await deployer.roles.create({ body: { Name } });
  },
});

/** Requests for names, from now on. */
function namesAskedIn(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/token-names")) asked.push(request.url());
  });
  return asked;
}

inBrowser("names of actors", () => {
  it("are descriptions of tokens, with the AccessorID on hover and a link, and cost one request for a page", async () => {
    const window = await at.open();
    const { page } = window;
    const asked = namesAskedIn(page);
    await window.go(AUDIT);
    const actor = page.locator(`[data-actor="${accessor}"]`).first();
    await expect.poll(async () => actor.textContent()).toBe(NAME);
    expect(await actor.getAttribute("title")).toBe(accessor);
    await window.settled();
    expect(await page.locator("[data-actor]").count()).toBeGreaterThan(2);
    expect(asked).toHaveLength(1);
    await window.go("");
    const recent = page.getByRole("region", { name: "Recent activity" });
    await recent.getByTitle(accessor).first().getByText(NAME).waitFor();
    const { ID } = await at.client.roles.readByName({ name: "made-by-one" });
    await window.go(`access/default/default/roles/${ID}?tab=history`);
    await page.getByText(/^by /).getByRole("link", { name: NAME }).click();
    await page.getByRole("heading", { level: 1, name: NAME }).waitFor();
  });

  it("are AccessorIDs for a token that may not read the actor's token", async () => {
    const rules = 'operator = "read"';
    await at.client.policies.create({ body: { Name: "partition-auditors", Rules: rules } });
    const auditor = await at.client.tokens.create({
      body: { Policies: [{ Name: "partition-auditors" }], Description: "Auditor" },
    });
    const { page } = await at.open(AUDIT, { as: auditor.SecretID });
    const actor = page.locator(`[data-actor="${accessor}"]`).first();
    await expect.poll(async () => actor.textContent()).toBe(`Token ${accessor.slice(0, 8)}`);
    expect(await page.getByText(NAME).count()).toBe(0);
  });
});
