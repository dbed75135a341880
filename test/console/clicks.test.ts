/**
 * The eight jobs that the console review counted, each from its list: by mouse, and by keyboard alone. Typed text is not counted,
 * as there.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { countPresses, tabTo } from "./presses.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const SCOPE = "access/default/default";
const KEY = createSigningKey("k1");
const HANDS = ["mouse", "keys"] as const;

/** A job as it is done by one hand. The names of its objects begin with those of the hand. */
interface Job {
  readonly name: string;
  readonly path: string;
  /** Clicks that the review counted. */
  readonly review: number;
  /** Presses that the console needs: docs/console.md has them. */
  readonly clicks: number;
  readonly keys: number;
  mouse(page: Page): Promise<void>;
  keyboard(page: Page): Promise<void>;
  /** Whether it is done. */
  done(page: Page, hand: string): Promise<void>;
}

const at = useConsole({
  isSeeded: true,
  async prepare({ client }) {
    const names = HANDS.flatMap((hand) => [`${hand}-same-1`, `${hand}-same-2`, `${hand}-idle-1`, `${hand}-idle-2`]);
    const data = names.map((name) => ({ type: "tags" as const, attributes: { name } }));
    await client.tags.create({ organization: "acme", body: { data } });
    for (const hand of HANDS) {
      for (const name of [`${hand}-one`, `${hand}-two`]) {
        const body = { data: { type: "workspaces" as const, attributes: { name } } };
        await client.workspaces.create({ organization: "acme", body });
      }
      await client.policies.create({ body: { Name: `${hand}-rules`, Rules: "" } });
      await client.tokens.create({ body: { Description: `${hand} gone` } });
    }
    const Config = { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS };
    await client.authMethods.create({ body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
  },
});

const JOBS: readonly Job[] = [
  {
    name: "Find and merge two tags",
    path: "org/acme/tags",
    review: 5,
    clicks: 0,
    keys: 0,
    async mouse(page) {
      await page.getByPlaceholder("Search tags").click();
      await page.keyboard.type("mouse-same");
      await only(page, "mouse-same-1", "mouse-same-2");
      for (const name of ["mouse-same-1", "mouse-same-2"])
        await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
      await page.getByRole("button", { name: "Merge" }).click();
      await startJob(page, "Merge");
    },
    async keyboard(page) {
      await page.keyboard.press("/");
      await page.keyboard.type("keys-same");
      await only(page, "keys-same-1", "keys-same-2");
      await tabTo(page, "", "[role=row]");
      await page.keyboard.press("x");
      await page.keyboard.press("Shift+ArrowDown");
      await page.getByText("2 selected").waitFor();
      await tabTo(page, "Merge");
      await page.keyboard.press("Enter");
      await previewed(page);
      await tabTo(page, "Merge", "button");
      await page.keyboard.press("Enter");
    },
    async done(page, hand) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      const left = await at.client.tags.list({ organization: "acme", q: `${hand}-same` }).all();
      expect(left.length).toBe(1);
    },
  },
  {
    name: "Delete all unused tags that a search finds",
    path: "org/acme/tags",
    review: 6,
    clicks: 0,
    keys: 0,
    async mouse(page) {
      await page.getByPlaceholder("Search tags").click();
      await page.keyboard.type("mouse-idle");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("combobox", { name: "Use" }).click();
      await page.getByRole("option", { name: "Unused" }).click();
      await only(page, "mouse-idle-1", "mouse-idle-2");
      await page.getByRole("checkbox", { name: /^Select all|^Select loaded/ }).click();
      await page.getByRole("button", { name: "Delete" }).click();
      await startJob(page, "Delete");
    },
    async keyboard(page) {
      await page.keyboard.press("/");
      await page.keyboard.type("keys-idle");
      await only(page, "keys-idle-1", "keys-idle-2");
    },
    async done(page, hand) {
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).waitFor();
      const left = await at.client.tags.list({ organization: "acme", q: `${hand}-idle` }).all();
      expect(left.length).toBe(0);
    },
  },
];

inBrowser("clicks per job", () => {
  it.each(JOBS)("$name: no more clicks than at the review", async (job) => {
    const { page, settled } = await at.open(job.path);
    await settled();
    let presses = await countPresses(page);
    await job.mouse(page);
    await job.done(page, "mouse");
    const byMouse = await presses();
    const { page: other, settled: drawn } = await at.open(job.path);
    await drawn();
    presses = await countPresses(other);
    await job.keyboard(other);
    await job.done(other, "keys");
    const byKeys = await presses();
    expect(byKeys.clicks).toBe(0);
    expect(byMouse.clicks).toBeLessThanOrEqual(job.review);
    expect({ clicks: byMouse.clicks, keys: byKeys.keys }).toEqual({ clicks: job.clicks, keys: job.keys });
  });
});

async function only(page: Page, ...names: readonly string[]): Promise<void> {
  const links = page.locator("[role=grid] [role=row] a");
  await expect.poll(async () => (await links.allTextContents()).filter((text) => text !== "")).toEqual(names);
}

async function previewed(page: Page): Promise<void> {
  await page.getByRole("dialog").getByText(/would change/).waitFor();
}

async function startJob(page: Page, button: string): Promise<void> {
  await previewed(page);
  await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
}
