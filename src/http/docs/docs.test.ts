/** The reference as a page: by its headers, and in a browser as people see it. */
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Document, readOperations } from "../../../test/support/openapi-document.ts";
import { openShell, type TestShell } from "../../../test/support/shell.ts";

const BROWSER = "/usr/bin/chromium";

let shell: TestShell;
let address: string;
beforeAll(async () => {
  shell = await openShell();
  await shell.app.listen({ host: "127.0.0.1", port: 0 });
  address = `http://127.0.0.1:${(shell.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => shell.close());

describe("the page of the reference", () => {
  it("is there without a token, runs no script of others, and is kept by its ETag", async () => {
    for (const path of ["/docs", "/docs/page.css", "/docs/page.js", "/docs/redoc.js"]) {
      const answer = await shell.app.inject({ url: path });
      expect([path, answer.statusCode]).toEqual([path, 200]);
      const policy = String(answer.headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]));
      expect(policy.filter((each) => /https?:|\*|unsafe/.test(each))).toEqual([]);
      expect(answer.headers["cache-control"]).toBe("no-cache");
      const etag = String(answer.headers["etag"]);
      const again = await shell.app.inject({ url: path, headers: { "if-none-match": `"other", W/${etag}` } });
      expect([again.statusCode, again.body, again.headers["etag"]]).toEqual([304, "", etag]);
    }
    expect((await shell.app.inject({ url: "/docs/" })).headers["location"]).toBe("../docs");
    expect((await shell.app.inject({ url: "/docs/nothing" })).statusCode).toBe(404);
  });

  it("is sent packed to who takes that, and is the same", async () => {
    const packed = await shell.app.inject({ url: "/docs/redoc.js", headers: { "accept-encoding": "gzip" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.rawPayload.length).toBeLessThan(300_000);
    const plain = await shell.app.inject({ url: "/docs/redoc.js" });
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(plain.body).not.toContain("cdn.redoc.ly");
  });

  it.skipIf(!existsSync(BROWSER))(
    "shows every operation in a browser, which asks nobody else and is stopped at nothing",
    { timeout: 120_000 },
    async () => {
      const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
      try {
        const page = await browser.newPage();
        const others: string[] = [];
        const told: string[] = [];
        page.on("request", (request) => {
          if (
            !request
              .url()
              .replace(/^blob:/, "")
              .startsWith(`${address}/`) &&
            !request.url().startsWith("data:")
          )
            others.push(request.url());
        });
        page.on("console", (message) => {
          if (message.type() === "error") told.push(message.text());
        });
        page.on("pageerror", (error) => told.push(error.message));
        await page.addInitScript(`
          window.violations = [];
          document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
        `);
        await page.goto(`${address}/docs`);
        await page.waitForSelector("text=Create tags", { state: "attached", timeout: 90_000 });
        const ids = await page.evaluate(
          `[...document.querySelectorAll("[data-section-id]")].map((each) => each.getAttribute("data-section-id"))`,
        );
        const document = (await shell.app.inject({ url: "/openapi.json" })).json<Document>();
        const operations = readOperations(document).map(({ operation }) => operation.operationId ?? "");
        const shown = new Set((ids as string[]).map((id) => id.slice(id.lastIndexOf("/") + 1)));
        expect(operations.length).toBeGreaterThan(100);
        expect(operations.filter((id) => !shown.has(id))).toEqual([]);
        // As people use it: they search, open what was found, and unfold what it answers.
        await page.fill('input[placeholder="Search..."]', "explain");
        await page.locator('[data-role="search:results"] [role="menuitem"]').first().click();
        const unfold = `[...document.querySelectorAll('[data-section-id$="/explainDecisions"] button')].map((each) => each.click())`;
        expect(await page.evaluate(unfold)).not.toEqual([]);
        const isStyled = `getComputedStyle(document.querySelector(".menu-content")).position`;
        expect(await page.evaluate(isStyled)).toBe("sticky");
        expect(await page.evaluate("violations")).toEqual([]);
        expect([others, told]).toEqual([[], []]);
        expect(await page.locator("text=/try it/i").count()).toBe(0);
      } finally {
        await browser.close();
      }
    },
  );
});
