/** What a thread that answers reads, and the one that makes all writes, tell each other about a request. */

/** A request that is to be answered by another thread. Its body has been read. */
export interface ForwardedRequest {
  /** As the client sent it. */
  method: string;
  url: string;
  /** By lower-case names, as Node joins them. */
  headers: Record<string, string>;
  body: Uint8Array | undefined;
  remoteAddress: string | undefined;
  /** Whether it came over TLS. */
  isEncrypted: boolean;
}

export interface ForwardedAnswer {
  status: number;
  /** Names and values in turn. */
  head: string[];
  body: Uint8Array | string | undefined;
}
