/** Actions on rules that are being written. */
import type { Page } from "playwright-core";

/** Puts rules into the editor in the place of what is there. */
export async function typeRules(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content[contenteditable=true]").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Asks whether the draft gives access to a workspace. */
export async function askOfDraft(page: Page, access: string, name: string): Promise<void> {
  const panel = page.getByRole("region", { name: "Check access" });
  await panel.getByRole("combobox", { name: "Access" }).click();
  await page.getByRole("option", { name: access, exact: true }).click();
  await panel.getByRole("combobox", { name: "Resource name" }).fill(name);
  await panel.getByRole("button", { name: "Check" }).click();
}
