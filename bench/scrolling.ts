/** Tasks that hold up a page of the console while one of its lists is scrolled. */
import type { Browser, Page } from "playwright-core";

export const FIRST_ROW = '[role="row"][aria-rowindex="2"]';

/** A task that is longer holds up frames that people see. */
const LONG = 50;

/** Result of scrolling in one way; task times in ms, the longest first. */
export interface Scrolled {
  readonly way: string;
  /** Last row reached. */
  readonly row: number;
  /** Long tasks that the browser reports: wall-clock time, even when another process had the processor. */
  readonly told: readonly number[];
  /** Processor time of all tasks. Another process on the core makes none of them long. */
  readonly worked: readonly number[];
}

const WAYS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async wheel(page) {
    await page.locator(FIRST_ROW).hover();
    for (let step = 0; step < 250; step += 1) {
      await page.mouse.wheel(0, 400);
      await page.waitForTimeout(16);
    }
  },
  async "page down"(page) {
    await page.locator('[role="grid"] [role="row"][tabindex="0"]').focus();
    for (let step = 0; step < 150; step += 1) {
      await page.keyboard.press("PageDown");
      await page.waitForTimeout(16);
    }
  },
  // To each end of what was read and back, as fast as a hand is, which also has more of it read.
  async "scrollbar dragged"(page) {
    await page.evaluate(`new Promise((resolve) => {
      const grid = document.querySelector('[role="grid"]');
      let step = 0;
      const move = () => {
        grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * (1 - Math.cos(step / 20)) / 2;
        if (++step < 500) requestAnimationFrame(move);
        else resolve();
      };
      move();
    })`);
  },
};

/** Scrolls the list of the page in each way, one after the other, each from the first row on. */
export async function scrollInAllWays(browser: Browser, page: Page): Promise<Scrolled[]> {
  const found: Scrolled[] = [];
  for (const [way, scroll] of Object.entries(WAYS)) {
    await page.evaluate(`document.querySelector('[role="grid"]').scrollTop = 0`);
    await page.locator(FIRST_ROW).waitFor();
    await page.waitForTimeout(500);
    found.push(await watched(browser, page, way, scroll));
  }
  return found;
}

interface Traced {
  readonly traceEvents: readonly { name: string; tid: number; tdur?: number; args?: { name?: string } }[];
}

async function watched(
  browser: Browser,
  page: Page,
  way: string,
  scroll: (page: Page) => Promise<void>,
): Promise<Scrolled> {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  await page.evaluate(`
    window.longTasks = [];
    window.longTaskObserver = new PerformanceObserver((list) =>
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration)));
    window.longTaskObserver.observe({ type: "longtask" });
  `);
  await scroll(page);
  await page.waitForTimeout(300);
  const told: number[] = await page.evaluate(`(window.longTaskObserver.disconnect(), window.longTasks)`);
  const row: number = await page.evaluate(
    `Math.max(...[...document.querySelectorAll("[aria-rowindex]")].map((row) => Number(row.getAttribute("aria-rowindex"))))`,
  );
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as Traced;
  const main = new Set(traceEvents.filter(({ args }) => args?.name === "CrRendererMain").map(({ tid }) => tid));
  const tasks = traceEvents.filter(({ name, tid }) => main.has(tid) && /RunTask/.test(name));
  return {
    way,
    row,
    told: told.toSorted((a, b) => b - a),
    worked: tasks.map(({ tdur = 0 }) => tdur / 1000).sort((a, b) => b - a),
  };
}

/** A row of the report for each way. */
export function factsOf(list: string, ways: readonly Scrolled[]): string[] {
  const long = (tasks: readonly number[]) =>
    `${tasks.filter((each) => each > LONG).length} (longest ${(tasks[0] ?? 0).toFixed(0)} ms)`;
  return ways.map(
    ({ way, row, told, worked }) =>
      `${list}, ${way}, to row ${row}: long tasks (over ${LONG} ms, goal 0): ${long(told)} by the clock, ${long(worked)} of ${worked.length} by processor time`,
  );
}
