/** Opens the console in Debian's Chromium, signed in at a real server, and watches what the browser says of it. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Request } from "playwright-core";
import { startServer, type ServerOptions } from "../support/server.ts";
import { provideConsole } from "./program.ts";

/** Path of the browser in Debian; without it these tests are skipped, but where CI is set they fail. */
export const BROWSER = "/usr/bin/chromium";

export const HAS_BROWSER = existsSync(BROWSER) || process.env["CI"] !== undefined;

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A server and its console. */
export interface OpenedConsole {
  readonly url: string;
  /** The first management token's SecretID. */
  readonly token: string;
  close(): Promise<void>;
}

/** Starts a server of its own: a bundle with the built console beside it; from the source, that builds it, outside of tests. */
export async function openConsole(options: ServerOptions = {}): Promise<OpenedConsole> {
  await provideConsole();
  // Others that start from the source have none. A file signs in with one token more often than people do.
  const env = { ...options.env, TESSERA_CONSOLE: "on", TESSERA_LOGIN_LIMIT_PER_IDENTITY: "0" };
  const server = await startServer({ ...options, env });
  await untilShown(server.url);
  return { url: server.url, token: server.token, close: async () => void (await server.stop()) };
}

/** Waits until a server has read its console, which it begins to do when it answers. */
export async function untilShown(url: string): Promise<void> {
  while (!(await (await fetch(`${url}/ui/`)).text()).includes('id="root"')) await sleep(20);
}

/** A window of the console, with what went wrong in it. */
export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the content security policy, exceptions, and requests to other hosts: there must be none. */
  readonly faults: string[];
  /** Opens a path of the console, such as `access/default/default/tokens`. */
  go(path: string): Promise<void>;
  /** Does the same as a link, from a page of the console: to load the page again takes most of the time. */
  follow(path: string): Promise<void>;
  /** Waits until the page has drawn all that it reads. */
  settled(): Promise<void>;
}

export interface WindowOptions {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** Language and time zone of the browser. Default: British English, Zurich. */
  readonly locale?: string;
  readonly timezoneId?: string;
  /** Whether it is a phone without a keyboard and a mouse. */
  readonly hasTouch?: boolean;
  /** An OpenID provider of the tests: this window may go there, believes its certificate, and is `alice` for it. */
  readonly provider?: string;
}

/** A window that is not signed in. `url` is the server's. */
export async function openWindow(browser: Browser, url: string, options: WindowOptions = {}): Promise<Window> {
  const { scheme = "light", width = 1360, height = 860, provider } = options;
  const { locale = "en-GB", timezoneId = "Europe/Zurich", hasTouch = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale,
    timezoneId,
    ...(hasTouch && { hasTouch, isMobile: true }),
    permissions: ["clipboard-read", "clipboard-write"],
    ...(provider === undefined ? {} : { ignoreHTTPSErrors: true, extraHTTPHeaders: { "x-account": "alice" } }),
  });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(`
    addEventListener("securitypolicyviolation", (event) =>
      console.error("violation: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));
  `);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    // The page itself shows that a read was refused.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  page.on("request", (request) => {
    const asked = request.url();
    if (provider !== undefined && asked.startsWith(`${provider}/`)) return;
    if (!asked.startsWith(`${url}/`) && !/^(data|blob):/.test(asked)) faults.push(`asked ${asked}`);
  });
  const asked = requestsOf(page);
  return {
    page,
    context,
    faults,
    async go(path) {
      // Requests of the page before may never report an end.
      asked.clear();
      await page.goto(`${url}/ui/${path}`);
    },
    async follow(path) {
      const address = JSON.stringify(`${url}/ui/${path}`);
      await page.evaluate(`{
        const isElsewhere = new URL(${address}).pathname !== location.pathname;
        if (isElsewhere) document.querySelector("h1")?.setAttribute("data-before", "");
        history.pushState(null, "", ${address});
      }`);
      await page.locator("h1:not([data-before])").waitFor();
    },
    async settled() {
      const end = Date.now() + PATIENCE;
      do {
        while (asked.size > 0) {
          if (Date.now() > end) throw new Error(`not answered: ${[...asked].map((each) => each.url()).join(", ")}`);
          await sleep(10);
        }
        // Drawing may send more requests.
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      } while (asked.size > 0);
    },
  };
}

/**
 * Limit in milliseconds for what never comes: an element, an answer. Playwright's own is 30 s, in which a machine that is given to
 * others draws few pages.
 */
const PATIENCE = 120_000;

/**
 * Requests without an end, or with an end that is not reported: streams of events, and the script of the worker that
 * reads them.
 */
const ENDLESS = /\/events(\?|$)|\/assets\/worker-/;

/** Requests of the page that were not answered yet. */
function requestsOf(page: Page): Set<Request> {
  const asked = new Set<Request>();
  page.on("request", (request) => {
    if (!ENDLESS.test(request.url())) asked.add(request);
  });
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  return asked;
}

/** Field for signing in with a token; where there are several ways, the choice of this one has the same label. */
export function tokenField(page: Page): Locator {
  return page.getByLabel("Token", { exact: true }).and(page.locator("[type=password]"));
}

/**
 * Opens a window in which a user has signed in. Signing in on the page has tests of its own.
 *
 * @param options `path` is the page to show, as `Window.go` takes it. Default: none.
 */
export async function openSignedIn(
  browser: Browser,
  url: string,
  SecretID: string,
  { path, ...options }: WindowOptions & { readonly path?: string } = {},
): Promise<Window> {
  const window = await openWindow(browser, url, options);
  const headers = { "x-tessera-console": "1" };
  const answer = await window.context.request.post(`${url}/ui/session`, { headers, data: { SecretID } });
  if (!answer.ok()) throw new Error(`not signed in: ${answer.status()} ${await answer.text()}`);
  if (path === undefined) return window;
  await window.go(path);
  await window.page.getByRole("button", { name: "Account" }).waitFor();
  return window;
}

/** Signs in as a person does. */
export async function signIn({ page }: Pick<Window, "page">, secret: string): Promise<void> {
  await tokenField(page).fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Account" }).waitFor();
}
