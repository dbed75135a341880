import { authorize } from "../../rights/authorize.ts";
import type { Context } from "../../context.ts";
import { EntryTexts, hole, textMaker, valueHole } from "../../http/sending/entry-texts.ts";
import type { Tag } from "./store.ts";
import type { TagValues } from "./values-store.ts";

/**
 * Renders tags of one organization as JSON:API resources. A caller that may use a tag without seeing the pool gets
 * neither the number of its uses nor its creation time.
 */
export function tagRenderer({ actor }: Pick<Context, "actor">, organizationName: string) {
  const isSeen = authorize(actor, "organization", organizationName, "read");
  return ({ id, name, createdAt, instanceCount }: Tag) => ({
    id,
    type: "tags" as const,
    attributes: {
      name,
      "created-at": isSeen ? createdAt : null,
      "instance-count": isSeen ? instanceCount : null,
    },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  });
}

const EXAMPLE: Tag = {
  id: hole("id"),
  name: hole("name"),
  createdAt: hole("createdAt"),
  instanceCount: valueHole("instanceCount"),
};

/** Renders the values of a key. A tag that is not a key has none. */
export function renderValues({ values, count }: TagValues = { values: [], count: 0 }) {
  return {
    values: values.map(({ value, workspaces, projects }) => ({ value, count: workspaces, "project-count": projects })),
    "value-count": count,
  };
}

/** Returns the resources of a page of tags as text. @param values of those that are keys, where they are asked for */
export function tagTexts(
  ctx: Pick<Context, "actor">,
  organizationName: string,
  tags: readonly Tag[],
  values?: ReadonlyMap<string, TagValues>,
): EntryTexts {
  if (tags.length === 0) return new EntryTexts([]);
  const plain = tagRenderer(ctx, organizationName)(EXAMPLE);
  const more = { values: valueHole("values"), "value-count": valueHole("valueCount") };
  const example = values === undefined ? plain : { ...plain, attributes: { ...plain.attributes, ...more } };
  const textOf = textMaker<keyof Tag | "values" | "valueCount">(example);
  return new EntryTexts(
    tags.map(({ id, name, createdAt, instanceCount }) => {
      const shown = renderValues(values?.get(id));
      const used = { values: JSON.stringify(shown.values), valueCount: String(shown["value-count"]) };
      return textOf({ id, name, createdAt, instanceCount: String(instanceCount), ...used });
    }),
  );
}
