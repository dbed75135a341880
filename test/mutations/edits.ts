/** Puts a text of code in place of another, which is found by the declaration that it stands in and not by its line. */
import { blanked, type Code, type Span } from "./code.ts";

/** A text for another. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  /** The dotted path of the declaration; none where the text stands outside of all, as imports do. */
  readonly within: string | undefined;
  /** Stands once in it. Comments, white space between words and signs, and commas at the end of a list are passed over. */
  readonly from: string;
  readonly to: string;
}

/**
 * The text of a file with these edits, each of which is looked for in the file as it is.
 *
 * @throws Error when one has no place, or several
 */
export function edited(code: Code, edits: readonly Edit[]): string {
  let { text } = code;
  const placed = edits.map((edit) => ({ edit, place: placeOf(code, edit) }));
  const fromTheEnd = placed.toSorted((one, other) => other.place.start - one.place.start);
  let before = text.length;
  for (const { edit, place } of fromTheEnd) {
    if (place.end > before) throw new Error(`${edit.file}: two edits are of the same text: ${edit.from}`);
    before = place.start;
    text = text.slice(0, place.start) + edit.to + text.slice(place.end);
  }
  return text;
}

/** The place of an edit. @throws Error when it has none, or several */
export function placeOf(code: Code, { file, within, from }: Edit): Span {
  const [one, ...others] = findIn(code, within, from, file);
  const where = within === undefined ? `${file}, outside of all declarations` : `${within} of ${file}`;
  if (others.length > 0) throw new Error(`${where}: this stands there ${others.length + 1} times: ${from}`);
  if (one === undefined) throw new Error(`${where}: this does not stand there${elsewhere(code, from)}: ${from}`);
  return one;
}

/** All places of a text within a declaration. @throws Error when there is no such declaration, or several */
export function findIn({ bare, declared }: Code, within: string | undefined, from: string, file: string): Span[] {
  if (within === undefined) {
    const outermost = [...declared].filter(([path]) => !path.includes(".")).flatMap(([, spans]) => spans);
    return matches(blanked(bare, outermost), { start: 0, end: bare.length }, from);
  }
  const spans = declared.get(within) ?? [];
  const [span] = spans;
  if (span === undefined)
    throw new Error(`${file} declares no ${within}${elsewhere({ bare, declared }, from)}: ${from}`);
  if (spans.length > 1) throw new Error(`${file} declares ${within} ${spans.length} times; name what is around it`);
  return matches(bare, span, from);
}

function matches(bare: string, { start, end }: Span, from: string): Span[] {
  return [...bare.slice(start, end).matchAll(patternOf(from))].map(({ 0: found, index }) => ({
    start: start + index,
    end: start + index + found.length,
  }));
}

/** Names declarations that have the text, innermost first: an edit is renewed by one of them. */
function elsewhere({ bare, declared }: Pick<Code, "bare" | "declared">, from: string): string {
  const having = [...declared].filter(([, spans]) => spans.some((span) => matches(bare, span, from).length > 0));
  const paths = having.map(([path]) => path).toReversed();
  return paths.length === 0 ? "" : ` (but in ${paths.join(", ")})`;
}

const CLOSING = new Set([")", "]", "}"]);

/** However a formatter has broken the lines. */
function patternOf(from: string): RegExp {
  const tokens = from.match(/[\w$]+|[^\w$\s]/g) ?? [];
  // Between two words a blank has to stay: they are two tokens for it.
  const parts = tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    if (token === "," && next !== undefined && CLOSING.has(next)) return [];
    const spelled = token.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
    const isWord = /[\w$]/.test(token);
    return [
      isWord
        ? String.raw`(?<![\w$])${spelled}(?![\w$])`
        : CLOSING.has(token)
          ? String.raw`(?:,\s*)?${spelled}`
          : spelled,
    ];
  });
  return new RegExp(parts.join(String.raw`\s*`), "g");
}
