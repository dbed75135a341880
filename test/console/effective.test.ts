/** Effective permissions on the pages of tokens, roles, auth methods and namespaces. */
import { expect, it } from "vitest";
import { faultsOf } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

let writer = "";
let reader = "";
let before = "";

const at = useConsole({
  own: () => ({}),
  async prepare({ client }) {
    const rules = { write: 'key_prefix "app/" { policy = "write" }\nkey "app/secret" { policy = "deny" }' };
    const { ID: write } = await client.policies.create({ body: { Name: "app-writers", Rules: rules.write } });
    const { ID: read } = await client.policies.create({
      body: { Name: "app-readers", Rules: 'key_prefix "app/" { policy = "read" }' },
    });
    const { ID: role } = await client.roles.create({ body: { Name: "writers", Policies: [{ ID: write }] } });
    writer = (await client.tokens.create({ body: { Description: "writer", Roles: [{ ID: role }] } })).AccessorID;
    reader = (await client.tokens.create({ body: { Description: "reader", Policies: [{ ID: read }] } })).AccessorID;
    const [record] = await client.audit.list({ "page-size": 1 }).all();
    before = String(record?.Time);
    await client.tokens.update({ accessor: reader, body: { Policies: [] } });
  },
});

const PATH = "access/default/default";

inBrowser("effective permissions", () => {
  it("show each name with what is allowed, the policy and its line", async () => {
    const { page } = await at.open(`${PATH}/tokens/${writer}?tab=effective`);
    const row = page.getByRole("row", { name: /app\/secret/ });
    await row.waitFor();
    expect(await row.getByRole("img", { name: "Denied" }).count()).toBe(4);
    expect(await row.textContent()).toContain("app-writers line 2, through role writers");
    expect(
      await page
        .getByRole("row", { name: /app\/\*/ })
        .getByRole("img", { name: "Allowed" })
        .count(),
    ).toBe(3);
    expect(await faultsOf(page, "the table")).toEqual([]);
    await row.getByRole("link", { name: "app-writers" }).click();
    await page.getByRole("heading", { level: 1, name: "app-writers" }).waitFor();
  });

  it("show why one may and the other may not, and what they could do at an earlier time", async () => {
    const { page, go } = await at.open(`${PATH}/tokens/${writer}?tab=effective&with=accessor:${reader}`);
    await page.getByText("Differs").first().waitFor();
    expect(await page.getByText("Default policy", { exact: true }).count()).toBeGreaterThan(0);
    await go(`${PATH}/tokens/${reader}?tab=effective`);
    await page.getByText("No permissions.").waitFor();
    await go(`${PATH}/tokens/${reader}?tab=effective&at=${before}`);
    await page.getByText(/^Permissions at .*, from audit records\.$/).waitFor();
    await page
      .getByRole("row", { name: /app\/\*/ })
      .getByText("app-readers")
      .waitFor();
    await page.getByRole("button", { name: "Show current permissions" }).click();
    await page.getByText("No permissions.").waitFor();
    await go(`${PATH}/tokens/${reader}?tab=effective&at=2020-01-01T00:00:00.000Z`);
    await page.getByText(/The earliest audit record is from/).waitFor();
  });

  it("are on the pages of roles and namespaces too", async () => {
    const { page, go } = await at.open(`${PATH}/namespaces/default?tab=effective`);
    await page.getByText("No permissions.").waitFor();
    await go(`${PATH}/roles`);
    await page.getByRole("link", { name: "writers", exact: true }).click();
    await page.getByRole("tab", { name: "Effective permissions" }).click();
    await page.getByRole("row", { name: /app\/secret/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("effective");
  });
});
