/** The impact of a change before it is saved: grouped, with all of its subjects, as a file, and with a reason. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { faultsOf } from "./looks.ts";
import { typeRules } from "./draft-rules.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const at = useConsole({ isSeeded: true, own: () => ({ args: ["--impact-reason", "5"] }) });

inBrowser("the impact of a change", () => {
  it("is grouped by change, opens to its subjects, and is exported whole", async () => {
    const { page } = await at.open(`access/default/default/policies/${at.seeded.policy}/edit`);
    await typeRules(page, 'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n');
    const impact = page.getByRole("region", { name: "Impact" });
    const change = impact.getByRole("button", { name: "service web* write → deny 13 tokens, 1 role" });
    await change.focus();
    await page.keyboard.press("Enter");
    const subjects = impact.getByRole("list", { name: "Affected tokens, roles and binding rules" });
    await subjects.getByRole("link", { name: "web-team" }).waitFor();
    expect(await subjects.getByRole("link").count()).toBe(14);
    expect(await faultsOf(page, "the impact of a policy")).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      impact.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines[0]).toContain("resource,name,prefix");
    expect(lines.filter((line) => /^service,web,true,.*,write,deny,(token|role),/.test(line))).toHaveLength(14);
  });

  it("requires a reason above the threshold, which the history shows", async () => {
    const { page } = await at.open(`access/default/default/policies/${at.seeded.policy}/edit`);
    await typeRules(page, 'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n');
    // Straight away: the impact is not known yet.
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await page.getByText("Enter a reason").waitFor();
    await expect.poll(async () => page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
    await page.keyboard.type("Web services move to another cluster");
    await page.getByRole("tab", { name: "tessera", exact: true }).click();
    expect(await page.getByLabel("tessera", { exact: true }).last().textContent()).toContain("--reason");
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await title(page, "web-deploy");
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("Reason: Web services move to another cluster").waitFor();
    await page.goto(`${at.url}/ui/access/default/default/audit`);
    await page
      .getByRole("button", { name: /web-deploy/ })
      .first()
      .click();
    await page.getByText("Web services move to another cluster").waitFor();
  });

  it("is shown before a delete, with a reason", async () => {
    const { page } = await at.open(`access/default/default/roles/${at.seeded.role}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("button", { name: /write → deny/ })
      .first()
      .waitFor();
    await dialog.getByLabel("Reason").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByText("Enter a reason").waitFor();
    expect(await faultsOf(page, "a delete with an impact")).toEqual([]);
    await dialog.getByLabel("Reason").fill("The team has a new role");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Roles" }).waitFor();
  });
});
