/** Which files of the repository are pages of the site, under which paths, and where a link leads there. */
import { existsSync } from "node:fs";
import { posix, resolve } from "node:path";

/** Of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");
const SOURCES = "https://github.com/tessera-server/tessera/blob/main/";

/** What is a page besides all that lies in docs/. */
const OUTSIDE: Readonly<Record<string, string>> = {
  "README.md": "about.md",
  "CHANGELOG.md": "changelog.md",
  "SECURITY.md": "security.md",
  "CONTRIBUTING.md": "contributing.md",
  "packages/client/README.md": "client-package.md",
};

/** The page of a file, as the site has it; undefined when it is none. */
export function pageOf(file: string): string | undefined {
  if (OUTSIDE[file] !== undefined) return OUTSIDE[file];
  if (!file.startsWith("docs/") || file.startsWith("docs/site/") || !file.endsWith(".md")) return undefined;
  // The list of decisions is what one finds under their folder.
  return file.slice("docs/".length).replace(/(^|\/)README\.md$/, "$1index.md");
}

/** Where a link of a file leads on the site. @throws Error when it leads nowhere */
export function linkOf(file: string, href: string): string {
  if (/^([a-z]+:|#|\/\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
  if (target.startsWith("..") || !existsSync(resolve(ROOT, target))) {
    throw new Error(`${file} has a link to ${href}, which is not there`);
  }
  const page = pageOf(target);
  const place = page === undefined ? `${SOURCES}${target}` : `/${page}`;
  return anchor === undefined ? place : `${place}#${anchor}`;
}
