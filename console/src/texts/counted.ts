/** Returns a number with its noun, such as `1 tag` and `1,200 tags`. */
export function counted(count: number, singular: string, plural: string): string {
  return `${count.toLocaleString()} ${count === 1 ? singular : plural}`;
}
