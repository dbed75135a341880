/** Case that names and segments are compared in: ASCII letters only, so that no other letter folds into a name. */
export function fold(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
