/** Query parameters of the tag list. */
import { AppError } from "../../errors.ts";
import { readFlag, readIdPrefix, type QueryParameters } from "../../http/query.ts";
import { TAG_SORTS, type TagSort } from "./filtered-store.ts";
import type { PoolSearch } from "./service.ts";

/** @throws AppError `bad_parameter` on what cannot be meant */
export function readPoolSearch(query: QueryParameters): PoolSearch {
  return {
    part: query["q"],
    excludedWorkspace: query["filter[exclude][taggable][id]"],
    unused: readFlag(query, "filter[unused]"),
    key: readFlag(query, "filter[key]"),
    least: readCount(query, "filter[instance-count][gte]"),
    most: readCount(query, "filter[instance-count][lte]"),
    ids: readIdPrefix(query, "tag"),
    sort: readTagSort(query["sort"]),
  };
}

/** More digits are more than there can be, and no number that is stored. */
const COUNT = /^\d{1,15}$/;

function readCount(query: QueryParameters, name: string): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (!COUNT.test(text)) throw new AppError("bad_parameter", `${name} must be a whole number of at most 15 digits`);
  return Number(text);
}

function readTagSort(text: string | undefined): TagSort {
  if (text === undefined || text === "") return "name";
  const sort = TAG_SORTS.find((each) => each === text.replace("instance-count", "count"));
  if (sort === undefined) throw new AppError("bad_parameter", `sort must be one of ${TAG_SORTS.join(", ")}`);
  return sort;
}
