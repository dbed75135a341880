/**
 * Pictures of the pages of the console, in both schemes, on a desk and on a phone, to look at: `npm run screens` makes all of them
 * in `dist/screens`. With names, such as `-- role,roles`, only these pages; with `--locale ar`, in `dist/screens/ar` as a browser
 * of this language shows them; with `--documents` only those that documents show, in `docs/screens`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { createClient } from "@tessera-server/client";
import { isPictured } from "./listed-page.ts";
import {
  openBrowser,
  openConsole,
  openSignedIn,
  openWindow,
  signIn,
  tokenField,
  type OpenedConsole,
  type Window,
} from "./open.ts";
import { PAGES, pathOf } from "./pages.ts";
import * as pictures from "./pictures.ts";
import { withPalette } from "./png.ts";
import { seed, type Seeded } from "./seed.ts";

type Scheme = (typeof pictures.SCHEMES)[number];
type Size = (typeof pictures.SIZES)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { documents: { type: "boolean", default: false }, locale: { type: "string" } },
});
const { locale } = values;
const folder = values.documents ? pictures.SHOWN_FOLDER : join(pictures.MADE_FOLDER, locale ?? "");
const only = positionals[0]?.split(",");
const possible = pictures.picturesThatCanBeMade();
const wanted = new Set(values.documents ? pictures.picturesInDocuments() : possible);

mkdirSync(folder, { recursive: true });
const opened = await openConsole();
const browser = await openBrowser();
try {
  const seeded = await seed(opened.url, opened.token);
  const team = await tokenOfTeam(opened);
  for (const scheme of pictures.SCHEMES) {
    for (const size of pictures.SIZES) await takeAll(browser, opened, { seeded, team }, scheme, size);
  }
} finally {
  await browser.close();
  await opened.close();
}

/** Data that the pictures show. */
interface Shown {
  readonly seeded: Seeded;
  /** SecretID of a token that has few permissions. */
  readonly team: string;
}

async function takeAll(from: Browser, { url, token }: OpenedConsole, shown: Shown, scheme: Scheme, size: Size) {
  const fileOf = (page: string) => pictures.fileOfPicture(page, size.name, scheme);
  const isWanted = (page: string) => wanted.has(fileOf(page)) && (only === undefined || only.includes(page));
  const options = { scheme, ...size, ...(locale !== undefined && { locale }) };
  const window = await openWindow(from, url, options);
  const take = async ({ page, settled }: Pick<Window, "page" | "settled">, name: string) => {
    // Fonts, the answers of a page, rows that are drawn after them. The stream of events never ends, so no silence tells.
    await page.evaluate("document.fonts.ready");
    await settled();
    await page.waitForTimeout(500);
    writeFileSync(`${folder}/${fileOf(name)}`, withPalette(await page.screenshot()));
  };
  await window.go("");
  await tokenField(window.page).waitFor();
  if (isWanted(pictures.SIGN_IN)) await take(window, pictures.SIGN_IN);
  await signIn(window, token);
  for (const page of PAGES.filter((each) => isPictured(each, scheme) && isWanted(each.name))) {
    await window.go(pathOf(page, shown.seeded));
    await window.page.getByRole("heading", { level: 1 }).waitFor();
    await page.prepare?.(window.page);
    await take(window, page.name);
    await page.leave?.(window.page);
  }
  if (isWanted(pictures.MY_WORK)) {
    const own = await openSignedIn(from, url, shown.team, { ...options, path: "" });
    await own.page.getByRole("region", { name: "Denied requests" }).waitFor();
    await take(own, pictures.MY_WORK);
    await own.context.close();
  }
  if (window.faults.length > 0) console.error(window.faults);
  await window.context.close();
}

/** Makes a token of a team that may write some workspaces, soon expires, and was refused to write another one. */
async function tokenOfTeam({ url, token }: OpenedConsole): Promise<string> {
  const client = createClient({ address: url, token });
  const Rules = 'workspace_prefix "acme/web-" { policy = "write" }\nworkspace "acme/web-mail" { policy = "read" }';
  await client.policies.create({ body: { Name: "team-of-web", Rules } });
  const body = { Description: "Web team", ExpirationTTL: "48h", Policies: [{ Name: "team-of-web" }] };
  const { SecretID } = await client.tokens.create({ body });
  const own = createClient({ address: url, token: SecretID });
  const all = await own.workspaces.list({ organization: "acme" }).all();
  const mail = all.find(({ attributes }) => attributes.name === "web-mail")?.id ?? "";
  const data = { type: "workspaces" as const, attributes: { description: "ours" } };
  await own.workspaces.update({ workspace: mail, body: { data } }).catch(() => undefined);
  return SecretID;
}
