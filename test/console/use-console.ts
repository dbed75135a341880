/**
 * Set-up that the console's files share: a server, a browser, windows that are closed and checked for faults after each
 * test.
 */
import { type Client, createClient } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { sized } from "../support/length.ts";
import type { ServerOptions } from "../support/server.ts";
import {
  HAS_BROWSER,
  openConsole,
  openSignedIn,
  openWindow,
  type OpenedConsole,
  type Window,
  type WindowOptions,
} from "./open.ts";
import { seed, type Seeded } from "./seed.ts";
import { expectNoSecretInWorkerServer, workerBrowser, workerServer } from "./worker.ts";

interface UseOptions {
  /** Whether there is a small company on the server. */
  readonly isSeeded?: boolean;
  /** With which options the server of this file alone is started; the worker's when left out. */
  readonly own?: () => ServerOptions | Promise<ServerOptions>;
  /** More that is done before the tests. */
  prepare?(at: Used): Promise<void>;
}

interface OpenOptions extends WindowOptions {
  /** By whom; the first management token when left out. */
  readonly as?: string;
  /** Address at which the server is reached. Default: its own. */
  readonly at?: string;
}

/** A console for the tests of a file. */
export interface Used {
  readonly url: string;
  /** The first management token's SecretID. */
  readonly token: string;
  readonly client: Client;
  readonly seeded: Seeded;
  /** A window in which somebody has signed in, at a path of the console when one is given. */
  open(path?: string, options?: OpenOptions): Promise<Window>;
  /** A window in which nobody has. */
  openSignedOut(options?: OpenOptions): Promise<Window>;
  /** The same for all tests of the file: it is looked through after each, and closed in the end. */
  openForAll(): Promise<Window>;
}

/** Describes what is seen in a browser, where there is one. */
export function inBrowser(name: string, tests: () => void): void {
  describe.skipIf(!HAS_BROWSER)(name, () => {
    tests();
  });
}

/**
 * A console for the tests of a file. Windows of a test are closed after it, and nothing may have gone wrong in them that it
 * did not take out of their `faults`.
 */
export function useConsole({ isSeeded = false, own, prepare }: UseOptions = {}): Used {
  let opened: Pick<OpenedConsole, "url" | "token"> | undefined;
  let seeded: Seeded | undefined;
  let close: () => Promise<void> = expectNoSecretInWorkerServer;
  const windows: Window[] = [];
  const lasting: Window[] = [];
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("the console is there when tests run");
    return value;
  };
  const at: Used = {
    get url() {
      return there(opened).url;
    },
    get token() {
      return there(opened).token;
    },
    get client() {
      return createClient({ address: at.url, token: at.token });
    },
    get seeded() {
      return there(seeded);
    },
    async open(path, { as = at.token, at: url = at.url, ...options } = {}) {
      const window = await openSignedIn(await workerBrowser(), url, as, {
        ...options,
        ...(path !== undefined && { path }),
      });
      windows.push(window);
      return window;
    },
    async openSignedOut({ at: url = at.url, ...options } = {}) {
      const window = await openWindow(await workerBrowser(), url, options);
      windows.push(window);
      return window;
    },
    async openForAll() {
      const window = await openWindow(await workerBrowser(), at.url);
      lasting.push(window);
      return window;
    },
  };

  beforeAll(
    async () => {
      if (!HAS_BROWSER) return;
      if (own === undefined) opened = await workerServer();
      else {
        const console = await openConsole(await own());
        opened = console;
        close = console.close;
      }
      if (isSeeded) seeded = await seed(at.url, at.token);
      await prepare?.(at);
    },
    sized(300_000, 1_800_000),
  );
  afterEach(async () => {
    const seen = windows.splice(0);
    // Requests under way fail when a window closes: take the faults before.
    const found = [...seen, ...lasting].flatMap(({ faults }) => faults.splice(0));
    await Promise.all(seen.map(async ({ context }) => context.close()));
    expect(found).toEqual([]);
  });
  afterAll(async () => {
    for (const { context } of lasting) await context.close();
    if (opened !== undefined) await close();
  }, 120_000);
  return at;
}

/** Waits until a page is the one that is called so. */
export async function title(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}
