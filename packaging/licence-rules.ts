/** Licenses that this project accepts. */

/** Licenses allowed in the package: they require attribution only. Fonts have a license of their own kind. */
export const MAY_GO_ALONG: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "OFL-1.1",
]);

/** Licenses allowed for libraries that only build, test or document the program, and never leave the checkout. */
export const MAY_DEVELOP: ReadonlySet<string> = new Set([
  ...MAY_GO_ALONG,
  "CC0-1.0",
  "MPL-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** SPDX identifiers for nonstandard license names, determined from the license text in the library's folder. */
const MEANT: Readonly<Record<string, string>> = { BSD: "BSD-3-Clause" };

/**
 * Checks whether a license, or an expression such as `(MPL-2.0 OR Apache-2.0)`, is allowed. One side of an OR is
 * enough; an AND requires both. Expressions that it cannot parse are not allowed.
 */
export function permits(allowed: ReadonlySet<string>, expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (/[()]/.test(text)) return false;
  return text.split(" OR ").some((side) => side.split(" AND ").every((name) => allowed.has(MEANT[name] ?? name)));
}
