/** Kind of a failure between the client and the server. */
export type ConnectionFault =
  /** No process listens at the address. */
  | "refused"
  /** The host name is unknown. */
  | "dns"
  /** The TLS handshake failed. */
  | "tls"
  /** No response within the timeout. */
  | "timeout"
  /** The connection ended before the end of the response. */
  | "cut"
  /** The server is unreachable, and the platform does not report the reason; browsers never do. */
  | "unreachable"
  /** The response is not from a Tessera server. */
  | "protocol";

/** No response, or none that is readable. Whether the server executed a write is unknown. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly kind: ConnectionFault;

  constructor(kind: ConnectionFault, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** One entry of an error document of `/api/v2`. */
export interface ErrorEntry {
  readonly status: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: { readonly pointer?: string };
}

/** The server refused: it answered with a status that is no success. */
export class TesseraError extends Error {
  override readonly name = "TesseraError";
  readonly status: number;
  /** Name of the status, such as `not found`; under `/api/v2` the title that the server sends. */
  readonly title: string;
  /** Error message of the server; empty when it sends none. */
  readonly detail: string;
  /** The member of the body that is at fault, as a JSON pointer. */
  readonly pointer: string | undefined;
  /** All entries of an error document; empty under `/v1`. */
  readonly errors: readonly ErrorEntry[];
  /** ID of the request in the server's log and audit records. */
  readonly requestId: string | undefined;
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined;
  /**
   * Directory of declared files whose ownership prevented the write. `?` when the token may not know it, undefined for
   * other errors.
   */
  readonly owner: string | undefined;
  readonly headers: Headers;

  constructor(asked: string, status: number, headers: Headers, text: string) {
    const errors = entriesOf(text, headers);
    const [first] = errors;
    const title = first?.title ?? TITLES[status] ?? `status ${status}`;
    const detail = (first ? (first.detail ?? "") : plainText(text, headers)).slice(0, MOST_DETAIL);
    super(`${asked}: ${status} ${title}${detail === "" ? "" : `: ${detail}`}`);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.pointer = first?.source?.pointer;
    this.errors = errors;
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.retryAfter = retryAfterOf(headers);
    this.owner = headers.get("x-tessera-owner") ?? undefined;
    this.headers = headers;
  }
}

const MOST_DETAIL = 2000;

const TITLES: Readonly<Record<number, string>> = {
  400: "bad request",
  401: "unauthorized",
  403: "forbidden",
  404: "not found",
  409: "conflict",
  410: "gone",
  413: "payload too large",
  429: "too many requests",
  500: "internal server error",
  502: "bad gateway",
  503: "service unavailable",
  504: "gateway timeout",
};

function entriesOf(text: string, headers: Headers): readonly ErrorEntry[] {
  if (!/json/.test(headers.get("content-type") ?? "")) return [];
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    return Array.isArray(errors) ? (errors as ErrorEntry[]) : [];
  } catch {
    return [];
  }
}

/** Returns the text of a response; empty for HTML, which comes from a proxy and does not help the caller. */
function plainText(text: string, headers: Headers): string {
  return /html/.test(headers.get("content-type") ?? "") ? "" : text.trim();
}

/** `Retry-After` in seconds, which is a number or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null || text === "") return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Explanation of each kind for the user, with advice. */
const ADVICE: Readonly<Record<ConnectionFault, string>> = {
  refused: "connection refused; check that the server is running, and check the port",
  dns: "the host name was not found",
  tls: "TLS connection failed",
  timeout: "no response before the timeout",
  cut: "the connection closed before the response was complete",
  unreachable: "the server is unreachable",
  protocol: "the response is not from a Tessera server; check the address",
};

/** Advice for certificate errors, by a pattern for the platform's error code. */
const TLS_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/EXPIRED/, "the server's certificate has expired; renew it"],
  [/NOT_YET_VALID/, "the server's certificate is not valid yet; check the clocks"],
  [/ALTNAME/, "the server's certificate is for a different name; use that name in the address"],
  [
    /SELF_SIGNED|UNABLE_TO|ISSUER|UNTRUSTED/,
    "the CA of the server's certificate is not trusted; set the file of the CA (Node.js: NODE_EXTRA_CA_CERTS)",
  ],
  [/WRONG_VERSION|EPROTO|PACKET_LENGTH/, "the port does not use TLS; use an address that starts with http://"],
  [/CERTIFICATE_REQUIRED|ALERT/, "the server requires a client certificate, or another version of TLS"],
];

/** The error for what a platform's `fetch` threw. */
export function connectionError(address: string, thrown: unknown): ConnectionError {
  if (thrown instanceof ConnectionError) return thrown;
  const { code, text } = causeOf(thrown);
  const kind = kindOf(code, text);
  const advice = (kind === "tls" ? TLS_ADVICE.find(([pattern]) => pattern.test(code))?.[1] : undefined) ?? ADVICE[kind];
  return new ConnectionError(kind, `${address}: ${advice}${code === "" ? "" : ` (${code})`}`, { cause: thrown });
}

/** Returns the code of the innermost cause that has one: fetch wraps the socket's error. */
function causeOf(thrown: unknown): { code: string; text: string } {
  let code = "";
  let text = "";
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") code = at.code;
    text += `${at.message} `;
  }
  return { code, text };
}

function kindOf(code: string, text: string): ConnectionFault {
  if (code === "ECONNREFUSED") return "refused";
  if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns";
  if (/TIMEOUT|TIMEDOUT/.test(code)) return "timeout";
  if (/TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO|EPROTO|ISSUER/.test(code)) return "tls";
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED|ERR_STREAM_PREMATURE_CLOSE)$/.test(code)) return "cut";
  if (/^(HPE_|UND_ERR_)/.test(code)) return "protocol";
  return /terminated|network error/.test(text) ? "cut" : "unreachable";
}
