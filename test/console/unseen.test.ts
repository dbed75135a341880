/** Tests that invisible characters are shown, and that missing objects are reported as missing. */
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

/** Draws what stands behind it from the right to the left; without width; the same, to its end. */
const [OVERRIDE, NO_WIDTH, ISOLATE] = ["\u202e", "\u200b", "\u2067"];

const rules = `key_prefix "a/" {\n  policy = "read" # ${OVERRIDE} } "b" yek ${ISOLATE}\n}\nkey "x${NO_WIDTH}y" {\n  policy = "write"\n}\n`;
let policy = "";
let stranger = "";

const at = useConsole({
  async prepare({ client }) {
    policy = (await client.policies.create({ body: { Name: "turned", Rules: rules } })).ID;
    const made = await client.tokens.create({ body: { Description: `report${OVERRIDE}gnp.exe` } });
    stranger = made.SecretID;
    const attributes = { name: "acme", email: "a@acme.example" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  },
});

inBrowser("the console", () => {
  it("marks what turns the direction of text, or has no width, in rules, their history and names", async () => {
    const { page, go } = await at.open(`access/default/default/policies/${policy}`);
    await expect.poll(async () => page.locator(".cm-specialChar").count()).toBe(3);
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText('key "x‹U+200B›y"').waitFor();
    await page.getByText("‹U+202E› } ", { exact: false }).first().waitFor();
    await go("access/default/default/tokens");
    await page.getByRole("link", { name: "report‹U+202E›gnp.exe" }).click();
    await page.getByRole("heading", { level: 1, name: "report‹U+202E›gnp.exe" }).waitFor();
  });

  it("says of a namespace, an ID and an order that there is none, and leads on", async () => {
    const { page, go } = await at.open("access/default/nope/tokens");
    await page.getByText("Namespace not found: nope").waitFor();
    await page.getByRole("link", { name: "Show all namespaces" }).click();
    await page.getByRole("heading", { level: 1, name: "Namespaces" }).waitFor();
    await go("access/default/default/tokens/no-uuid");
    await page.getByText("The object does not exist, or your token cannot read it.").waitFor();
    await go("access/default/default/tokens?sort=Bogus");
    await page.getByRole("button", { name: "Reset list" }).click();
    await page.getByRole("link", { name: /^report/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("sort") ?? "").toBe("");
  });

  it("offers no screens of an organization that was asked for and is not seen", async () => {
    const { page, go } = await at.open("org/acme/workspaces", { as: stranger });
    await page.getByRole("heading", { level: 1, name: "Workspaces" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Not found" }).waitFor();
    await go("");
    const screens = page.getByRole("navigation", { name: "Screens" });
    await screens.getByRole("link", { name: "Organizations", exact: true }).waitFor();
    await expect.poll(async () => screens.getByRole("link", { name: "Workspaces" }).count()).toBe(0);
  });
});
