/** The console where something goes wrong: the server goes and comes back, a session ends or is another's, answers are late or lack something. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { runDirectory } from "../support/directory.ts";
import { openConsole, signIn, tokenField } from "./open.ts";
import { typeRules } from "./draft-rules.ts";
import { startProxy } from "./proxy.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const TOKENS = "access/default/default/tokens";

const at = useConsole({
  async prepare({ client }) {
    await client.policies.create({ body: { Name: "admins", Rules: 'acl = "write"\noperator = "write"\n' } });
  },
});

inBrowser("the console, when something goes wrong", () => {
  it("goes on by itself after a restart of the server, and shows what was changed meanwhile", async () => {
    const dataDir = mkdtempSync(join(runDirectory(), "console-restart-"));
    const first = await openConsole({ dataDir });
    const { page, faults, go } = await at.open(TOKENS, { at: first.url, as: first.token });
    await page.getByText("Anonymous Token").first().waitFor();
    const server = createClient({ address: first.url, token: first.token });
    await server.tokens.create({ body: { Description: "Before the restart" } });
    await page.getByText("Before the restart").waitFor();
    await first.close();
    await page.getByText("The server does not respond.").waitFor();
    const second = await openConsole({ dataDir, listen: new URL(first.url).host });
    await server.tokens.create({ body: { Description: "After the restart" } });
    // Nothing else is changed: what tells the page that all is well is that the stream has begun.
    await page.getByText("After the restart").waitFor({ timeout: 60_000 });
    await page.getByText("The server does not respond.").waitFor({ state: "detached", timeout: 60_000 });
    await go(`${TOKENS}/new`);
    await page.getByRole("button", { name: "Create token" }).waitFor();
    expect(faults.splice(0).filter((fault) => /violation|asked/.test(fault))).toEqual([]);
    await second.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("keeps what is written in a form when its session ends, and saves it after one has signed in again", async () => {
    const made = await admin("Ends soon");
    const { page } = await at.open(`${TOKENS}/new`, { as: made.SecretID });
    await page.getByLabel("Description").fill("Written before the end");
    await at.client.tokens.delete({ accessor: made.AccessorID });
    const over = page.getByRole("dialog", { name: "Your session has ended" });
    // Without that anything was pressed.
    await over.waitFor();
    const again = await admin("Comes back");
    await tokenField(page).fill(again.SecretID);
    await over.getByRole("button", { name: "Sign in", exact: true }).click();
    const other = page.getByRole("dialog", { name: "Different token signed in" });
    await other.getByText("Comes back").waitFor();
    await other.getByRole("button", { name: "Continue with this token" }).click();
    expect(await page.getByLabel("Description").inputValue()).toBe("Written before the end");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await expect.poll(async () => descriptions()).toContain("Written before the end");
  });

  it("writes nothing as somebody else who has signed in by another window, before it has said so", async () => {
    const [anna, bert] = [await admin("Anna"), await admin("Bert")];
    const { page, context } = await at.open(`${TOKENS}/new`, { as: anna.SecretID });
    await page.getByLabel("Description").fill("By whom?");
    // Not by the console's own page, which would tell the others.
    const status = await page.evaluate(`fetch("${at.url}/ui/session", {
      method: "POST",
      headers: { "content-type": "application/json", "x-tessera-console": "1" },
      body: ${JSON.stringify(JSON.stringify({ SecretID: bert.SecretID }))},
    }).then((answer) => answer.status)`);
    expect(status).toBe(200);
    await page.getByRole("button", { name: "Create token" }).click();
    const other = page.getByRole("dialog", { name: "Different token signed in" });
    await other.getByText("Bert").waitFor();
    // Neither agrees to it.
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await descriptions()).not.toContain("By whom?");
    expect(await other.getByRole("button").allTextContents()).toEqual(["Continue with this token", "Reload page"]);
    await other.getByRole("button", { name: "Continue with this token" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("button", { name: "I saved the secret" }).click();
    await expect.poll(async () => descriptions()).toContain("By whom?");
    const [record] = await at.client.audit.list({ kind: "token", action: "create" }).all();
    expect(record?.Actor).toMatchObject({ AccessorID: bert.AccessorID });

    const second = await context.newPage();
    await second.goto(`${at.url}/ui/${TOKENS}`);
    await second.getByRole("button", { name: "Account" }).click();
    await second.getByRole("menuitem", { name: /Sign out/ }).click();
    await tokenField(second).waitFor();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  });

  it("says so where the browser keeps no cookies, and where the server asks for patience", async () => {
    const { page, context, go } = await at.openSignedOut();
    const block = async (answer: Parameters<Parameters<Page["route"]>[1]>[0]) => {
      const response = await answer.fetch();
      const { "set-cookie": _cookie, ...headers } = response.headers();
      await context.clearCookies();
      await answer.fulfill({ response, headers });
    };
    await page.route("**/ui/session", block);
    await go(TOKENS);
    await tokenField(page).fill(at.token);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("did not store the session cookie").waitFor();
    await page.unroute("**/ui/session", block);
    let refusals = 2;
    await page.route("**/v1/acl/tokens**", async (route) => {
      refusals -= 1;
      if (refusals < 0) return route.fallback();
      return route.fulfill({ status: 503, headers: { "retry-after": "1" }, body: "not now" });
    });
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Anonymous Token").first().waitFor();
    await page.route("**/v1/acl/token", async (route) =>
      route.fulfill({ status: 429, headers: { "retry-after": "120" }, body: "Too many requests; try again in 120 s" }),
    );
    await go(`${TOKENS}/new`);
    await page.getByLabel("Description").fill("Kept");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("alert").filter({ hasText: "120" }).waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Kept");
  });

  it("shows what there is of an answer that lacks fields, and of a server whose clock is an hour off", async () => {
    const { page, faults, go } = await at.open("");
    await page.route(/\/v1\/acl\/tokens(?:\?|$)/, async (route) => {
      const response = await route.fetch();
      const tokens = (await response.json()) as Record<string, unknown>[];
      const bare = tokens.map(({ AccessorID, Description }) => ({ AccessorID, Description }));
      await route.fulfill({ response, json: bare });
    });
    await go(TOKENS);
    await page.getByText("Anonymous Token").first().waitFor();
    await page.route("**/v1/acl/overview**", async (route) =>
      route.fulfill({ response: await route.fetch(), json: { Partition: "default" } }),
    );
    await go("");
    await page.getByRole("heading", { level: 1, name: "Cannot show this screen" }).waitFor();
    // A screen that cannot be drawn says so, in its place: the rest stays.
    await page.getByRole("link", { name: "Policies", exact: true }).first().click();
    await page.getByRole("link", { name: "admins" }).waitFor();
    expect(faults.splice(0).filter((fault) => fault.startsWith("violation"))).toEqual([]);
    for (const hours of [-1, 1, 13]) {
      const window = await at.openSignedOut();
      let asked = 0;
      window.page.on("request", (each) => (asked += /\/ui\/session(?:\?|$)/.test(each.url()) ? 1 : 0));
      await window.context.addInitScript(
        `{ const now = Date.now; const off = ${hours} * 3600000; Date.now = () => now() + off; }`,
      );
      await window.go(TOKENS);
      await signIn(window, at.token);
      await window.page.getByText("Anonymous Token").first().waitFor();
      await window.page.waitForTimeout(3500);
      expect(asked).toBeLessThan(7);
    }
  });

  it("says in passing which request was refused, and its ID leads to the reason", async () => {
    const id = "0123456789ab-1z";
    const { page, go } = await at.open("access/default/default/audit");
    await page.route(/\/v1\/audit/, async (route) => {
      if (route.request().headers()["accept"] !== "application/x-ndjson") return route.fallback();
      const headers = { "x-request-id": id, "content-type": "text/plain" };
      return route.fulfill({ status: 403, headers, body: "lacks the right" });
    });
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: /CSV/ }).click();
    const message = page.getByRole("alert").filter({ hasText: "Could not export the audit records" });
    await message.getByText("lacks the right").waitFor();
    expect(await message.getByRole("link", { name: "Explain denial" }).getAttribute("href")).toBe(
      `/ui/why?request=${id}`,
    );
    expect(await message.textContent()).toContain(id);
    const find = async (text: string, entry: string) => {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Search or run a command").fill(text);
      await page.getByText(entry).click();
    };
    await find(` ${id}`, `Explain denied request ${id}`);
    await expect.poll(async () => page.getByLabel("Request ID", { exact: true }).inputValue()).toBe(id);
    await go(TOKENS);
    await page.getByText("Anonymous Token").first().waitFor();
    await find("Explain a denied", "Explain a denied request");
    await page.getByLabel("Request ID", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/ui/access/default/default/why");
  });

  it("lives below the path of a proxy, and asks nothing beside it", async () => {
    const proxy = await startProxy("/tools/tessera");
    const served = await openConsole({ args: ["--public-url", `${proxy.url}/tools/tessera`] });
    proxy.to(served.url);
    const window = await at.openSignedOut({ at: `${proxy.url}/tools/tessera` });
    const { page, go } = window;
    await page.goto(`${proxy.url}/tools/tessera/`);
    await signIn(window, served.token);
    await page.getByRole("group", { name: "Areas" }).getByRole("link", { name: "Access" }).click();
    await page.getByRole("link", { name: "Policies", exact: true }).first().click();
    await page.getByRole("link", { name: "New policy" }).click();
    await page.getByLabel("Name", { exact: true }).first().fill("below");
    await typeRules(page, 'key_prefix "" {\n  policy = "read"\n}\n');
    await page.getByRole("button", { name: "Create policy" }).click();
    await page.getByRole("heading", { level: 1, name: "below" }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/tools\/tessera\/ui\/access\/default\/default\/policies\//);
    const code = await page.context().cookies();
    expect(code.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([[true, "Strict"]]);
    // Events come through it, too.
    await go("access/default/default/policies");
    await page.getByRole("link", { name: "below" }).waitFor();
    await createClient({ address: served.url, token: served.token }).policies.create({ body: { Name: "live" } });
    await page.getByRole("link", { name: "live" }).waitFor();
    await served.close();
    await proxy.stop();
  });
});

async function admin(Description: string) {
  return at.client.tokens.create({ body: { Description, Policies: [{ Name: "admins" }] } });
}

async function descriptions(): Promise<readonly string[]> {
  return (await at.client.tokens.list().all()).map(({ Description }) => Description);
}
