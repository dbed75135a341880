/** How many bytes of UTF-8 `text` has up to the index `end`. Half of a surrogate pair counts as the three bytes that replace it. */
export function utf8Length(text: string, end = text.length): number {
  let bytes = 0;
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, at, end)) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

/** `line:column (offset)`: lines and columns count from 1, columns in characters, the offset in bytes. */
export function describePosition(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let end = before.indexOf("\n"); end >= 0; end = before.indexOf("\n", end + 1)) line++;
  const column = Array.from(before.slice(lineStart)).length + 1;
  return `${line}:${column} (${utf8Length(before)})`;
}

function isPair(text: string, at: number, end: number): boolean {
  const high = text.charCodeAt(at);
  const low = at + 1 < end ? text.charCodeAt(at + 1) : 0;
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
