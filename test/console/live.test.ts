/** Tests that changes by others are shown, with streams of events and without, and after there was no network. */
import { afterAll, expect, it } from "vitest";
import { startProxy, type Proxy } from "./proxy.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const TOKENS = "access/default/default/tokens";
const TAGS = "org/acme/tags";
const LOST = "The server does not respond.";
const EVENTS = /^\/(v1|api\/v2\/organizations\/\w+)\/events/;

let proxy: Proxy;

const at = useConsole({
  async prepare({ url, client }) {
    proxy = await startProxy();
    proxy.to(url);
    const attributes = { name: "acme", email: "a@acme.example" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  },
});
afterAll(async () => proxy?.stop());

inBrowser("what others change", () => {
  it.each([
    ["refuses", 502],
    ["holds-back", 0],
  ])("is shown behind a proxy that %s streams, and by a stream once it lets them pass", async (manner, status) => {
    const asked: string[] = [];
    proxy.instead(({ url = "" }, answer) => {
      if (!EVENTS.test(url)) return false;
      asked.push(url);
      if (status !== 0) answer.writeHead(status).end("no streams here");
      return true;
    });
    const { page, go } = await signedIn(TOKENS);
    await page.getByText("Anonymous Token").first().waitFor();
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(0);
    for (const name of ["first", "second"]) {
      await addToken(`${manner} ${name}`);
      await page.getByText(`${manner} ${name}`).waitFor({ timeout: 20_000 });
    }
    await go(TAGS);
    await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
    await addTag(`${manner}-tag`);
    await page.getByText(`${manner}-tag`).waitFor({ timeout: 20_000 });
    expect(await page.getByText(LOST).count()).toBe(0);
    // It is tried again all the time.
    let streams = 0;
    proxy.instead(({ url = "" }) => {
      streams += EVENTS.test(url) ? 1 : 0;
      return false;
    });
    await expect.poll(() => streams, { timeout: 60_000 }).toBe(2);
    await addTag(`${manner}-later`);
    await page.getByText(`${manner}-later`).waitFor();
  });

  it("is shown in more windows than a browser has connections, which leave some for all else", async () => {
    let [open, most] = [0, 0];
    proxy.instead(({ url = "" }, answer) => {
      if (!EVENTS.test(url)) return false;
      open += 1;
      most = Math.max(most, open);
      answer.once("close", () => (open -= 1));
      return false;
    });
    const { page: first, context } = await signedIn(TOKENS);
    const names = ["north", "east", "south", "west", "up", "down"];
    const pages = [];
    for (const name of names) {
      const attributes = { name, email: "a@acme.example" };
      await at.client.organizations.create({ body: { data: { type: "organizations", attributes } } });
      const page = await context.newPage();
      await page.goto(`${proxy.url}/ui/org/${name}/tags`);
      await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
      pages.push(page);
    }
    for (const [index, name] of names.entries()) {
      const data = [{ type: "tags" as const, attributes: { name: `of-${name}` } }];
      await at.client.tags.create({ organization: name, body: { data } });
      await pages[index]?.getByText(`of-${name}`).waitFor({ timeout: 20_000 });
    }
    await addToken("beside many windows");
    await first.getByText("beside many windows").waitFor({ timeout: 20_000 });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("is shown once there is a network again, and until then what there was, and what was written", async () => {
    proxy.instead(undefined);
    const { page, context } = await signedIn(TOKENS);
    await page.getByText("Anonymous Token").first().waitFor();
    const form = await context.newPage();
    await form.goto(`${proxy.url}/ui/${TOKENS}/new`);
    await form.getByLabel("Description").fill("Written without a network");
    await context.setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await addToken("made meanwhile");
    await expect.poll(async () => page.getByText("Anonymous Token").first().isVisible()).toBe(true);
    await form.getByRole("button", { name: "Create token" }).click();
    // It fails at once, and is not done later.
    await form.getByRole("alert").first().waitFor();
    await context.setOffline(false);
    await page.getByText("made meanwhile").waitFor();
    await page.getByText("You are offline.").waitFor({ state: "detached" });
    expect(await form.getByLabel("Description").inputValue()).toBe("Written without a network");
    expect(await descriptions()).not.toContain("Written without a network");
    await form.getByRole("button", { name: "Create token" }).click();
    await form.getByRole("button", { name: "I saved the secret" }).click();
    await expect.poll(async () => descriptions()).toContain("Written without a network");
  });

  it.each([
    ["a token", async () => `${TOKENS}/${(await at.client.tokens.create({ body: {} })).AccessorID}`, true],
    [
      "a role",
      async () => `access/default/default/roles/${(await at.client.roles.create({ body: { Name: "r" } })).ID}`,
      true,
    ],
    ["a tag", async () => `${TAGS}/${await addTag("goes")}`, false],
  ])("is said of %s that is deleted, which cannot be changed then", async (_what, make, hasForm) => {
    proxy.instead(undefined);
    const path = await make();
    const id = path.split("/").at(-1) ?? "";
    const { page, context } = await signedIn(path);
    await page.getByRole("tab", { name: "Overview" }).waitFor();
    await page
      .getByRole("link", { name: "Edit" })
      .or(page.getByRole("button", { name: "Rename" }))
      .first()
      .waitFor();
    const form = await context.newPage();
    if (hasForm) {
      await form.goto(`${proxy.url}/ui/${path}/edit`);
      await form.getByLabel("Description").fill("Written for nothing");
    }
    await remove(path, id);
    await page.getByText("Object not found").waitFor();
    expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Rename" }).count()).toBe(0);
    await expect.poll(async () => page.locator("fieldset:disabled").count()).toBe(1);
    await page.getByRole("button", { name: "Show history" }).click();
    await page.getByRole("tabpanel").getByText("Delete", { exact: true }).first().waitFor();
    if (hasForm) {
      await form.getByText("Object not found").waitFor();
      expect(await form.getByLabel("Description").inputValue()).toBe("Written for nothing");
      expect(await form.getByRole("button", { name: /^Save changes/ }).isDisabled()).toBe(true);
    }
  });

  it("is read again without that the session lives longer for it", async () => {
    proxy.instead(undefined);
    const { page } = await signedIn("");
    const manners: (string | undefined)[] = [];
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.clock.install();
    page.on("request", (each) => {
      if (each.url().includes("/v1/acl/overview")) manners.push(each.headers()["x-tessera-console"]);
    });
    await page.mouse.click(5, 400);
    await page.clock.fastForward(150_000);
    await addToken("nobody looks");
    await expect.poll(() => manners.at(-1), { timeout: 30_000 }).toBe("live");
    await page.mouse.click(5, 400);
    await page.getByRole("group", { name: "Areas" }).getByRole("link", { name: "Access" }).click();
    await page.getByRole("link", { name: "Tokens", exact: true }).first().click();
    const [read] = await Promise.all([
      page.waitForRequest((each) => each.url().includes("/v1/acl/policies")),
      page.getByRole("link", { name: "Policies", exact: true }).first().click(),
    ]);
    expect(read.headers()["x-tessera-console"]).toBe("1");
  });
});

async function signedIn(path: string) {
  return at.open(path, { at: proxy.url });
}

async function addToken(Description: string): Promise<void> {
  await at.client.tokens.create({ body: { Description } });
}

async function addTag(name: string): Promise<string> {
  await at.client.tags.create({ organization: "acme", body: { data: [{ type: "tags", attributes: { name } }] } });
  const [tag] = await at.client.tags.list({ organization: "acme", q: name }).all();
  return tag?.id ?? "";
}

/** By somebody else than who looks at it. */
async function remove(path: string, id: string): Promise<void> {
  if (path.startsWith(TAGS))
    await at.client.tags.delete({ organization: "acme", body: { data: [{ type: "tags", id }] } });
  else if (path.includes("/roles/")) await at.client.roles.delete({ id });
  else await at.client.tokens.delete({ accessor: id });
}

async function descriptions(): Promise<readonly string[]> {
  return (await at.client.tokens.list().all()).map(({ Description }) => Description);
}
