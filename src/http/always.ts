/** The headers of every answer, whatever it is: nothing here is to be kept by others, guessed at, or run in a page. */
const ALWAYS = {
  // All of it was decided by rights, or is of the moment.
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  vary: "Accept-Encoding, Authorization, X-Service-Token, X-Consul-Token",
  "x-content-type-options": "nosniff",
} as const;

/** A year. Other names of the host are not this server's business. */
const UNDER_TLS = { "strict-transport-security": "max-age=31536000" } as const;

export type FixedHeaders = Readonly<Record<string, string>>;

/** What every answer carries. @param isTls whether the server itself speaks TLS */
export function fixedHeaders(isTls: boolean): FixedHeaders {
  return isTls ? { ...ALWAYS, ...UNDER_TLS } : ALWAYS;
}
