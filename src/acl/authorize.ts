import type { Actor } from "./actor.ts";
import { PARTITION_ONLY, ROOT_ONLY } from "./rules/acting-rules.ts";
import type { Access, Resource } from "./rules/rule.ts";
import { DEFAULT_SCOPE, homeOf, type Scope } from "./scope.ts";

/**
 * May this actor do this? The only place that decides; every service asks here
 * and nowhere else. Without permission a service of `/api/v2` answers as if the
 * thing were missing (`notFound`), so a refusal tells nothing about existence;
 * one of `/v1` refuses before it looks (`permission.ts`).
 *
 * @param segment what the resource is named, in the stored spelling: the name
 * of an organization, `organization/workspace-name`; empty for resources without names
 * @param scope where it lies; what lies in no namespace is asked of the partition, or of the whole server
 */
export function authorize(
  actor: Pick<Actor, "rights">,
  resource: Resource,
  segment: string,
  access: Access,
  scope: Scope = DEFAULT_SCOPE,
): boolean {
  return actor.rights.in(deciding(resource, scope)).allows(resource, segment, access);
}

/** The scope whose rules decide about a resource. */
export function deciding(resource: Resource, scope: Scope): Scope {
  if (scope === DEFAULT_SCOPE || ROOT_ONLY.has(resource) || resource === "partition") return DEFAULT_SCOPE;
  const isOfPartition = PARTITION_ONLY.has(resource) || resource === "namespace";
  return isOfPartition ? homeOf(scope.partition) : scope;
}
