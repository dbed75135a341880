/** Headers by which a read says what its client has, and how long it would wait for something else. */

/** Whether an entity tag is one of those that the client has. */
export type Condition = (etag: string) => boolean;

/** What `If-None-Match` says (RFC 9110, 13.1.2): tags that are compared weakly, or `*` for any; undefined without it. */
export function readCondition(header: string | undefined): Condition | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return () => true;
  const known = new Set(header.match(/"[^"]*"/g));
  return (etag) => known.has(etag);
}

const MAX_WAIT_SECONDS = 600;

/**
 * The seconds of `Prefer: wait=…` (RFC 7240, 4.3), 600 at most; 0 without it. The first one counts, and what is malformed is
 * no preference, as that document wants it.
 */
export function readWait(header: string | string[] | undefined): number {
  for (const preference of String(header ?? "").split(",")) {
    const wait = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference);
    if (wait !== null) return Math.min(Number(wait[1]), MAX_WAIT_SECONDS);
  }
  return 0;
}
