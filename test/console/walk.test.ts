/** One quick walk through the whole console, as somebody does who has just put up a server: the only file of the console in `npm test`. */
import { generateKeyPairSync } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { more, option, text } from "./forms.ts";
import { faultsOf } from "./looks.ts";
import { signIn, type Window } from "./open.ts";
import { typeRules } from "./draft-rules.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";
const ORG = "org/walked";

interface Family {
  /** Path of its list, below `/ui/`. */
  readonly path: string;
  readonly plural: string;
  /** Texts of the form by their labels, the first of them its name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Chooses values without which these texts are not shown. */
  prepare?(page: Page): Promise<void>;
  fillMore?(page: Page): Promise<void>;
  readonly create: string;
  /** The label of what is edited. */
  readonly edited?: string;
  /** Opens the dialog that deletes; by the menu when left out. */
  remove?(page: Page): Promise<void>;
}

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const Config = { JWTValidationPubKeys: [publicKey.export({ type: "spki", format: "pem" })] };

/** Some kinds of each family of objects; test/console/forms.test.ts has them all. */
const FAMILIES: readonly Family[] = [
  { path: `${SCOPE}/tokens`, plural: "Tokens", texts: { Description: "walked" }, create: "Create token" },
  {
    path: `${SCOPE}/policies`,
    plural: "Policies",
    texts: { Name: "walked" },
    fillMore: async (page) => typeRules(page, 'key "a" {\n  policy = "read"\n}\n'),
    create: "Create policy",
  },
  { path: `${SCOPE}/roles`, plural: "Roles", texts: { Name: "walked" }, create: "Create role" },
  {
    path: `${SCOPE}/auth-methods`,
    plural: "Auth methods",
    prepare: async (page) => option(page, "Identity provider", "Advanced (JSON)"),
    texts: { Name: "walked", Configuration: JSON.stringify(Config), "Token TTL": "15m" },
    create: "Create auth method",
  },
  { path: `${SCOPE}/namespaces`, plural: "Namespaces", texts: { Name: "walked" }, create: "Create namespace" },
  { path: `${ORG}/projects`, plural: "Projects", texts: { Name: "walked" }, create: "Create project" },
  {
    path: `${ORG}/workspaces`,
    plural: "Workspaces",
    texts: { Name: "walked-1" },
    create: "Create workspace",
    remove: async (page) => page.getByRole("button", { name: "Delete", exact: true }).click(),
  },
  {
    path: `${ORG}/tag-webhooks`,
    plural: "Webhooks",
    texts: { Name: "walked", URL: "https://hooks.walked.example/tags" },
    create: "Create webhook",
    edited: "Name",
  },
];

const at = useConsole();

inBrowser("a walk through the console", () => {
  let window: Window;
  beforeAll(async () => {
    window = await at.openForAll();
  });

  it("begins with signing in, at Home", async () => {
    await window.go("");
    await window.page.getByRole("heading", { level: 1 }).waitFor();
    await signIn(window, at.token);
    await window.page.getByRole("region", { name: "This server is ready" }).waitFor();
    await expectNoFaults("Home");
  });

  it("makes an organization, and tags in it", async () => {
    const { page } = window;
    await window.follow("organizations/new");
    await text(page, "Name", "walked");
    await text(page, "Email", "ops@walked.example");
    await page.getByRole("button", { name: "Create organization" }).click();
    await title(page, "walked");
    await window.follow(`${ORG}/tags/new`);
    await page.getByRole("textbox", { name: "Names" }).fill("first\nsecond");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("link", { name: "second" }).waitFor();
    await expectNoFaults("tags");
  });

  it.each(FAMILIES)("goes on through $plural: one is made, edited after a diff, found and deleted", async (family) => {
    const { path, plural, prepare, texts, fillMore, create, edited = "Description", remove } = family;
    const { page } = window;
    await window.follow(`${path}/new`);
    await prepare?.(page);
    for (const [label, value] of Object.entries(texts)) await text(page, label, value);
    await fillMore?.(page);
    await page.getByRole("button", { name: create }).click();
    if (plural === "Tokens") await page.getByRole("button", { name: "I saved the secret" }).click();
    const [name = ""] = Object.values(texts);
    await title(page, name);
    if (plural === "Policies") await expectNoFaults("a policy");
    await page.getByRole("link", { name: "Edit" }).click();
    await text(page, edited, `${name}-later`);
    const changes = page.getByRole("region", { name: "Changes", exact: true });
    await expect.poll(async () => changes.textContent()).toContain(`${name}-later`);
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    const now = edited in texts ? `${name}-later` : name;
    await title(page, now);
    await window.follow(path);
    await page.getByRole("link", { name: now, exact: true }).click();
    await title(page, now);
    await (remove?.(page) ?? more(page, "Delete"));
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).waitFor();
    // The dialog asks for the name if other objects are deleted too.
    const typed = dialog.getByRole("textbox", { name: /^Type .* to confirm$/ });
    if ((await typed.count()) > 0) await typed.fill(now);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await title(page, plural);
    await expect.poll(async () => page.getByRole("link", { name: now, exact: true }).count()).toBe(0);
  });

  it("deletes a tag after it was shown what that changes", async () => {
    const { page } = window;
    await window.follow(`${ORG}/tags`);
    await page.getByRole("link", { name: "second" }).click();
    await title(page, "second");
    await more(page, "Delete");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/would change/).waitFor();
    await expectNoFaults("a dialog");
    await dialog.getByRole("button", { name: "Delete" }).click();
    const left = async () => (await at.client.tags.list({ organization: "walked" }).all()).length;
    await expect.poll(left).toBe(1);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("asks why, and reads what was done", async () => {
    const { page } = window;
    await window.follow(`${SCOPE}/why`);
    await page.getByRole("combobox", { name: "Token" }).fill("Anonymous");
    await page.getByRole("option", { name: /^Anonymous Token/ }).click();
    await page.getByRole("combobox", { name: "Name" }).fill("walked/any");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    await expectNoFaults("why");
    await window.follow(`${ORG}/audit?kind=project&action=delete`);
    await page.getByRole("button", { name: /deleted project walked/ }).waitFor();
  });

  it("ends by the palette: it finds the organization, which is deleted, and signs out", async () => {
    const { page } = window;
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog");
    await palette.getByLabel("Search everything").fill("walk");
    await expectNoFaults("palette");
    await palette.getByRole("button", { name: "walked Organization", exact: true }).click();
    await title(page, "walked");
    await more(page, "Delete");
    await page.getByRole("dialog").getByLabel("Type walked to confirm").fill("walked");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title(page, "Organizations");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: /Sign out/ }).click();
    await page.locator("[type=password]").waitFor();
    await window.settled();
  });

  async function expectNoFaults(name: string): Promise<void> {
    await window.settled();
    expect(await faultsOf(window.page, name)).toEqual([]);
  }
});
