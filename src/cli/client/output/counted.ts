/** Returns a number with its noun, such as `1 tag` and `3 tags`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
