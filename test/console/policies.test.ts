/** The editor of policies in a browser: what it completes, who loses what by a change, and how long a text may be. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ALL_KINDS,
  ASKED_RESOURCES,
  accessesOf,
  askedAccessesOf,
} from "../../console/src/screens/policies/rule-kinds.ts";
import { KINDS, parseRules } from "../../src/acl/rules/parse.ts";
import { ACCESSES } from "../../src/acl/rules/rule.ts";
import { HAS_BROWSER, openBrowser, openConsole, openSignedIn, type OpenedConsole, type Window } from "./open.ts";
import { faultsOf } from "./looks.ts";
import { typeRules } from "./pages.ts";
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

describe.skipIf(!HAS_BROWSER)("the editor of policies", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    opened = await openConsole();
    seeded = await seed(opened.url, opened.token);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await opened.close();
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
    expect(await faultsOf(page, "a long policy")).toEqual([]);
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
  return openSignedIn(browser, opened.url, opened.token);
}

/** Asks the API as the first management token; with a body it writes. */
async function api(path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${opened.token}`, "content-type": "application/json" };
  const write = body === undefined ? {} : { method: "PUT", body: JSON.stringify(body) };
  const response = await fetch(`${opened.url}${path}`, { headers, ...write });
  expect(response.status).toBe(200);
  return response.json();
}
