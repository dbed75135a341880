/** A job that the console review counted, and what several of them do. */
import type { Client } from "@tessera-server/client";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { tabTo } from "./presses.ts";

export const HANDS = ["mouse", "keys"] as const;
export type Hand = (typeof HANDS)[number];

/** A job, done by each hand on objects of its own: organization `<hand>-inc`, and names that begin with the hand. */
export interface Job {
  readonly name: string;
  path(hand: Hand): string;
  /** What the console may need at most. */
  readonly clicks: number;
  readonly presses: number;
  mouse(page: Page): Promise<void>;
  keys(page: Page): Promise<void>;
  /** Waits until it is done. */
  done(by: { readonly page: Page; readonly hand: Hand; readonly client: Client }): Promise<void>;
}

export async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type(text);
}

export async function only(page: Page, ...names: readonly string[]): Promise<void> {
  const links = page.locator("[role=grid] [role=row] a[href]");
  await expect.poll(async () => (await links.allTextContents()).filter((text) => names.includes(text))).toEqual(names);
  await expect.poll(async () => page.locator("[role=grid] [role=row][data-index]").count()).toBe(names.length);
}

/** Waits until a dialog has the focus: Tab would go on behind it. */
export async function opened(page: Page): Promise<void> {
  await page.locator("[role=dialog] :focus").waitFor();
}

export async function previewed(page: Page): Promise<void> {
  await opened(page);
  await page
    .getByRole("dialog")
    .getByText(/would change/)
    .waitFor();
}

/** Goes to a button by Tab, and presses it. */
export async function press(page: Page, button: string, tab: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await tabTo(page, button, "button:enabled", tab);
  await page.keyboard.press("Enter");
}

/** The same for an action of the selection, by its key. */
export async function selectionDoes(page: Page, button: string): Promise<void> {
  await page.keyboard.press("b");
  await page.getByRole("region", { name: "Selection" }).locator("button:focus").waitFor();
  await press(page, button);
}

export async function tagsOf(client: Client, hand: Hand, q: string): Promise<number> {
  return (await client.tags.list({ organization: `${hand}-inc`, q }).all()).length;
}
