/** The client in a browser: Debian's Chromium, on a page of the server's own origin. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Module from "@tessera-server/client";
import { makeDatabaseUrl } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const CHROMIUM = "/usr/bin/chromium";

/** Client module in the page. */
declare const tessera: typeof Module;

describe.skipIf(!existsSync(CHROMIUM) && process.env["CI"] === undefined)("in a browser the client", () => {
  let server: RunningServer;
  let browser: Browser;
  let page: Page;
  let given: { address: string; token: string };

  beforeAll(async () => {
    server = await startServer({ database: await makeDatabaseUrl("sqlite") });
    given = { address: server.url, token: server.token };
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    page = await browser.newPage();
    const body = `<script type="module">import * as tessera from "/client.js"; window.tessera = tessera;</script>`;
    await page.route("**/page", async (route) => route.fulfill({ contentType: "text/html", body }));
    const code = await bundled();
    await page.route("**/client.js", async (route) => route.fulfill({ contentType: "text/javascript", body: code }));
    await page.goto(`${server.url}/page`);
    await page.waitForFunction("window.tessera !== undefined");
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function bundled(): Promise<string> {
    const input = join(resolve(import.meta.dirname, "../.."), "packages/client/src/index.ts");
    const made = await rolldown({ input, platform: "browser", logLevel: "silent" });
    const { output } = await made.generate({ format: "esm" });
    await made.close();
    return output[0].code;
  }

  it("writes and lists objects of both families", async () => {
    const found = await page.evaluate(async (options) => {
      const client = tessera.createClient(options);
      const attributes = { name: "acme", email: "a@example.com" };
      await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
      const data = Array.from({ length: 120 }, (_, at) => ({
        type: "tags" as const,
        attributes: { name: `tag-${at}` },
      }));
      await client.tags.create({ organization: "acme", body: { data } });
      const tags = await client.tags.list({ organization: "acme" }).all();
      await client.roles.create({ body: { Name: "readers" } });
      return [tags.length, (await client.roles.list().all()).map(({ Name }) => Name)];
    }, given);
    expect(found).toEqual([120, ["readers"]]);
  });

  it("waits for changes, follows events, and stops when its signal is aborted", async () => {
    const found = await page.evaluate(async (options) => {
      const client = tessera.createClient(options);
      const controller = new AbortController();
      const { signal } = controller;
      const policies = client.policies.list.watch({ signal });
      const before = (await policies.next()).value?.body?.length ?? 0;
      const events = client.events.stream({ topics: "policies", signal });
      const first = events.next();
      const later = policies.next();
      let made = 0;
      const timer = setInterval(() => void client.policies.create({ body: { Name: `waited-${made++}` } }), 200);
      const after = (await later).value?.body?.length ?? 0;
      const event: string = (await first).value?.event ?? "";
      clearInterval(timer);
      const ending = policies.next().catch((error: unknown) => error);
      controller.abort("enough");
      return [after > before, event, await ending];
    }, given);
    expect(found).toEqual([true, "policies", "enough"]);
  });

  it("says what was refused, and that a server cannot be reached", async () => {
    const found = await page.evaluate(async (options) => {
      const client = tessera.createClient(options);
      const refused = await client.policies.readByName({ name: "none" }).catch((error: unknown) => error);
      const away = tessera.createClient({ address: "http://127.0.0.1:1", retries: 0 });
      const lost = await away.server.ping().catch((error: unknown) => error);
      return [
        refused instanceof tessera.TesseraError && [refused.status, refused.requestId !== undefined],
        lost instanceof tessera.ConnectionError && lost.kind,
      ];
    }, given);
    expect(found).toEqual([[404, true], "unreachable"]);
  });
});
