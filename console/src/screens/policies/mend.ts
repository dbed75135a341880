/** Quick fixes of policy rules: a word is replaced by the suggestion of the server. */

/** Suggestion of the server and its position. */
interface Suggestion {
  readonly Line?: number | undefined;
  readonly Column?: number | undefined;
  readonly DidYouMean?: string | undefined;
}

/** Returns the word or quoted text with which a text begins; empty for none. */
export function wordAt(text: string): string {
  return /^(?:"[^"\n]*"|\w+)/.exec(text)?.[0] ?? "";
}

/** Returns the suggestion as it is written in place of a word. */
export function inPlaceOf(word: string, suggestion: string): string {
  return word.startsWith('"') ? `"${suggestion}"` : suggestion;
}

/** Returns the rules with the suggestion of a finding at its position. Lines and columns count characters from 1. */
export function mended(rules: string, { Line = 1, Column = 1, DidYouMean }: Suggestion): string {
  if (DidYouMean === undefined) return rules;
  const lines = rules.split("\n");
  const line = lines[Line - 1] ?? "";
  const start = Array.from(line)
    .slice(0, Column - 1)
    .join("").length;
  const word = wordAt(line.slice(start));
  if (word === "") return rules;
  lines[Line - 1] = line.slice(0, start) + inPlaceOf(word, DidYouMean) + line.slice(start + word.length);
  return lines.join("\n");
}
