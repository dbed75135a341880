/** Suggests the word that a misspelled one may mean. */

/** Maximum length of a word that may be a misspelled name. */
const LONGEST = 40;

/**
 * The name that differs least from a word, in any case; undefined when none is near: two letters, or one in a word of up to
 * four.
 */
export function closest(word: string, names: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let least = wanted.length <= 4 ? 1.5 : 2.5;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) > least) continue;
    const distance = distanceOf(wanted, name.toLowerCase());
    if (distance >= least) continue;
    [best, least] = [name, distance];
  }
  return best;
}

/** Letters added, left out, replaced, or swapped with the next. */
function distanceOf(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + Number(!isSame),
      );
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
