/** Keys that similar names share. */
import { fold } from "../../../fold.ts";

/** Between words. */
const SEPARATORS = /[-_:.=+@]+/g;
/** Two numbers beside each other, which are another one together. */
const NUMBERS = /(\d)[-_:.=+@]+(?=\d)/g;
const KEPT = "~";

/** End of words whose last sound adds `es` in the plural. Words with an `e` behind that sound add only `s`. */
const HISSING = /(?:[sxzo]|[cs]h)es?$/;

/**
 * Returns the same text for names that are the same but for case, for what stands between their words, and for words in
 * the plural. `1-2` is not `12`: numbers are parted by something or are another number.
 */
export function alikeKey(name: string): string {
  return fold(name).replace(NUMBERS, `$1${KEPT}`).split(SEPARATORS).map(singular).join("");
}

/**
 * Returns the same text for words that share a plural: `cache`, of which `caches` could be the plural as well as of
 * `cach`, becomes what these become.
 */
function singular(word: string): string {
  const one = withoutHiss(word);
  return one.length > 2 && one.endsWith("s") && !one.endsWith("ss") ? one.slice(0, -1) : one;
}

function withoutHiss(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("ie")) return `${word.slice(0, -2)}y`;
  if (!HISSING.test(word)) return word;
  const stem = word.endsWith("es") ? word.slice(0, -2) : word.slice(0, -1);
  return stem.length > 2 ? stem : word;
}
