/**
 * What clients of `/v1` ask of the server itself when they start. There is no
 * cluster to speak of: each server answers as the leader, since each takes writes.
 */
/** What a server knows of itself. */
export interface Node {
  /** Name of the host, unless the operator chose one. */
  name: string;
  datacenter: string;
  edition: "enterprise" | "community";
  /** Version of this program, not the one that clients are told. */
  version: string;
}

/** The version whose behaviour `/v1` has; clients switch features by it. */
export function compatibleVersion(edition: Node["edition"]): string {
  return edition === "enterprise" ? "1.21.0+ent" : "1.21.0";
}
