/** The pictures of the console, and the pages that are listed: of each what is to be shown, and no other. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { isPictured } from "./listed-page.ts";
import { PAGES } from "./pages.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/screens");

it("docs/screens has a picture of each page, in its schemes, on a desk and on a phone", () => {
  const pages = [{ name: "sign-in", path: "" }, ...PAGES];
  const wanted = (["light", "dark"] as const).flatMap((scheme) =>
    pages
      .filter((page) => isPictured(page, scheme))
      .flatMap(({ name }) => [`${name}-desk-${scheme}.png`, `${name}-phone-${scheme}.png`]),
  );
  expect(wanted.length).toBeGreaterThan(300);
  expect(readdirSync(FOLDER).toSorted()).toEqual(wanted.toSorted());
});

it("no two pages have one name", () => {
  const names = PAGES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
