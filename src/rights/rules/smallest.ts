/** The least that has to be written for something to be allowed. Pure. */
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
import { PARTITION_ONLY, ROOT_ONLY } from "./acting-rules.ts";
import { fold } from "../../fold.ts";
import { SCALARS, type Access, type Resource } from "./rule.ts";

/**
 * The text of a policy with one rule that allows just this; undefined where no policy that lies there can, or where it takes more
 * than one.
 *
 * @param scope where it is asked
 * @param home where the policy is to lie
 */
export function smallestRule(
  resource: Resource,
  segment: string,
  access: Access,
  scope: Scope,
  home: Scope,
): string | undefined {
  if (ROOT_ONLY.has(resource)) return isRootScope(home) ? ruleText(resource, segment, access) : undefined;
  if (resource === "partition") return isRootScope(home) ? block("partition", segment, permission(access)) : undefined;
  if (!isRootScope(home) && scope.partition !== home.partition) return undefined;
  const isOfPartition = PARTITION_ONLY.has(resource) || resource === "namespace";
  if (home.namespace !== DEFAULT_SCOPE.namespace) {
    if (isOfPartition || scope.namespace !== home.namespace) return undefined;
    return resource === "node" && access === "write" ? undefined : ruleText(resource, segment, access);
  }
  let text =
    resource === "namespace" ? block("namespace", segment, permission(access)) : ruleText(resource, segment, access);
  if (!isOfPartition && scope.namespace !== DEFAULT_SCOPE.namespace) text = block("namespace", scope.namespace, text);
  return scope.partition === home.partition ? text : block("partition", scope.partition, text);
}

function ruleText(resource: Resource, segment: string, access: Access): string {
  if ((SCALARS as readonly Resource[]).includes(resource)) return `${resource} = "${access}"`;
  if (resource === "key" && access === "write-prefix") return block("key_prefix", segment, permission("write"));
  if (resource !== "intention") return block(resource, segment, permission(access));
  const kind = segment === "*" ? "service_prefix" : "service";
  const label = segment === "*" ? "" : segment;
  // The permission of the service itself is the smallest possible.
  return block(kind, label, access === "write" ? 'policy = "read"\nintentions = "write"' : permission("read"));
}

function permission(access: Access): string {
  return `policy = "${access}"`;
}

function block(kind: string, label: string, inner: string): string {
  const folded = ["namespace", "partition", "organization", "workspace"].includes(kind) ? fold(label) : label;
  return `${kind} ${quoted(folded)} {\n  ${inner.replaceAll("\n", "\n  ")}\n}`;
}

/** As both spellings of the language read it back. */
function quoted(label: string): string {
  return JSON.stringify(label);
}
