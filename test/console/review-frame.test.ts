/** The frame of the console as the console review asks for it: failures, ended sessions, proof of records, other locales. */
import { expect, it } from "vitest";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";

const at = useConsole({ isSeeded: true });

inBrowser("the frame", () => {
  it("tells that names could not be loaded, and not that there are none", async () => {
    const { page } = await at.open(`${SCOPE}/policies`);
    await page.getByRole("row").nth(2).waitFor();
    await page.route("**/v1/namespaces**", async (route) => route.fulfill({ status: 500, body: "broken" }));
    await page.getByText("Partition and namespace:").click({ force: true });
    await page.getByText("Could not load namespaces.").waitFor();
    expect(await page.getByText("No matches that your token can read.").count()).toBe(0);
    await page.unroute("**/v1/namespaces**");
    await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "payments" }).waitFor();
  });

  it("keeps a form and the navigation as they are behind the end of a session, and asks for nothing as nobody", async () => {
    const made = await at.client.tokens.create({
      body: { Description: "Ends", Policies: [{ Name: "global-management" }] },
    });
    const { page, context } = await at.open(`${SCOPE}/roles/new`, { as: made.SecretID });
    await page.getByLabel("Description").fill("Kept");
    const screens = page.getByRole("navigation", { name: "Screens" });
    // The entries follow when the token's permissions are known.
    await screens.getByRole("link", { name: "Audit log" }).waitFor();
    const before = await screens.innerText();
    const refused = async () => (await at.client.audit.list({ outcome: "refused" }).all()).length;
    const known = await refused();
    // The cookie goes, as when the session is ended elsewhere.
    await context.clearCookies();
    const asked: string[] = [];
    await page.evaluate("dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("combobox", { name: "Policies" }).fill("web");
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    page.on("request", (request) => {
      if (!/\/ui\/|\/events/.test(new URL(request.url()).pathname)) asked.push(request.url());
    });
    await page.getByRole("combobox", { name: "Policies" }).fill("audit", { force: true });
    // The session is asked about once a minute, and what is asked for in between is not sent.
    await page.evaluate("new Promise((done) => setTimeout(done, 1000))");
    expect(asked).toEqual([]);
    expect(await screens.innerText()).toBe(before);
    expect(await page.getByText("Your token cannot save this form.").count()).toBe(0);
    expect(await page.getByLabel("Description").inputValue()).toBe("Kept");
    expect(await refused()).toBe(known);
  });

  it("asks at Home for nothing that is known to be absent", async () => {
    const attributes = { name: "without-rules", email: "ops@acme.example" };
    await at.client.organizations.create({ body: { data: { type: "organizations", attributes } } });
    const { page, go, settled } = await at.open();
    const missing: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    await go("");
    await title(page, "Home");
    await settled();
    expect(missing).toEqual([]);
  });

  it("shows a token its own permissions, though it may read no token", async () => {
    const Rules = 'workspace_prefix "acme/web-" { policy = "write" }';
    await at.client.policies.create({ body: { Name: "web-writers", Rules } });
    const { SecretID } = await at.client.tokens.create({ body: { Policies: [{ Name: "web-writers" }] } });
    const { page } = await at.open("", { as: SecretID });
    await page.getByRole("button", { name: "Account" }).press("Enter");
    await page.getByRole("menuitem", { name: "Show your permissions" }).press("Enter");
    await title(page, "Your permissions");
    const table = page.getByRole("table").first();
    await expect.poll(async () => table.textContent()).toContain("acme/web-");
  });

  it("keeps the top edge of the palette while results change, and marks matches without the browser's yellow", async () => {
    const { page } = await at.open("");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    const field = page.getByPlaceholder("Search or run a command");
    await field.waitFor();
    const top = (await field.boundingBox())?.y;
    await page.keyboard.type("pol");
    await page.locator("mark").first().waitFor();
    expect((await field.boundingBox())?.y).toBe(top);
    expect(
      await page.locator("mark").first().evaluate("getComputedStyle(document.querySelector('mark')).backgroundColor"),
    ).toBe("rgba(0, 0, 0, 0)");
    await page.keyboard.type("xyz");
    await page.getByText("No results").waitFor();
    expect((await field.boundingBox())?.y).toBe(top);
  });

  it("names a proxy that answers in place of the server", async () => {
    const { page, faults } = await at.open("");
    await page.route("**/v1/acl/roles**", async (route) =>
      route.fulfill({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>502</h1>" }),
    );
    await page.getByRole("group", { name: "Areas" }).getByRole("link", { name: "Access" }).click();
    await page.getByRole("link", { name: "Roles", exact: true }).first().click();
    const alert = page.getByRole("main").getByRole("alert");
    await alert.getByText("Bad gateway (502)").waitFor();
    expect(await alert.textContent()).toContain("Check that the server is running and that the proxy can reach it.");
    faults.splice(0);
  });

  it("says of how many records a verification is a proof, and verifies all", async () => {
    for (let index = 0; index < 60; index += 1)
      await at.client.tokens.create({ body: { Description: `Made ${index}` } });
    const { page } = await at.open(`${SCOPE}/audit`);
    await page.getByRole("button", { name: "Verify chain" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "Verified" });
    await alert.getByText(/^Verified [\d,]+ of [\d,]+ records in \d+ chains?$/).waitFor();
    await alert.getByRole("button", { name: "Verify all" }).click();
    await alert.getByText(/^Verified all [\d,]+ records in \d+ chains? that the server keeps$/).waitFor();
    expect(await alert.getByRole("button", { name: "Verify all" }).count()).toBe(0);
  });

  it("writes dates as the language of the browser does, apart from the English words around them", async () => {
    const { page } = await at.open(`${SCOPE}/audit`, { locale: "ar", timezoneId: "Asia/Riyadh" });
    await page.getByRole("button", { name: "Verify chain" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "Verified" });
    expect(await alert.textContent()).toMatch(/No record since \u2068[^\u2069]*\p{Script=Arabic}[^\u2069]*\u2069 was/u);
    // The date below the last bar is wider than the bar, and not cut.
    const chart = page.getByRole("figure").first();
    const mark = chart.getByRole("button").last().locator("bdi");
    const [around, date] = [await chart.boundingBox(), await mark.boundingBox()];
    expect((date?.x ?? 0) + (date?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
    expect(date?.width).toBeGreaterThan(20);
  });

  it.each([
    ["en-US", "America/Los_Angeles"],
    ["de-DE", "Europe/Berlin"],
    ["ar", "Asia/Riyadh"],
    ["he-IL", "Pacific/Auckland"],
  ])("shows times in one line and actions beside the title in %s", async (locale, timezoneId) => {
    const { page, go } = await at.open(`${SCOPE}/audit`, { locale, timezoneId, width: 1440, height: 900 });
    const head = page.locator("button[aria-expanded]").filter({ hasText: /:/ }).first();
    await head.waitFor();
    expect((await head.boundingBox())?.height).toBeLessThan(48);
    await go(`${SCOPE}/tokens/${at.seeded.token}`);
    const [heading, edit] = [
      page.getByRole("heading", { level: 1 }),
      page.getByRole("link", { name: "Edit", exact: true }),
    ];
    await edit.waitFor();
    const [one, other] = [await heading.boundingBox(), await edit.boundingBox()];
    const middle = (box: typeof one) => (box?.y ?? 0) + (box?.height ?? 0) / 2;
    expect(Math.abs(middle(one) - middle(other))).toBeLessThan(8);
  });
});
