/** Longer than any real header. Longer ones count as malformed, so that nobody makes us read them. */
const MAX_LENGTH = 1000;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[\t !#-\[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"`;
const TYPE = new RegExp(String.raw`[ \t]*(${TOKEN}/${TOKEN})`, "y");
const PARAMETER = new RegExp(String.raw`[ \t]*;(?:[ \t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))?`, "y");
const END = /[ \t]*$/y;

/**
 * The media type of a `Content-Type` header in lower case, without its
 * parameters; undefined when the header is missing, malformed or over 1,000
 * characters. White space is allowed only around the whole, and around
 * semicolons: a type that reads differently here and in another parser would
 * slip past validation.
 *
 * One parameter is read after the other, and none is looked at again: in a
 * single expression for all of them, blanks between semicolons could be shared
 * out in so many ways that a short header would hold the event loop for ever.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  TYPE.lastIndex = 0;
  const type = TYPE.exec(header)?.[1];
  if (type === undefined) return undefined;
  let end = TYPE.lastIndex;
  for (PARAMETER.lastIndex = end; PARAMETER.test(header); end = PARAMETER.lastIndex);
  END.lastIndex = end;
  return END.test(header) ? type.toLowerCase() : undefined;
}
