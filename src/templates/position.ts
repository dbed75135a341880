/** `line:column` of an index into a text; both count from 1, columns in characters. Only an error asks for it. */
export function positionOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let end = before.indexOf("\n"); end >= 0; end = before.indexOf("\n", end + 1)) line++;
  return `${line}:${Array.from(before.slice(lineStart)).length + 1}`;
}
