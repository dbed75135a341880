/** A request to a server that a configuration names: of an auth method, or of a webhook. */
export interface OutboundRequest {
  method: "GET" | "POST";
  /** `https:` or `http:`. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** PEM: the only authorities that may vouch for the server; without it those of the system. */
  ca?: string | undefined;
  /** Ends the request before its time. */
  signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** UTF-8. */
  body: string;
}

/** No answer could be had. The message says why in words of ours and quotes nothing that was read. */
export class OutboundError extends Error {}

/**
 * Sends a request and reads the whole answer, of any status but a redirect.
 *
 * @throws OutboundError
 */
export type Ask = (request: OutboundRequest) => Promise<OutboundResponse>;
