/**
 * Requests of which is certain where they end, by any reader of HTTP: Node answers them, and the connection can come back. Whatever
 * could be read in two ways is no such request.
 */

const REQUEST_LINE = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE) \/[\x21-\x7e]* HTTP\/1\.1$/;
/** A name, and printable ASCII behind one blank. */
const HEADER = /^([A-Za-z0-9-]+): ((?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?)$/;
const LENGTH = /^(?:0|[1-9]\d{0,6})$/;

/** Headers by which a request ends elsewhere, or its connection becomes another one. */
const ENDS_ELSEWHERE: ReadonlySet<string> = new Set([
  "transfer-encoding",
  "trailer",
  "te",
  "upgrade",
  "expect",
  "http2-settings",
  "proxy-connection",
  "keep-alive",
]);

/** Whether these bytes are one request, from its first byte to its last. */
export function isWholeRequest(bytes: Buffer): boolean {
  const end = bytes.indexOf("\r\n\r\n", 0, "latin1");
  if (end < 0) return false;
  const [line = "", ...headers] = bytes.toString("latin1", 0, end).split("\r\n");
  if (!REQUEST_LINE.test(line)) return false;
  let length: string | undefined;
  for (const header of headers) {
    const [, name = "", value = ""] = HEADER.exec(header) ?? [];
    const known = name.toLowerCase();
    if (known === "" || ENDS_ELSEWHERE.has(known)) return false;
    if (known === "connection" && value.toLowerCase() !== "keep-alive") return false;
    if (known !== "content-length") continue;
    if (length !== undefined || !LENGTH.test(value)) return false;
    length = value;
  }
  return bytes.length - end - 4 === Number(length ?? 0);
}
