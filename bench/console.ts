/**
 * `node bench/console.ts [sqlite|postgres]`: the console in a browser, of 100,000 tags and 20,000 tokens. Times of pages are
 * also told as ratios to a bare page, which the same browser opens in turn with them.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import type { Page } from "playwright-core";
import { openBrowser, openConsole, openWindow, signIn } from "../test/console/open.ts";
import { typeRules } from "../test/console/draft-rules.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { withClient } from "../test/support/postgres-schema.ts";
import { describeMachine } from "./machine.ts";
import { median } from "./median.ts";
import { factsOf, FIRST_ROW, scrollInAllWays } from "./scrolling.ts";
import { call, createOrganization, createTags, inParallel, numbered, type Target } from "./seed.ts";

const TAGS = 100_000;
const TOKENS = 20_000;
const ROUNDS = 7;

const engine = process.argv[2] ?? "sqlite";
const facts: string[] = [];

function tell(name: string, value: number, unit: string, goal: string): void {
  facts.push(`${name}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit} (goal ${goal})`);
}

async function fill(target: Target): Promise<void> {
  await createOrganization(target, "acme");
  await createTags(target, "acme", numbered("tag", TAGS));
  await inParallel(numbered("token", TOKENS), 16, async (Description) => {
    await call(target, "PUT", "/v1/acl/token", { Description: `${Description} of the bench` });
  });
}

/** Milliseconds from a click on a link until there is something: inside the page, without the way to it. */
async function clicked(page: Page, link: string, until: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const link = [...document.querySelectorAll("nav a")].find((each) => each.textContent === ${JSON.stringify(link)});
    const began = performance.now();
    const look = () => {
      if (document.querySelector(${JSON.stringify(until)}) === null) requestAnimationFrame(look);
      else resolve(performance.now() - began);
    };
    link.click();
    look();
  })`);
}

const firstRowOf = (list: string) => `section[aria-label="${list}"] ${FIRST_ROW}`;

/**
 * Reads the paint times of a freshly opened page from the browser, in milliseconds: first and largest contentful paint.
 */
async function painted(page: Page, url: string): Promise<{ first: number; largest: number }> {
  await page.goto(url);
  await page.waitForTimeout(1500);
  return page.evaluate(`new Promise((resolve) => {
    const first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    new PerformanceObserver((list) => resolve({ first, largest: list.getEntries().at(-1).startTime }))
      .observe({ type: "largest-contentful-paint", buffered: true });
  })`);
}

async function vitals(page: Page, url: string): Promise<void> {
  const bare = createServer((_asked, answer) => {
    answer.setHeader("content-type", "text/html").end("<!doctype html><title>bare</title><h1>Sign in</h1>");
  });
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const [ours, theirs] = [[], []] as [number, number][][] as [[number, number][], [number, number][]];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await painted(page, `${url}/ui/`);
    const other = await painted(page, bareUrl);
    ours.push([one.first, one.largest]);
    theirs.push([other.first, other.largest]);
  }
  bare.close();
  for (const [at, name] of ["first paint", "largest paint"].entries()) {
    const [mine, its] = [median(ours.map((pair) => pair[at] ?? 0)), median(theirs.map((pair) => pair[at] ?? 0))];
    facts.push(
      `${name}: ${mine.toFixed(0)} ms, ${(mine / its).toFixed(1)} times that of a bare page (${its.toFixed(0)} ms)`,
    );
  }
}

/** The weight of the last answers to a list, as they came over the wire. */
async function weight(page: Page, path: string): Promise<number> {
  return page.evaluate(`Math.max(...performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname === ${JSON.stringify(path)}).map(({ transferSize }) => transferSize))`);
}

/** Milliseconds until the row of a text that was put into the address is there, by the list's own search. */
async function searched(page: Page, text: string): Promise<number> {
  const field = page
    .getByRole("searchbox")
    .or(page.getByPlaceholder(/^Search/))
    .first();
  await field.fill("");
  await page.waitForTimeout(800);
  const began = performance.now();
  await field.fill(text);
  await page
    .getByRole("row", { name: new RegExp(text) })
    .first()
    .waitFor();
  await page.waitForFunction(`document.querySelectorAll('[role="row"]').length < 4`);
  return performance.now() - began;
}

/** Milliseconds from the last key in an editor of many rules until its error is marked. */
async function marked(page: Page, rules: number): Promise<number> {
  await typeRules(
    page,
    numbered("web", rules)
      .map((name) => `service "${name}" {\n  policy = "read"\n}\n`)
      .join(""),
  );
  await page.keyboard.press("Control+Home");
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.locator('[class*="cm-lintRange"]').first().waitFor({ state: "detached" });
    await page.waitForTimeout(800);
    const until = page.evaluate<number>(`new Promise((resolve) => {
      let began;
      addEventListener("keydown", () => { began = performance.now(); }, { capture: true, once: true });
      const look = () => {
        if (document.querySelector('[class*="cm-lintRange"]') === null) requestAnimationFrame(look);
        else resolve(performance.now() - began);
      };
      look();
    })`);
    await page.keyboard.press("x");
    times.push(await until);
    await page.keyboard.press("Backspace");
  }
  return median(times);
}

const postgres = engine === "postgres" ? await startPostgres() : undefined;
if (postgres !== undefined) {
  await withClient(postgres.url, async (client) => void (await client.query("create extension pg_trgm")));
}
const opened = await openConsole(postgres === undefined ? {} : { database: postgres.url });
const browser = await openBrowser();
try {
  const target = { url: opened.url, token: opened.token };
  const began = performance.now();
  await fill(target);
  facts.push(`filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const cold = performance.now();
  await call(target, "GET", "/v1/acl/overview");
  tell("overview, cold", performance.now() - cold, "ms", "1000");
  const window = await openWindow(browser, opened.url);
  const { page, go } = window;
  await vitals(page, opened.url);
  await go("");
  await signIn(window, opened.token);
  const lists = { Tokens: "access/default/default/policies", Tags: "org/acme/workspaces" };
  for (const [name, from] of Object.entries(lists)) {
    const rows: number[] = [];
    const titles: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await go(from);
      await page.locator("h1").waitFor();
      await page.waitForTimeout(1000);
      rows.push(await clicked(page, name, firstRowOf(name)));
      const back = name === "Tokens" ? "Roles" : "Jobs";
      await page.waitForTimeout(500);
      titles.push(await clicked(page, back, `section[aria-label="${back}"] h1`));
    }
    tell(`${name}: first rows after the click, cold`, median(rows), "ms", "300");
    tell(`another screen's title after the click, cold`, median(titles), "ms", "100");
    await go(from);
    await page.locator("h1").waitFor();
    await clicked(page, name, firstRowOf(name));
    facts.push(...factsOf(name, await scrollInAllWays(browser, page)));
    const path = name === "Tokens" ? "/v1/acl/tokens" : "/api/v2/organizations/acme/tags";
    tell(`${name}: heaviest page of the list`, (await weight(page, path)) / 1000, "kB", "100");
    const noun = name === "Tokens" ? "token" : "tag";
    const found: number[] = [];
    for (let round = 0; round < 5; round += 1) found.push(await searched(page, `${noun}-1${round}77${round}`));
    tell(`${name}: found by a text that was typed, with the rest after the last key`, median(found), "ms", "300");
  }
  await go("access/default/default/policies/new");
  for (const rules of [10, 1000]) {
    const time = await marked(page, rules);
    tell(`a mistake in ${rules} rules: marked after the last key, with the rest`, time, "ms", "100");
  }
  facts.push(...window.faults.filter((fault) => !fault.startsWith("asked ")));
} finally {
  await browser.close();
  await opened.close();
  await postgres?.stop("immediate");
}
process.stdout.write(
  `${describeMachine("not pinned")}, load ${loadavg()[0]?.toFixed(1)}\n## ${engine}\n\n${facts.join("\n")}\n`,
);
