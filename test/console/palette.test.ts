/** The palette: it finds objects of every kind, does what may be done and no more, and tells what failed from what is not there. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";

const at = useConsole({ isSeeded: true });

inBrowser("the palette", () => {
  it("finds objects of every kind, and leads to each", async () => {
    const { page, go } = await at.open("org/acme/tags");
    await page.getByRole("row", { name: /env:production/ }).waitFor();
    const { method, organization, project, reservedKey, role, rule, policy, tag, token, webhook, workspace } =
      at.seeded;
    for (const [text, kind, name, path] of [
      ["stag", "Tag", "stage", `org/acme/tags/${tag}`],
      ["web-check", "Workspace", "web-checkout", `org/acme/workspaces/${workspace}`],
      ["paym", "Project", "Payments", `org/acme/projects/${project}`],
      ["cost-c", "Reserved key", "cost-center", `org/acme/reserved-tag-keys/${reservedKey}`],
      ["invent", "Webhook", "inventory", `org/acme/tag-webhooks/${webhook}`],
      ["acm", "Organization", organization, "org/acme/settings"],
      ["okafor, desk", "Token", "Amara Okafor, desk and laptop", `${SCOPE}/tokens/${token}`],
      ["web-dep", "Policy", "web-deploy", `${SCOPE}/policies/${policy}`],
      ["web-te", "Role", "web-team", `${SCOPE}/roles/${role}`],
      ["our pipe", "Auth method", "Our pipelines", `${SCOPE}/auth-methods/${method}`],
      ["of the shop", "Binding rule", "Deployments of the shop", `${SCOPE}/binding-rules/${rule}`],
      ["paym", "Namespace", "payments", `${SCOPE}/namespaces/payments`],
      ["subsid", "Partition", "subsidiary", "partitions/subsidiary"],
      ["builtin/s", "Templated policy", "builtin/service", `${SCOPE}/templated-policies/builtin%2Fservice`],
    ] as const) {
      const palette = await ask(page, text);
      await entry(palette, name, kind).click();
      await expect.poll(() => new URL(page.url()).pathname, { message: `${kind} ${name}` }).toBe(`/ui/${path}`);
      await palette.waitFor({ state: "detached" });
    }
    // An object in another namespace opens there.
    await go("access/default/*/tokens");
    await entry(await ask(page, "nightly inv"), "Nightly invoices", "Token").click();
    await expect.poll(() => page.url()).toContain("/access/default/payments/tokens/");
  });

  it("does what can be done with what is open: edit, duplicate, delete, ask why", async () => {
    const { page, go } = await at.open();
    const role = `${SCOPE}/roles/${at.seeded.role}`;
    for (const [text, title, path] of [
      ["edit role web", "Edit role web-team", `${role}/edit`],
      ["duplicate", "Duplicate role web-team", `${SCOPE}/roles/new?from=${at.seeded.role}`],
      ["check access of", "Check access of role web-team", `${SCOPE}/why?as=role&of=${at.seeded.role}`],
    ] as const) {
      await go(role);
      await page.getByRole("link", { name: "Edit" }).waitFor();
      await entry(await ask(page, text), title).click();
      await expect.poll(() => page.url()).toBe(`${at.url}/ui/${path}`);
    }
    await go(role);
    await page.getByRole("link", { name: "Edit" }).waitFor();
    await entry(await ask(page, "delete"), "Delete role web-team").waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /Delete role web-team/ });
    await dialog.locator(":focus").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // The palette offers nothing of a page that was left.
    await go(`org/acme/tags/${at.seeded.tag}`);
    await page.getByRole("button", { name: "Rename" }).waitFor();
    const palette = await ask(page, "tag stage");
    expect((await here(palette)).sort()).toEqual([
      "Add tag stage to workspaces",
      "Delete tag stage",
      "Merge tag stage into another",
      "Rename tag stage",
    ]);
    await page.keyboard.press("Escape");
    await go(`org/acme/workspaces/${at.seeded.workspace}`);
    await page.getByRole("button", { name: "Lock" }).waitFor();
    expect((await here(await ask(page, "web-checkout"))).sort()).toEqual([
      "Delete workspace web-checkout",
      "Edit workspace web-checkout",
      "Lock workspace web-checkout",
      "Who can change workspace web-checkout?",
    ]);
  });

  it("switches the scope, the organization and the colour scheme, helps, and signs out", async () => {
    await at.client.organizations.create({
      body: { data: { type: "organizations", attributes: { name: "umbrella", email: "ops@umbrella.example" } } },
    });
    const { page } = await at.open(`${SCOPE}/roles`);
    for (const [text, title, path] of [
      ["switch payments", "Switch to namespace payments", "access/default/payments/roles"],
      ["switch all", "Switch to all namespaces", "access/default/*/roles"],
      ["subsid", "Switch to partition subsidiary", "access/subsidiary/default/roles"],
      ["switch acme", "Switch to organization acme", "org/acme/tags"],
      ["umbr", "Switch to organization umbrella", "org/umbrella/tags"],
    ] as const) {
      await entry(await ask(page, text), title).click();
      await expect.poll(() => decodeURIComponent(new URL(page.url()).pathname)).toBe(`/ui/${path}`);
    }
    await entry(await ask(page, "color dark"), "Color scheme: dark").click();
    await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
    await entry(await ask(page, "help"), "Help and keyboard shortcuts").click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // Also while one writes, and a second time.
    await page.getByPlaceholder("Search tags").focus();
    await entry(await ask(page, "log out"), "Sign out").click();
    await page.locator("[type=password]").waitFor();
  });

  it("offers nothing that the token may not do, wherever one is", async () => {
    await at.client.policies.create({
      body: { Name: "of-acme", Rules: 'organization "acme" { policy = "write" } acl = "read"' },
    });
    const writer = await at.client.tokens.create({ body: { Policies: [{ Name: "of-acme" }] } });
    const { page, go } = await at.open(undefined, { as: writer.SecretID });
    for (const path of [`org/acme/tags/${at.seeded.tag}`, `${SCOPE}/roles/${at.seeded.role}`]) {
      await go(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const made = await ask(page, "new");
      await entry(made, "New workspace").waitFor();
      const all = await titles(made);
      expect(all).toContain("New tags");
      expect(
        all.filter((title) => /role|token|policy|method|rule|namespace|partition|organization/.test(title)),
      ).toEqual([]);
      await page.keyboard.press("Escape");
      await made.waitFor({ state: "detached" });
    }
    expect(await here(await ask(page, "role web"))).toEqual(["Check access of role web-team"]);
  });

  it("says what could not be looked in, which is not the same as nothing, and looks again when told to", async () => {
    const { page } = await at.open("org/acme/tags");
    await page.getByRole("row", { name: /env:production/ }).waitFor();
    // Away until the button is pressed: the palette also looks again by itself.
    await page.evaluate("addEventListener('click', () => { globalThis.isClicked = true; }, true)");
    await page.route(/\/organizations\/acme\/tags\?q=stag/, async (route) =>
      (await page.evaluate("globalThis.isClicked"))
        ? route.continue()
        : route.fulfill({ status: 503, contentType: "application/vnd.api+json", body: "{}" }),
    );
    const palette = await ask(page, "stagi");
    const alert = palette.getByRole("alert");
    await alert.getByText("Could not search tags: Server not ready").waitFor();
    expect(await palette.getByText("No results").count()).toBe(0);
    await alert.getByRole("button", { name: "Retry" }).click();
    await entry(palette, "env:staging", "Tag").waitFor();
    expect(await alert.count()).toBe(0);
    await palette.getByLabel("Search everything").fill("nobody-has-this");
    await palette.getByText("No results").waitFor();
  });

  it("shows nothing that was found by other letters, and chooses by Enter what is marked, though more comes", async () => {
    const { page } = await at.open("org/acme/tags");
    await page.getByRole("row", { name: /env:production/ }).waitFor();
    const palette = await ask(page, "web-check");
    await entry(palette, "web-checkout", "Workspace").waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/organizations\/acme\/(tags|workspaces)\?/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    const field = palette.getByLabel("Search everything");
    // It would be found by this too, and is not there before it is.
    await field.fill("web-chec");
    await palette.getByText("Searching…").waitFor();
    expect(await palette.getByText("web-checkout").count()).toBe(0);
    await field.fill("project");
    await entry(palette, "Projects", "Groups of workspaces with common tag keys").waitFor();
    expect(await palette.locator("[data-selected]").textContent()).toContain("Projects");
    await page.unroute(/\/organizations\/acme\/(tags|workspaces)\?/);
    release();
    await expect.poll(async () => palette.getByText("Searching…").count()).toBe(0);
    await expect.poll(async () => palette.locator("[data-selected]").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("/org/acme/projects");
  });
});

/** Opens it, and types. */
async function ask(page: Page, text: string): Promise<Locator> {
  // Before that no key is heard.
  await page.getByRole("button", { name: "Search everything" }).waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog").filter({ has: page.getByPlaceholder("Search or run a command") });
  await palette.getByLabel("Search everything").fill(text);
  return palette;
}

/** An entry by its name, and the line below it. */
function entry(palette: Locator, title: string, about = ""): Locator {
  return palette.getByRole("button", { name: about === "" ? title : `${title} ${about}`, exact: true }).first();
}

async function titles(palette: Locator): Promise<string[]> {
  return palette.locator("[data-action] span.mantine-Spotlight-actionLabel").allTextContents();
}

/** Actions that the palette offers for the page itself. */
async function here(palette: Locator): Promise<string[]> {
  const group = palette.locator(".mantine-Spotlight-actionsGroup").first();
  return group.locator(".mantine-Spotlight-actionLabel").allTextContents();
}
