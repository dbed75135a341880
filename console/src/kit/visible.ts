/** Characters that cannot be seen, made visible where what is shown could pass for something else. */

/** Controls but tabs and ends of lines, marks that turn the direction of text, spaces without width. Joiners of emoji stay. */
const UNSEEN = /(?![\t\n])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** The text with each of them as its code, such as `‹U+202E›`: nothing turns round what stands behind it. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return `‹U+${code.padStart(4, "0")}›`;
  });
}
