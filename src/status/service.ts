/**
 * What clients of `/v1` ask of the server itself when they start. There is no
 * cluster to speak of: each server answers as the leader, since each takes writes.
 */
import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

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

/** @throws AppError `forbidden` when the caller may not read the agent of this name */
export function checkAgentRead({ actor }: Pick<Context, "actor">, name: string): void {
  if (authorize(actor, "agent", name, "read")) return;
  const permission = `lacks permission 'agent:read' on "${name}"`;
  throw new AppError(
    "forbidden",
    actor.anonymous
      ? `Permission denied: anonymous token ${permission}. ` +
          "The anonymous token is used implicitly when a request does not specify a token."
      : `Permission denied: token with AccessorID '${actor.accessorId}' ${permission}`,
  );
}
