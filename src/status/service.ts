/**
 * What clients of `/v1` ask of the server itself when they start. There is no
 * cluster to speak of: each server answers as the leader, since each takes writes.
 */
import { authorize } from "../acl/authorize.ts";
import { fold } from "../acl/rules/fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../acl/scope.ts";
import type { Context } from "../context.ts";

/** What a server knows of itself. */
export interface Node {
  /** Name of the host, unless the operator chose one. */
  name: string;
  datacenter: string;
  edition: "enterprise" | "community";
  /** Version of this program, not the one that clients are told. */
  version: string;
}

/** Whether the caller may know of the node. Nodes lie in the default partition, and there is no other than this one. */
export function seesNode(ctx: Pick<Context, "actor">, { name }: Node): boolean {
  return authorize(ctx.actor, "node", name, "read");
}

/** Whether this node is meant by a name, which may be in any case. */
export function isNamed({ name }: Node, asked: string, { partition }: Scope): boolean {
  return partition === DEFAULT_SCOPE.partition && fold(asked) === fold(name);
}

/** The version whose behaviour `/v1` has; clients switch features by it. */
export function compatibleVersion(edition: Node["edition"]): string {
  return edition === "enterprise" ? "1.21.0+ent" : "1.21.0";
}
