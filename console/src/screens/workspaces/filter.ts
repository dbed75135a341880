/** Workspace filter in three forms: fields of a form, filter of a job, and address of the list. */
import type { InputOf } from "@tessera-server/client";
import { namesOf, type ListQuery } from "../../kit/filter.ts";
import { NO_VALUE, wantedOf, type Wanted } from "./bindings.ts";

export interface FilterFields {
  readonly name: string;
  readonly wildcard: string;
  readonly tags: readonly string[];
  readonly excluded: readonly string[];
  readonly keys: readonly Wanted[];
  /** Whether a key without a value is one that has none. */
  readonly isNull: boolean;
  readonly project: string;
}

export const NO_FILTER: FilterFields = {
  name: "",
  wildcard: "",
  tags: [],
  excluded: [],
  keys: [],
  isNull: false,
  project: "",
};

type WorkspaceFilter = NonNullable<NonNullable<InputOf<"createTagJob">["data"]["attributes"]["filter"]>["workspaces"]>;

/** Returns the filter of a job. Empty fields set no condition. */
export function filterOfFields({
  name,
  wildcard,
  tags,
  excluded,
  keys,
  isNull,
  project,
}: FilterFields): WorkspaceFilter {
  const bindings = keys.flatMap(({ key, value }) => {
    if (key.trim() === "") return [];
    return [{ key: key.trim(), ...(value.trim() === "" && !isNull ? {} : { value: value.trim() }) }];
  });
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(wildcard.trim() === "" ? {} : { wildcard: wildcard.trim() }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(excluded.length === 0 ? {} : { "exclude-tags": [...excluded] }),
    ...(bindings.length === 0 ? {} : { bindings }),
    ...(project === "" ? {} : { project }),
  };
}

/** Returns filter fields for the search and filters of the workspace list. */
export function fieldsOfAsked({ search, filters }: ListQuery): FilterFields {
  return {
    name: search,
    wildcard: filters["search[wildcard-name]"] ?? "",
    tags: namesOf(filters["search[tags]"]),
    excluded: namesOf(filters["search[exclude-tags]"]),
    keys: wantedOf(filters),
    isNull: filters[NO_VALUE] === "true",
    project: filters["filter[project][id]"] ?? "",
  };
}
