/** Nouns of commands in sentences of their help. */

export function withArticle({ noun }: { noun: string }): string {
  const words = noun.replaceAll("-", " ");
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}

/** A kind as the first words of a help text. */
export function nounOf(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll("-", " ")}`;
}
