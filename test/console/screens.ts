/** Pictures of every page, both schemes, on a desk and on a phone: `npm run screens`. With names, such as `role,roles`, only these pages. */
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { isPictured } from "./listed-page.ts";
import { openBrowser, openConsole, openWindow, signIn, tokenField } from "./open.ts";
import { PAGES, pathOf } from "./pages.ts";
import { withPalette } from "./png.ts";
import { seed } from "./seed.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/screens");
const SIZES = [
  { name: "desk", width: 1360, height: 860 },
  { name: "phone", width: 390, height: 844 },
] as const;

mkdirSync(FOLDER, { recursive: true });
const only = process.argv[2]?.split(",");
const opened = await openConsole();
const browser = await openBrowser();
try {
  const seeded = await seed(opened.url, opened.token);
  for (const scheme of ["light", "dark"] as const) {
    for (const size of SIZES) {
      const window = await openWindow(browser, opened.url, { scheme, ...size });
      const take = async (name: string) => {
        // Fonts, the answers of a page, rows that are drawn after them. The stream of events never ends, so no silence tells.
        await window.page.evaluate("document.fonts.ready");
        await window.page.waitForTimeout(500);
        const picture = withPalette(await window.page.screenshot());
        writeFileSync(`${FOLDER}/${name}-${size.name}-${scheme}.png`, picture);
      };
      await window.go("");
      await tokenField(window.page).waitFor();
      if (only === undefined || only.includes("sign-in")) await take("sign-in");
      await signIn(window, opened.token);
      const wanted = PAGES.filter((page) => isPictured(page, scheme));
      for (const page of wanted.filter(({ name }) => only === undefined || only.includes(name))) {
        await window.go(pathOf(page, seeded));
        await window.page.getByRole("heading", { level: 1 }).waitFor();
        await page.prepare?.(window.page);
        await take(page.name);
        await page.leave?.(window.page);
      }
      if (window.faults.length > 0) console.error(window.faults);
      await window.context.close();
    }
  }
} finally {
  await browser.close();
  await opened.close();
}
