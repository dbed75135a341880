/** Selection in the list of tags, in the form that a job takes. */
import type { ListQuery } from "../../kit/filter.ts";
import type { Selection } from "../../kit/selection.ts";
import type { JobAttributes } from "../tag-jobs/queries.ts";
import type { TagRow } from "./queries.ts";
import * as texts from "../../texts/tags.ts";

/** Tags that a job takes by name. */
export const MOST_NAMED = 100;

type Named = Pick<JobAttributes, "tags" | "filter">;

/** The selection as a job takes it, or in words why that cannot be. */
export function namedOf(selection: Selection<TagRow>, asked: ListQuery): Named | string {
  const names = selection.picked.map(({ attributes }) => ({ name: attributes.name }));
  if (!selection.isAll) {
    if (names.length <= MOST_NAMED) return { tags: names };
    return texts.tooManySelected(MOST_NAMED);
  }
  if (names.length > 0) return texts.exclusionsUnsupported;
  if (asked.filters["filter[key]"] !== undefined) return texts.kindUnsupported;
  return { filter: { tags: filterOf(asked) } };
}

/** Returns the filter of a job that matches the search and filters of a list. */
export function filterOf({ search, filters }: ListQuery): NonNullable<NonNullable<JobAttributes["filter"]>["tags"]> {
  const gte = filters["filter[instance-count][gte]"];
  const lte = filters["filter[instance-count][lte]"];
  const unused = filters["filter[unused]"];
  return {
    ...(search === "" ? {} : { q: search }),
    ...(unused === undefined ? {} : { unused: unused === "true" }),
    ...(gte === undefined && lte === undefined
      ? {}
      : {
          "instance-count": {
            ...(gte === undefined ? {} : { gte: Number(gte) }),
            ...(lte === undefined ? {} : { lte: Number(lte) }),
          },
        }),
  };
}
