/**
 * Requests of one narrow form, read without doubt: what any reader of HTTP would take for the same request. Whatever is in the
 * least another goes to Node's parser.
 */

/** A request that came whole, alone and in the narrow form. */
export interface NarrowRequest {
  readonly method: "GET" | "POST";
  /** Path alone: printable ASCII without escapes, query or fragment. */
  readonly url: string;
  /** By their names in lower case; each came once. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without one. */
  readonly body: Buffer | undefined;
}

/** Longer heads, in bytes, are left to Node, which knows its limit. */
const MAX_HEAD_BYTES = 4096;
/** Bodies from here on are counted while they are received, which is not done here. */
const MAX_BODY_BYTES = 16 * 1024;

const REQUEST_LINE = /^(GET|POST) (\/[A-Za-z0-9/._~-]*) HTTP\/1\.1$/;
const NAME = /^[A-Za-z0-9-]+$/;
/** Printable ASCII that neither begins nor ends with a blank. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const LENGTH = /^(?:0|[1-9]\d{0,4})$/;

/** Headers that have no meaning beside the one that the lane knows. With any other the request is not narrow. */
const KNOWN: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "host",
  "user-agent",
  "x-consul-token",
  "x-service-token",
]);

/** The headers that a connection sent last: nearly every client repeats them to the letter. */
export interface LastHeaders {
  text: string;
  headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads what has arrived on a connection on which nothing is open.
 *
 * @param last of the same connection; brought up to date
 * @returns undefined unless it is exactly one whole request in the narrow form
 */
export function parseNarrow(bytes: Buffer, last: LastHeaders): NarrowRequest | undefined {
  const end = bytes.indexOf("\r\n\r\n", 0, "latin1");
  if (end < 0 || end > MAX_HEAD_BYTES) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const cut = head.indexOf("\r\n");
  const [, method, url] = REQUEST_LINE.exec(head.slice(0, cut)) ?? [];
  if (cut < 0 || url === undefined || url.includes("//")) return undefined;
  const text = head.slice(cut + 2);
  if (text !== last.text) {
    last.text = text;
    last.headers = readHeaders(text.split("\r\n"));
  }
  const { headers } = last;
  if (headers === undefined) return undefined;
  const announced = headers["content-length"];
  const length = bytes.length - end - 4;
  if (announced === undefined ? length > 0 || method === "POST" : Number(announced) !== length) return undefined;
  if (length > MAX_BODY_BYTES || (method === "GET" && length > 0)) return undefined;
  const body = length === 0 ? undefined : bytes.subarray(end + 4);
  return { method: method as NarrowRequest["method"], url, headers, body };
}

function readHeaders(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(": ");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 2);
    if (colon < 1 || !KNOWN.has(name) || !NAME.test(name) || !VALUE.test(value) || headers[name] !== undefined)
      return undefined;
    headers[name] = value;
  }
  const { host, connection, "content-length": length } = headers;
  if (host === undefined || (connection !== undefined && connection.toLowerCase() !== "keep-alive")) return undefined;
  return length !== undefined && !LENGTH.test(length) ? undefined : headers;
}
