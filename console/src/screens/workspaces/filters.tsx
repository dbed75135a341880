/** Filters by tags and keys, which lists of several kinds have. */
import { severalNames, type Filter } from "../../kit/filter.ts";
import { later } from "../../kit/later.tsx";
import { BindingsFilter } from "./binding-fields.tsx";
import { NO_VALUE, SEVERAL_KEYS } from "./bindings.ts";
import * as texts from "../../texts/workspaces.ts";

const TagsByName = later(async () => (await import("../tags/tags-by-name.tsx")).TagsByName);

/** Filter by any number of tag names. */
export function byTags(name: string, title: string): Filter {
  const several = severalNames(name);
  return {
    name,
    title,
    several,
    field: ({ onChange, search }) => (
      <TagsByName
        label={title}
        size="xs"
        isInPortal={false}
        value={several.each(search).map(({ text }) => text)}
        onChange={(names) => onChange(names.join(","))}
      />
    ),
  };
}

/** Filter by any number of tag keys with values. */
export function byKeys(title: string): Filter {
  return {
    name: "filter[tagged]",
    title,
    several: SEVERAL_KEYS,
    field: ({ search, change }) => <BindingsFilter title={title} search={search} change={change} />,
  };
}

/** Filter that sets the meaning of a tag key without a value: it then matches keys that have no value. */
export const BY_NO_VALUE: Filter = {
  name: NO_VALUE,
  title: texts.keyWithoutValue,
  choices: [{ value: "true", label: texts.onlyEmptyValues }],
};
