/**
 * The media type of a `Content-Type` header in lower case, without its
 * parameters; undefined when the header is missing or malformed. White space
 * is allowed only around the whole, and around semicolons: a type that reads
 * differently here and in another parser would slip past validation.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : GRAMMAR.exec(header)?.[1]?.toLowerCase();
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[\t !#-\[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"`;
const GRAMMAR = new RegExp(
  String.raw`^[ \t]*(${TOKEN}/${TOKEN})(?:[ \t]*;[ \t]*(?:${TOKEN}=(?:${TOKEN}|${QUOTED}))?)*[ \t]*$`,
);
