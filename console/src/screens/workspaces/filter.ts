/** By what workspaces are found: as fields of a form, as the filter of a job, and as the address of their list has it. */
import type { Asked } from "../../kit/list-source.ts";
import type { JobAttributes } from "../tag-jobs/queries.ts";

export interface FilterFields {
  readonly name: string;
  readonly wildcard: string;
  readonly tags: readonly string[];
  readonly excluded: readonly string[];
  readonly key: string;
  readonly value: string;
  readonly project: string;
}

export const NO_FILTER: FilterFields = {
  name: "",
  wildcard: "",
  tags: [],
  excluded: [],
  key: "",
  value: "",
  project: "",
};

type WorkspaceFilter = NonNullable<NonNullable<JobAttributes["filter"]>["workspaces"]>;

/** As a job takes it: what is left empty asks for nothing. */
export function filterOfFields({ name, wildcard, tags, excluded, key, value, project }: FilterFields): WorkspaceFilter {
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(wildcard.trim() === "" ? {} : { wildcard: wildcard.trim() }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(excluded.length === 0 ? {} : { "exclude-tags": [...excluded] }),
    ...(key.trim() === ""
      ? {}
      : { bindings: [{ key: key.trim(), ...(value.trim() === "" ? {} : { value: value.trim() }) }] }),
    ...(project === "" ? {} : { project }),
  };
}

/** What the list of workspaces is asked for. */
export function fieldsOfAsked({ search, filters }: Asked): FilterFields {
  return {
    name: search,
    wildcard: filters["search[wildcard-name]"] ?? "",
    tags: namesOf(filters["search[tags]"]),
    excluded: namesOf(filters["search[exclude-tags]"]),
    key: filters["filter[tagged][0][key]"] ?? "",
    value: filters["filter[tagged][0][value]"] ?? "",
    project: filters["filter[project][id]"] ?? "",
  };
}

/** Names as lists of the API have them, with commas between. */
export function namesOf(text = ""): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
