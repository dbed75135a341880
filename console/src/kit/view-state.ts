/** State of a list as a saved view keeps it, and the address of a saved view. */
import type { Search } from "../base/search.ts";
import { askedForAll, type Filter } from "./filter.ts";

/** A saved view, as the server answers it. */
export interface SavedView {
  readonly ID: string;
  readonly Name: string;
  readonly List: string;
  readonly Shared: boolean;
  readonly Query: Search;
  readonly Sort: string;
  readonly Columns: readonly string[];
  readonly Density: string;
  readonly ModifyIndex: number;
}

/** Content of a view. */
export type ViewState = Pick<SavedView, "Query" | "Sort" | "Columns" | "Density">;

interface Filtered {
  readonly filters?: readonly Filter[];
}

/** Parameters of the search and the filters that the address sets. */
function queryIn(list: Filtered, search: Search): Search {
  const names = Object.keys(askedForAll(list, search)).toSorted();
  return Object.fromEntries(names.map((name) => [name, search[name] ?? ""]).filter(([, value]) => value !== ""));
}

/** Returns the state of a list. @param columns those that the list shows; empty for the default ones */
export function stateOf(list: Filtered, search: Search, columns: string, density: string): ViewState {
  return {
    Query: queryIn(list, search),
    Sort: search["sort"] ?? "",
    Columns: columns === "" ? [] : columns.split(","),
    Density: density,
  };
}

/**
 * Returns the parameters of the address that show a view. Parameters that are none of this list's are left out: a view may come
 * from another version, and a shared one from somebody else.
 */
export function searchOf(list: Filtered, { Query, Sort, Columns }: ViewState, search: Search): Search {
  return { ...askedForAll(list, search), ...queryIn(list, Query), sort: Sort, columns: Columns.join(","), to: "" };
}

/** Whether a list is as a view shows it. */
export function isAsViewed(list: Filtered, view: ViewState, state: ViewState): boolean {
  const comparable = ({ Query, Sort, Columns }: ViewState) => JSON.stringify([queryIn(list, Query), Sort, Columns]);
  const isOfDensity = view.Density === "" || view.Density === state.Density;
  return isOfDensity && comparable(view) === comparable(state);
}
