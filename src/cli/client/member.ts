/** The member that commander makes of a flag's name. */
export function memberOf(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
