/** The middle of some numbers, the mean of both when there are two of them; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

/** The quarters below and above the middle of some ratios, in words. */
export function quartersOf(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) => (sorted[Math.round((sorted.length - 1) * part)] ?? 0).toFixed(3);
  return `${at(0.25)} to ${at(0.75)}`;
}
