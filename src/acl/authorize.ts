import type { Actor } from "./actor.ts";
import type { Access } from "./rights.ts";

/**
 * May this actor do this? The only place that decides; every service asks here
 * and nowhere else. Without permission a service answers as if the thing were
 * missing (`notFound`), so a refusal tells nothing about existence.
 *
 * @param segment name of the organization, or `organization/workspace-name`,
 * in the stored spelling
 */
export function authorize(
  actor: Actor,
  resource: "organization" | "workspace",
  segment: string,
  access: Access,
): boolean {
  return actor.rights.allows(resource, segment, access);
}
