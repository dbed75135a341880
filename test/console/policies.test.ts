/** The editor of policies in a browser: what it completes, who loses what by a change, and how long a text may be. */
import { describe, expect, it } from "vitest";
import {
  ALL_KINDS,
  ASKED_RESOURCES,
  accessesOf,
  askedAccessesOf,
} from "../../console/src/screens/policies/rule-kinds.ts";
import { KINDS, parseRules } from "../../src/rights/rules/parse.ts";
import { ACCESSES } from "../../src/rights/rules/rule.ts";
import { faultsOf } from "./looks.ts";
import { typeRules } from "./draft-rules.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

describe("the words that the editor offers", () => {
  it("are those that the server knows", () => {
    expect([...ALL_KINDS].sort()).toEqual([...KINDS.keys()].sort());
    for (const [name, kind] of KINDS) {
      const given = ["read", "list", "write", "deny"].filter((access) => isRead(name, kind.form, access));
      expect([name, accessesOf(name)]).toEqual([name, given]);
    }
    expect(ASKED_RESOURCES).toEqual([...ACCESSES.keys()].sort());
    for (const [resource, accesses] of ACCESSES) expect(askedAccessesOf(resource)).toEqual(accesses);
  });
});

const at = useConsole({ isSeeded: true });

inBrowser("the editor of policies", () => {
  it("completes kinds, names of what there is, and accesses", async () => {
    const { page } = await at.open("access/default/default/policies/new");
    await page.locator(".cm-content").click();
    const offered = page.locator(".cm-tooltip-autocomplete");
    await page.keyboard.type("workspace");
    await offered.getByText("workspace_prefix").waitFor();
    await page.keyboard.type(' "acme/web-se');
    // By a click: right after the list has changed, Enter is a new line.
    await offered.getByText("acme/web-search").click();
    await page.keyboard.press("End");
    await page.keyboard.type(' { policy = "');
    await offered.getByText("deny").waitFor();
    expect(await page.locator(".cm-line").first().textContent()).toContain('workspace "acme/web-search" { policy = "');
  });

  it("says before a change is saved who loses what by it", async () => {
    const { page } = await at.open(`access/default/default/policies/${at.seeded.policy}/edit`);
    await typeRules(page, 'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n');
    const effect = page.getByRole("region", { name: "Impact" });
    await effect.getByText("Lose permissions:").waitFor();
    expect(await effect.textContent()).toMatch(/Lose permissions:.*13 tokens, 1 role/);
    expect(await effect.textContent()).toContain("service web*write → deny");
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await page.getByRole("heading", { level: 1, name: "web-deploy" }).waitFor();
    // The editor has the same heading.
    await expect
      .poll(() => api(`/v1/acl/policy/${at.seeded.policy}`))
      .toMatchObject({
        Rules: 'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n',
      });
  });

  it("edits fifty thousand lines without standing still, and saves them", async () => {
    const rule = (index: number) => `key "k/${index}" {\n  policy = "read"\n}\n`;
    const Rules = Array.from({ length: 12_500 }, (_none, index) => rule(index)).join("\n");
    expect(Rules.split("\n").length).toBeGreaterThanOrEqual(50_000);
    const { ID: id } = await at.client.policies.create({ body: { Name: "long", Rules } });
    const { page } = await at.open(`access/default/default/policies/${id}/edit`);
    await page.locator(".cm-content[contenteditable=true]").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText('acl = "rite"\n');
    await page.getByRole("list", { name: "Errors and warnings" }).getByText("Error:").waitFor();
    expect(await page.locator(".cm-line").count()).toBeLessThan(500);
    expect(await page.locator(".cm-line").first().textContent()).toContain('acl = "rite"');
    expect(await faultsOf(page, "a long policy")).toEqual([]);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.insertText("# first");
    await page.getByText("No errors, no warnings.").waitFor();
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await title(page, "long");
    expect((await at.client.policies.read({ id })).Rules === `# first\n${Rules}`).toBe(true);
  });
});

/** Whether the server reads a rule of this kind that gives that. */
function isRead(name: string, form: string, access: string): boolean {
  try {
    parseRules(form === "scalar" ? `${name} = "${access}"` : `${name} "x" { policy = "${access}" }`);
    return true;
  } catch {
    return false;
  }
}

/** Asks the API as the first management token; with a body it writes. */
async function api(path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${at.token}`, "content-type": "application/json" };
  const write = body === undefined ? {} : { method: "PUT", body: JSON.stringify(body) };
  const response = await fetch(`${at.url}${path}`, { headers, ...write });
  expect(response.status).toBe(200);
  return response.json();
}
