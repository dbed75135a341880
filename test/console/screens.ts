/**
 * Pictures of the pages of the console, in both schemes, on a desk and on a phone, to look at: `npm run screens` makes all of them
 * in `dist/screens`. With names, such as `-- role,roles`, only these pages; with `--documents` only those that documents show,
 * in `docs/screens`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { isPictured } from "./listed-page.ts";
import { openBrowser, openConsole, openWindow, signIn, tokenField, type OpenedConsole } from "./open.ts";
import { PAGES, pathOf } from "./pages.ts";
import * as pictures from "./pictures.ts";
import { withPalette } from "./png.ts";
import { seed, type Seeded } from "./seed.ts";

type Scheme = (typeof pictures.SCHEMES)[number];
type Size = (typeof pictures.SIZES)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { documents: { type: "boolean", default: false } },
});
const folder = values.documents ? pictures.SHOWN_FOLDER : pictures.MADE_FOLDER;
const only = positionals[0]?.split(",");
const possible = pictures.picturesThatCanBeMade();
const wanted = new Set(values.documents ? pictures.picturesInDocuments() : possible);

mkdirSync(folder, { recursive: true });
const opened = await openConsole();
const browser = await openBrowser();
try {
  const seeded = await seed(opened.url, opened.token);
  for (const scheme of pictures.SCHEMES) {
    for (const size of pictures.SIZES) await takeAll(browser, opened, seeded, scheme, size);
  }
} finally {
  await browser.close();
  await opened.close();
}

async function takeAll(from: Browser, { url, token }: OpenedConsole, seeded: Seeded, scheme: Scheme, size: Size) {
  const fileOf = (page: string) => pictures.fileOfPicture(page, size.name, scheme);
  const isWanted = (page: string) => wanted.has(fileOf(page)) && (only === undefined || only.includes(page));
  const window = await openWindow(from, url, { scheme, ...size });
  const take = async (page: string) => {
    // Fonts, the answers of a page, rows that are drawn after them. The stream of events never ends, so no silence tells.
    await window.page.evaluate("document.fonts.ready");
    await window.page.waitForTimeout(500);
    writeFileSync(`${folder}/${fileOf(page)}`, withPalette(await window.page.screenshot()));
  };
  await window.go("");
  await tokenField(window.page).waitFor();
  if (isWanted(pictures.SIGN_IN)) await take(pictures.SIGN_IN);
  await signIn(window, token);
  for (const page of PAGES.filter((each) => isPictured(each, scheme) && isWanted(each.name))) {
    await window.go(pathOf(page, seeded));
    await window.page.getByRole("heading", { level: 1 }).waitFor();
    await page.prepare?.(window.page);
    await take(page.name);
    await page.leave?.(window.page);
  }
  if (window.faults.length > 0) console.error(window.faults);
  await window.context.close();
}
