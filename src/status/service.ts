/**
 * Answers the questions of clients of `/v1` about the server itself at their start. There is no cluster: each server
 * answers as the leader, since each takes writes.
 */
import { authorize } from "../rights/authorize.ts";
import { fold } from "../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../rights/scope.ts";
import type { Context } from "../context.ts";

/** Facts about this server. */
export interface Node {
  /** Name of the host, unless the operator chose one. */
  name: string;
  datacenter: string;
  edition: "enterprise" | "community";
  /** Version of this program; clients get another one. */
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
