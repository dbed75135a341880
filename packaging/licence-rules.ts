/** Which licences this project takes. */

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
 * Whether a licence, or an expression such as `(MPL-2.0 OR Apache-2.0)`, is among those that are allowed: one side of an OR is
 * enough, of an AND both are needed. What it cannot read is not.
 */
export function permits(allowed: ReadonlySet<string>, expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (/[()]/.test(text)) return false;
  return text.split(" OR ").some((side) => side.split(" AND ").every((name) => allowed.has(MEANT[name] ?? name)));
}
