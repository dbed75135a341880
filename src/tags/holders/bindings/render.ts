/** Bindings as JSON:API resources. */
import { authorize } from "../../../rights/authorize.ts";
import type { Context } from "../../../context.ts";
import type { EffectiveBinding } from "./effective.ts";
import type { FoundBinding } from "./organization-bindings.ts";
import type { TagBinding } from "./store.ts";

export function renderBinding({ bindingId, key, value, boundAt }: TagBinding) {
  return {
    id: bindingId,
    type: "tag-bindings" as const,
    attributes: { key, value, "created-at": boundAt },
  };
}

/**
 * Returns a renderer of effective bindings. It shows the project of an inherited one in both forms that clients read. A
 * caller that may not read the organization does not see the project.
 */
export function effectiveRenderer({ actor }: Pick<Context, "actor">, organizationName: string) {
  const isSeen = authorize(actor, "organization", organizationName, "read");
  return ({ id, key, value, inheritedFrom }: EffectiveBinding) => ({
    id,
    type: "effective-tag-bindings" as const,
    attributes: { key, value },
    ...(inheritedFrom !== undefined && isSeen && inheritance(inheritedFrom)),
  });
}

function inheritance(project: string) {
  return {
    relationships: { "inherited-from": { data: { id: project, type: "projects" as const } } },
    links: { "inherited-from": `/api/v2/projects/${project}` },
  };
}

/** Returns the resource identifier object of a resource. */
export function identifierOf({ id, type }: { id: string; type: string }): { id: string; type: string } {
  return { id, type };
}

/** A binding among all of an organization, with whose it is. @param fields the attributes that are wanted; all unless given */
export function foundRenderer(fields: readonly string[] | undefined) {
  return (binding: FoundBinding) => {
    const { id, type, attributes } = renderBinding(binding);
    const all = Object.entries({ ...attributes, ...(binding.counts !== undefined && { counts: binding.counts }) });
    const wanted = all.filter(([name]) => fields?.includes(name) ?? true);
    return {
      id,
      type,
      attributes: Object.fromEntries(wanted),
      relationships: { target: { data: { id: binding.holder, type: binding.type } } },
    };
  };
}
