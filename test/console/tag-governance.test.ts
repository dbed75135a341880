/** Coverage of required tag keys, and the effect of a tag policy before it is saved, in a browser. */
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

const ORGANIZATION = "hooli";
const RULES = [{ name: "owners", "required-keys": ["owner"] }];

/** Three workspaces, one with the required key, and one unused tag. */
const at = useConsole({
  async prepare({ client }) {
    const attributes = { name: ORGANIZATION, email: "ops@hooli.example" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
    for (const name of ["web", "db", "queue"]) {
      const body = { data: { type: "workspaces" as const, attributes: { name } } };
      const { data } = await client.workspaces.create({ organization: ORGANIZATION, body });
      if (name !== "web") continue;
      const bound = { data: [{ type: "tag-bindings" as const, attributes: { key: "owner", value: "core" } }] };
      await client.tagBindings.bindWorkspace({ workspace: data.id, body: bound });
    }
    const unused = { data: [{ type: "tags" as const, attributes: { name: "forgotten" } }] };
    await client.tags.create({ organization: ORGANIZATION, body: unused });
    await client.tagPolicies.put({
      organization: ORGANIZATION,
      body: { data: { type: "tag-policies", attributes: { enforce: "advise", rules: RULES } } },
    });
  },
});

inBrowser("tag governance in the console", () => {
  it("says how many workspaces drafted rules would fail, before they are saved", async () => {
    const { page } = await at.open(`org/${ORGANIZATION}/tag-rules/edit`);
    const effect = page.getByRole("region", { name: "Compliance", exact: true });
    await effect.getByText("2 workspaces of 3 would be non-compliant.").waitFor();
    await page.getByRole("combobox", { name: "Required keys" }).fill("cost");
    await page.keyboard.press("Enter");
    await effect.getByText("3 workspaces of 3 would be non-compliant.").waitFor();
    await effect.getByText("1 of these is compliant now.").waitFor();
    expect((await at.client.tagPolicies.read({ organization: ORGANIZATION })).data.attributes.rules).toEqual(RULES);
  });

  it("draws the coverage of a key by day, with a table, and lists it by project", async () => {
    const { page, go } = await at.open(`org/${ORGANIZATION}/tags`);
    const on = (day: string, missing: number) => ({
      id: `${day}/owner`,
      type: "tag-policy-days",
      attributes: { key: "owner", day, workspaces: 3, missing, "without-value": 0, "value-count": 1 },
    });
    const data = [on("2026-06-01", 3), on("2026-06-03", 2)];
    const json = { data, meta: { "is-complete": true, pagination: { "total-count": 2 } } };
    await page.route(/\/tag-policy\/days\?/, (route) =>
      route.fulfill({ json, contentType: "application/vnd.api+json" }),
    );
    await go(`org/${ORGANIZATION}/tag-governance`);
    const chart = page.getByRole("figure", { name: "Coverage of owner by day" });
    await chart.getByText("1 Jun: 0%. 3 Jun: 33%.").waitFor();
    expect(await chart.getByRole("row").allTextContents()).toEqual(["DayWorkspacesMissing", "1 Jun33", "3 Jun32"]);
    // Dates from right to left stay apart from the numbers between them.
    expect(await chart.locator("figcaption bdi").allTextContents()).toEqual(["1 Jun", "3 Jun"]);
    await page.getByRole("link", { name: "All projects by owner" }).click();
    const row = page.getByRole("row").filter({ hasText: "Default Project" });
    await row.getByText("33%").waitFor();
    await row.getByRole("link", { name: "2", exact: true }).click();
    await page.getByRole("link", { name: "queue", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "web", exact: true }).count()).toBe(0);
  });

  it("shows a required key by its values, each a filter, and sets it where it is missing", async () => {
    const { page, go } = await at.open(`org/${ORGANIZATION}/tag-governance`);
    await page.getByRole("link", { name: /^1\s*Unused tags$/ }).waitFor();
    const key = page.getByRole("region", { name: "owner", exact: true });
    await key.getByText("Coverage: 33% of 3 workspaces").waitFor();
    const values = key.getByRole("table", { name: "Values of owner" });
    await values.getByRole("link", { name: "core" }).click();
    await page.getByRole("link", { name: "web", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "db", exact: true }).count()).toBe(0);
    await go(`org/${ORGANIZATION}/tag-governance`);
    await values.getByRole("link", { name: "Missing" }).click();
    await page.getByRole("link", { name: "queue", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "web", exact: true }).count()).toBe(0);
    await go(`org/${ORGANIZATION}/tag-governance`);
    await key.getByText("2 of 3").waitFor();
    await key.getByRole("button", { name: "Set key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Value").fill("platform");
    await dialog.getByRole("button", { name: "Set key" }).click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await key.getByText("Coverage: 100% of 3 workspaces").waitFor();
    await values.getByRole("link", { name: "platform" }).waitFor();
  });
});
