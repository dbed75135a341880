/** Drawings of access and charts, with the keys and the mouse. */
import { expect, it } from "vitest";
import { faultsOf } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

let policy = "";

const at = useConsole({
  own: () => ({}),
  async prepare({ client }) {
    policy = (
      await client.policies.create({ body: { Name: "deploy", Rules: 'key_prefix "app/" { policy = "write" }' } })
    ).ID;
    const { ID: role } = await client.roles.create({ body: { Name: "deployers", Policies: [{ ID: policy }] } });
    for (const name of ["one", "two"])
      await client.tokens.create({ body: { Description: name, Roles: [{ ID: role }] } });
    await client.tokens.create({ body: { Description: "soon", Policies: [{ ID: policy }], ExpirationTTL: "12h" } });
  },
});

const PATH = "access/default/default";

inBrowser("drawings and charts", () => {
  it("a policy shows the tokens at the end of its roles, as links and as a list", async () => {
    const { page } = await at.open(`${PATH}/policies/${policy}?tab=uses`);
    const drawing = page.getByRole("figure", { name: "Objects that lead to deploy" });
    await drawing.waitFor();
    await page.getByText("Used by 1 token and 1 role, and by 2 tokens through roles.").waitFor();
    expect(await drawing.getByRole("listitem").filter({ hasText: "with role deployers" }).last().textContent()).toBe(
      "2 tokenswith role deployers, leads to deployers",
    );
    expect(await faultsOf(page, "the drawing")).toEqual([]);
    await drawing.getByRole("link", { name: "2 tokens" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    await page.getByText("2 tokens", { exact: true }).waitFor();
  });

  it("a bar of Tokens filters the list, and again shows all", async () => {
    const { page } = await at.open(`${PATH}/tokens`);
    const bar = page
      .getByRole("figure", { name: "Expires within" })
      .getByRole("button", { name: /within 1 d: Tokens 1$/ });
    await bar.click();
    await page.getByText("1 token", { exact: true }).waitFor();
    await page.getByRole("link", { name: "soon" }).waitFor();
    expect(await bar.getAttribute("aria-pressed")).toBe("true");
    expect(await faultsOf(page, "the chosen bar")).toEqual([]);
    await bar.click();
    await page.getByRole("link", { name: "one" }).waitFor();
  });
});
