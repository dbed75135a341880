/** What a hand does at a page: clicks and keys, counted by the page itself, and the way by Tab. */
import type { Page } from "playwright-core";

/** Presses since the count began. */
export interface Presses {
  readonly clicks: number;
  /** Keys but those that type text: Tab, Enter, arrows, shortcuts. */
  readonly keys: number;
}

/** Begins to count in the page that is open, from its state now on. Another load of the page ends the count. */
export async function countPresses(page: Page): Promise<() => Promise<Presses>> {
  await page.evaluate(`{
    const presses = (window.presses = { clicks: 0, keys: 0 });
    const isText = (at) => at instanceof Element && at.matches("input:not([type=checkbox]), textarea, [contenteditable=true]");
    addEventListener("pointerdown", (event) => event.isTrusted && presses.clicks++, true);
    addEventListener("keydown", (event) => {
      const isTyped = event.key.length === 1 && !event.ctrlKey && isText(event.target);
      if (event.isTrusted && !isTyped && event.key !== "Control" && event.key !== "Shift") presses.keys++;
    }, true);
  }`);
  return async () => page.evaluate<Presses>("window.presses");
}

/** Goes on by Tab until what has the focus is called so; `kind` says what it is, as CSS does. */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  kind = "*",
  tab: "Tab" | "Shift+Tab" = "Tab",
): Promise<void> {
  for (let steps = 0; steps < 120; steps += 1) {
    const called = await page.evaluate(`(() => {
      const at = document.activeElement;
      if (at === null || !at.matches(${JSON.stringify(kind)})) return undefined;
      return at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent ?? "";
    })()`);
    if (typeof called === "string" && (name === "" || (typeof name === "string" ? called === name : name.test(called))))
      return;
    await page.keyboard.press(tab);
  }
  throw new Error(`no ${String(name)} is reached by Tab`);
}
