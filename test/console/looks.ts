/** Faults in the look of a page: for users who see or hear it otherwise, and on a narrow screen. */
import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";
import type { ListedPage } from "./listed-page.ts";
import type { Window } from "./open.ts";
import { pathOf } from "./pages.ts";
import type { Seeded } from "./seed.ts";

/**
 * Faults that axe finds, each with the page and the element; with `rules`, of these rules alone. axe runs in the page,
 * which has no frames: to have the results of several put together in a window of their own, as axe's library for
 * Playwright does, takes five times as long.
 */
export async function faultsOf(page: Page, name: string, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name}: ${id}: ${html.slice(0, 160)}`));
}

/** Faults that axe finds in the light scheme, and color faults of the dark one, which is the same page otherwise. */
export async function faultsInBoth(page: Page, name: string): Promise<string[]> {
  const found = await faultsOf(page, name);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  found.push(...(await faultsOf(page, `${name}, dark`, ["color-contrast"])));
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  return found;
}

/** The same of one page after the other. */
export async function faultsOfPages(window: Window, pages: readonly ListedPage[], seeded: Seeded): Promise<string[]> {
  const found: string[] = [];
  let isAsItWas = false;
  for (const page of pages) {
    // A page on which nothing was done is left as by a link.
    await (isAsItWas ? window.follow(pathOf(page, seeded)) : window.go(pathOf(page, seeded)));
    isAsItWas = page.prepare === undefined;
    await window.page.getByRole("heading", { level: 1 }).waitFor();
    await page.prepare?.(window.page);
    await window.settled();
    found.push(...(await faultsInBoth(window.page, page.name)));
    await page.leave?.(window.page);
  }
  return found;
}

/**
 * Parts of a page beyond its sides: the page itself, rows of a list, or controls that nothing around them scrolls to.
 */
export async function outside(page: Page, name: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > width) found.push("the page is " + document.documentElement.scrollWidth + " wide");
    for (const { scrollWidth, clientWidth } of document.querySelectorAll("[role=grid]"))
      if (scrollWidth > clientWidth + 1) found.push("the rows are " + scrollWidth + " of " + clientWidth + " wide");
    const scrolls = (element) => {
      for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
        const { overflowX } = getComputedStyle(at);
        if ((overflowX === "auto" || overflowX === "scroll") && at.scrollWidth > at.clientWidth) return true;
      }
      return false;
    };
    for (const element of document.querySelectorAll("a[href], button, input, textarea, [role=combobox], [role=tab]")) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (element.closest("[aria-hidden=true], .mantine-AppShell-navbar") !== null) continue;
      const { left, right, width: own, height } = element.getBoundingClientRect();
      if (own <= 1 || height <= 1) continue;
      if ((right > width + 1 || left < -1) && !scrolls(element))
        found.push((element.getAttribute("aria-label") ?? element.textContent ?? element.tagName).slice(0, 40) + " at " + Math.round(left) + " to " + Math.round(right));
    }
    return found.map((each) => ${JSON.stringify(name)} + ": " + each);
  })()`);
}
