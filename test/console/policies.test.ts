/** Policies in a browser: written with a mistake and mended, changed after it was said who loses what; and why a request was refused. */
import type { Browser } from "playwright-core";
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ALL_KINDS,
  ASKED_RESOURCES,
  accessesOf,
  askedAccessesOf,
} from "../../console/src/screens/policies/rule-kinds.ts";
import { KINDS, parseRules } from "../../src/acl/rules/parse.ts";
import { ACCESSES } from "../../src/acl/rules/rule.ts";
import { HAS_BROWSER, openBrowser, openConsole, openWindow, signIn, type OpenedConsole, type Window } from "./open.ts";
import { askOfDraft, typeRules } from "./pages.ts";
import { seed, type Seeded } from "./seed.ts";

let opened: OpenedConsole;
let browser: Browser;
let seeded: Seeded;

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

describe.skipIf(!HAS_BROWSER)("policies and why, in the console", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    opened = await openConsole();
    seeded = await seed(opened.url, opened.token);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await opened.close();
  });

  it("shows a mistake at its place, answers questions about the draft, and saves it when it is mended", async () => {
    const { page, context, faults, go } = await signedIn();
    await go("access/default/default/policies/new");
    await page.getByLabel("Name", { exact: true }).first().fill("mended");
    await typeRules(page, 'organisation "acme" {\n  policy = "read"\n}\n');
    const findings = page.getByRole("list", { name: "Errors and warnings" });
    await findings.getByText("Did you mean").waitFor();
    expect(await findings.textContent()).toContain("1:1");
    await page.locator(".cm-lintRange-warning").waitFor();
    await typeRules(page, 'workspace "acme/web-search" {\n  policy = "rite"\n}\n');
    await findings.getByText("Error:").waitFor();
    await typeRules(page, 'workspace "acme/web-search" {\n  policy = "write"\n}\n');
    await page.getByText("No errors, no warnings.").waitFor();
    await askOfDraft(page, "write", "acme/web-search");
    const questions = page.getByRole("region", { name: "Questions about this draft" });
    await questions.getByText("Yes").waitFor();
    await typeRules(page, 'workspace "acme/web-search" {\n  policy = "read"\n}\n');
    await questions.getByText("No", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Create policy" }).click();
    await page.getByRole("heading", { level: 1, name: "mended" }).waitFor();
    const stored = await api("/v1/acl/policy/name/mended");
    expect(stored).toMatchObject({ Rules: 'workspace "acme/web-search" {\n  policy = "read"\n}\n' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("completes kinds, names of what there is, and accesses", async () => {
    const { page, context, faults, go } = await signedIn();
    await go("access/default/default/policies/new");
    await page.locator(".cm-content").click();
    const offered = page.locator(".cm-tooltip-autocomplete");
    await page.keyboard.type("workspace");
    await offered.getByText("workspace_prefix").waitFor();
    await page.keyboard.type(' "acme/web-se');
    await offered.getByText("acme/web-search").waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type(' { policy = "');
    await offered.getByText("deny").waitFor();
    expect(await page.locator(".cm-line").first().textContent()).toContain('workspace "acme/web-search" { policy = "');
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says before a change is saved who loses what by it", async () => {
    const { page, context, faults, go } = await signedIn();
    await go(`access/default/default/policies/${seeded.policy}/edit`);
    await typeRules(page, 'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n');
    const effect = page.getByRole("region", { name: "Who gains and who loses" });
    await effect.getByText("Lose something:").waitFor();
    expect(await effect.textContent()).toMatch(/Lose something:.*13 tokens, 1 role/);
    await effect.getByRole("link", { name: "web-team" }).first().waitFor();
    expect(await effect.textContent()).toContain("write service web*");
    await page.getByRole("button", { name: "Save changes (1)" }).click();
    await page.getByRole("heading", { level: 1, name: "web-deploy" }).waitFor();
    expect(await api(`/v1/acl/policy/${seeded.policy}`)).toMatchObject({
      Rules: 'workspace_prefix "acme/web-" {\n  policy = "write"\n}\n',
    });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("leads from the ID of a refused request to what would allow it, as a draft in the editor", async () => {
    const made = (await api("/v1/acl/token", { Description: "<script>alert(1)</script> 🦊 שלום" })) as {
      AccessorID: string;
      SecretID: string;
    };
    const refused = await fetch(`${opened.url}/v1/acl/policy/${seeded.policy}`, {
      headers: { authorization: `Bearer ${made.SecretID}` },
    });
    expect(refused.status).toBe(403);
    const id = refused.headers.get("x-request-id") ?? "";
    const { page, context, faults, go } = await signedIn();
    await go(`why?request=${id}`);
    await page.getByRole("heading", { name: "No, it may not" }).waitFor();
    const wanted = page.getByRole("region", { name: "What would allow it" });
    expect(await wanted.locator("pre").textContent()).toContain('acl = "read"');
    await wanted.getByRole("link", { name: "Open as a new policy" }).click();
    await page.getByRole("heading", { level: 1, name: "New policy" }).waitFor();
    expect(await page.locator(".cm-content").textContent()).toContain('acl = "read"');
    await go("access/default/default/why");
    await page.getByRole("combobox", { name: "Token", exact: true }).fill("<script>");
    await page.getByRole("option", { name: /<script>alert\(1\)<\/script> 🦊/ }).click();
    await page.getByRole("combobox", { name: "Name" }).fill("acme/web-search");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByRole("heading", { name: "No, it may not" }).waitFor();
    await go("access/default/default/why?tab=who&access=write&resource=workspace&name=acme/web-search");
    const who = page.getByRole("list", { name: "Who may" });
    await who.getByRole("link", { name: "web-team" }).first().waitFor();
    expect(await who.getByRole("listitem").count()).toBeGreaterThan(10);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("edits fifty thousand lines without standing still", async () => {
    const line = (index: number) => `key "k${index}" { policy = "read" }`;
    const rules = Array.from({ length: 10_000 }, (_, index) => `${line(index)}\n\n\n\n\n`).join("");
    expect(rules.split("\n").length).toBeGreaterThan(50_000);
    const { ID } = (await api("/v1/acl/policy", { Name: "long", Rules: rules })) as { ID: string };
    const { page, context, faults, go } = await signedIn();
    await go(`access/default/default/policies/${ID}/edit`);
    await page.locator(".cm-content[contenteditable=true]").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type('acl = "rite"\n');
    await page.getByRole("list", { name: "Errors and warnings" }).getByText("Error:").waitFor();
    expect(await page.locator(".cm-line").count()).toBeLessThan(500);
    const first = await page.locator(".cm-line").first().textContent();
    expect(first).toContain('acl = "rite"');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
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

async function signedIn(): Promise<Window> {
  const window = await openWindow(browser, opened.url);
  await window.go("");
  await signIn(window, opened.token);
  return window;
}

/** Asks the API as the first management token; with a body it writes. */
async function api(path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${opened.token}`, "content-type": "application/json" };
  const write = body === undefined ? {} : { method: "PUT", body: JSON.stringify(body) };
  const response = await fetch(`${opened.url}${path}`, { headers, ...write });
  expect(response.status).toBe(200);
  return response.json();
}
