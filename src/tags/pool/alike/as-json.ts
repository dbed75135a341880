/** A group of tags that are alike, as a JSON:API resource. */

/** A tag as its group shows it. */
export interface GroupedTag {
  id: string;
  name: string;
  instanceCount: number;
  createdAt: string;
}

/** Tags of one group that are shown. */
export const MAX_SHOWN = 100;

/**
 * @param key what their names have in common
 * @param tags the one to keep first
 */
export function renderGroup(key: string, tags: readonly [GroupedTag, ...GroupedTag[]]) {
  return {
    id: key,
    type: "alike-tags" as const,
    attributes: {
      "tag-count": tags.length,
      tags: tags
        .slice(0, MAX_SHOWN)
        .map(({ id, name, instanceCount }) => ({ id, name, "instance-count": instanceCount })),
    },
    relationships: { keep: { data: { id: tags[0].id, type: "tags" as const } } },
  };
}
