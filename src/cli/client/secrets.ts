/** Text without secrets, for what is given away. It hides by form, and what is known to be one wherever it stands. */

const FORMS: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "<private key>"],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, "<jwt>"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, "$1 <hidden>"],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, "<aws key>"],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, "$1<hidden>@"],
  [
    /((?:secret|password|passwd|token|credential|authorization|cookie|api[-_]?key|private[-_]?key|master[-_]?key)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&}]+)/gi,
    "$1<hidden>",
  ],
  // A secret and an AccessorID look alike; eight characters tell which one it was, and give nobody anything.
  [/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "$1-…"],
];

/**
 * Hides secrets.
 *
 * @param known secrets that are hidden wherever they stand
 */
export function withoutSecrets(text: string, known: readonly string[]): string {
  let hidden = text;
  // The longest first: one may be a part of another.
  for (const secret of known.filter((each) => each.length >= 4).toSorted((a, b) => b.length - a.length))
    hidden = hidden.replaceAll(secret, "<hidden>");
  for (const [form, instead] of FORMS) hidden = hidden.replaceAll(form, instead);
  return hidden;
}
