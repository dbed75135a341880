/** Declaration of a list, and its query for the request in the address. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Place } from "../base/place.ts";
import { organizationKey, scopedKey } from "../base/queries.ts";
import type { Search } from "../base/address.ts";
import { askedOf, type ChangeFilter, type Filter } from "./filter.ts";
import type { Jump, ListPage, ListSource } from "./list-source.ts";
import type { Right } from "./rights.ts";
import type { Selection } from "./selection.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  cell(row: Row, place: Place): ReactNode;
  /** The field by which the server sorts. */
  readonly sort?: string;
  /** CSS grid width, such as `minmax(160px, 2fr)` or `96px`. */
  readonly width: string;
  readonly align?: "end";
  /** Whether the column is hidden until the user selects it, or until the address requires it. */
  readonly isHidden?: boolean | ((search: Search) => boolean);
  /** Shown on a phone as well. */
  readonly isNarrow?: boolean;
  /** Filter of the list for values of the cell. */
  readonly filter?: CellFilter<Row>;
}

/** Filter that a cell offers for its values. */
export interface CellFilter<Row> {
  /** Name of a filter of the list. */
  readonly by: string;
  /** Returns the values of the cell by which the list can be filtered; none for an empty cell. */
  values(row: Row): readonly CellValue[];
}

export interface CellValue {
  readonly value: string;
  /** Default: the label of the filter's choice, or the value. */
  readonly label?: string | undefined;
}

export interface List<Row> {
  /** Noun in the address and in events. */
  readonly noun: string;
  readonly singular: string;
  readonly plural: string;
  /** Heading of the list. Default: the plural. */
  readonly title?: string;
  readonly about: string;
  readonly belongsTo: "scope" | "organization";
  source(place: Place): ListSource<Row>;
  id(row: Row): string;
  /** Name of the row for screen readers and for the list of a selection. */
  name(row: Row): string;
  path?(row: Row, place: Place): string;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter<Row>[];
  /** False where the server searches in it by no text. */
  readonly isSearched?: false;
  /** Permission to see all rows. Without it, rows may be hidden, and the server's response does not show that. */
  readonly whole?: Right;
  /** Fields and texts by which the list can jump to a text. */
  readonly jump?: Jump<Row>;
  /** Path of the page that creates an object, and the permission it requires. */
  readonly create?: { readonly path: string; readonly right: Right };
  /** Actions for selected rows. Without it, rows cannot be selected. */
  bulk?(selection: Selection<Row>, place: Place): ReactNode;
  /** Permission without which none of these can be done, and no rows are selected. */
  readonly bulkRight?: Right;
  /** More beside the button that makes one. */
  tools?(place: Place): ReactNode;
  /** Content of the panel beside the list, for a row of the current scope. Default: all columns of the row. */
  panel?(row: Row, place: Place): ReactNode;
  /** Charts above the list, whose bars are filters. */
  charts?(place: Place, search: Search, change: ChangeFilter): ReactNode;
  /** Said where there is none yet. */
  readonly empty: string;
}

/** Whether a column is visible by default. */
export function isShown<Row>({ isHidden }: Column<Row>, search: Search): boolean {
  return !(typeof isHidden === "function" ? isHidden(search) : isHidden === true);
}

/**
 * Checks whether the list can jump in the order of the address. Rows of all namespaces are sorted by namespace first,
 * and a list that the console filters itself is loaded from its beginning.
 */
export function mayJump<Row>(list: List<Row>, { scope }: Place, search: Search): boolean {
  if (list.belongsTo === "scope" && scope.namespace === "*") return false;
  if (askedOf(list, search).here.length > 0) return false;
  return list.jump?.fields.includes((search["sort"] ?? "").replace(/^-/, "")) === true;
}

/** Returns the text that the address jumps to; empty when it sets none, or when the list cannot jump. */
export function jumpOf<Row>(list: List<Row>, place: Place, search: Search): string {
  return mayJump(list, place, search) ? (search["to"] ?? "") : "";
}

/** Query of a list, shared by the loader, which starts it, and the screen, which continues it. */
export function listQuery<Row>(list: List<Row>, place: Place, search: Search) {
  const asked = askedOf(list, search);
  const source = list.source(place);
  const to = jumpOf(list, place, search);
  const ask = { ...asked, ...(to === "" ? {} : { to }) };
  const key =
    list.belongsTo === "scope"
      ? scopedKey(place.scope, list.noun, "list", ask)
      : organizationKey(place.organization ?? "", list.noun, "list", ask);
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: async ({ pageParam, signal }): Promise<ListPage<Row>> => {
      if (pageParam !== "" || to === "" || source.pageAt === undefined || list.jump === undefined)
        return source.page(asked, pageParam === "" ? undefined : pageParam, signal);
      return source.pageAt(asked, to, list.jump, signal);
    },
    initialPageParam: "",
    getNextPageParam: ({ next }: ListPage<Row>) => next,
    placeholderData: keepPreviousData,
  });
}
