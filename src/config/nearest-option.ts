import { OPTIONS } from "./options.ts";

/** The option that comes closest to a misspelt name, for the hint in an error; undefined when none is near. */
export function nearestOption(name: string): string | undefined {
  let best: string | undefined;
  let bestDistance = 3;
  for (const option of OPTIONS) {
    const distance = editDistance(name, option.name);
    if (distance < bestDistance) {
      best = option.name;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
