/** The pictures of the console that can be made, and those that documents show. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isPictured } from "./listed-page.ts";
import { PAGES } from "./pages.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Folder of the pictures that documents show; they are in the repository. */
export const SHOWN_FOLDER = join(ROOT, "docs/screens");

/** Folder of all other pictures: they are made on demand, and are tracked nowhere. */
export const MADE_FOLDER = join(ROOT, "dist/screens");

export const SCHEMES = ["light", "dark"] as const;

export const SIZES = [
  { name: "desk", width: 1360, height: 860 },
  { name: "phone", width: 360, height: 800 },
] as const;

/** Name of the sign-in page: no listed page shows a user who is not signed in. */
export const SIGN_IN = "sign-in";

/** Name of Home for a user with few permissions: the listed pages show a user who has all. */
export const MY_WORK = "my-work";

type Scheme = (typeof SCHEMES)[number];

export function fileOfPicture(page: string, size: string, scheme: Scheme): string {
  return `${page}-${size}-${scheme}.png`;
}

/** Names of all files that `npm run screens` makes. */
export function picturesThatCanBeMade(): string[] {
  return SCHEMES.flatMap((scheme) => {
    const names = [SIGN_IN, MY_WORK, ...PAGES.filter((page) => isPictured(page, scheme)).map(({ name }) => name)];
    return names.flatMap((page) => SIZES.map((size) => fileOfPicture(page, size.name, scheme)));
  });
}

/** Names of the files that documents show, each once. */
export function picturesInDocuments(): string[] {
  const documents = globSync(["*.md", "docs/**/*.md", "{console,packages,deploy}/**/*.md"], {
    cwd: ROOT,
    exclude: ["**/node_modules/**"],
  });
  const shown = documents.flatMap((file) =>
    Array.from(
      readFileSync(join(ROOT, file), "utf8").matchAll(/!\[[^\]]*\]\((?:[^()\s]*\/)?screens\/([^()\s/]+\.png)\)/g),
      ([, name = ""]) => name,
    ),
  );
  return [...new Set(shown)].toSorted();
}
