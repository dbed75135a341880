import type { Actor } from "./actor.ts";
import type { Access, Resource } from "./rules/rule.ts";

/**
 * May this actor do this? The only place that decides; every service asks here
 * and nowhere else. Without permission a service of `/api/v2` answers as if the
 * thing were missing (`notFound`), so a refusal tells nothing about existence;
 * one of `/v1` refuses before it looks (`permission.ts`).
 *
 * @param segment what the resource is named, in the stored spelling: the name
 * of an organization, `organization/workspace-name`; empty for resources without names
 */
export function authorize(actor: Actor, resource: Resource, segment: string, access: Access): boolean {
  return actor.rights.allows(resource, segment, access);
}
