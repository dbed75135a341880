/** What a list declares, and how the address says what is asked of it. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Place } from "../app/place.ts";
import { organizationKey, scopedKey } from "../app/queries.ts";
import type { Search } from "../app/address.ts";
import type { Asked, Jump, ListPage, ListSource } from "./list-source.ts";
import type { Right } from "./rights.ts";
import type { Selection } from "./selection.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  cell(row: Row, place: Place): ReactNode;
  /** The field by which the server sorts. */
  readonly sort?: string;
  /** As CSS grid has it, such as `minmax(160px, 2fr)` or `96px`. */
  readonly width: string;
  readonly align?: "end";
  /** Not shown until somebody asks for it, by name or by what the address asks for. */
  readonly isHidden?: boolean | ((search: Search) => boolean);
  /** Shown on a phone as well. */
  readonly isNarrow?: boolean;
}

export interface Filter {
  /** The parameter of the API, and of the address. */
  readonly name: string;
  readonly title: string;
  /** What can be chosen; free text when left out. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder?: string;
  /** Chooses the value, where neither a text nor a few choices do. */
  field?(props: FilterFieldProps): ReactNode;
  /** The value as people know it, where it is an ID. */
  shown?(value: string): ReactNode;
}

export interface FilterFieldProps {
  readonly value: string;
  onChange(value: string): void;
}

export interface List<Row> {
  /** As in the address and in events. */
  readonly noun: string;
  readonly singular: string;
  readonly plural: string;
  readonly about: string;
  readonly belongsTo: "scope" | "organization";
  source(place: Place): ListSource<Row>;
  id(row: Row): string;
  /** What a screen reader calls the row, and what a selection lists. */
  name(row: Row): string;
  path?(row: Row, place: Place): string;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  /** False where the server searches in it by no text. */
  readonly isSearched?: false;
  /** Who has not this right may be shown some of them only, which the server's answer does not tell. */
  readonly whole?: Right;
  /** Where one can jump to where a text stands. */
  readonly jump?: Jump<Row>;
  /** Where one is made, and who may. */
  readonly create?: { readonly path: string; readonly right: Right };
  /** What can be done with those that are selected; without it nothing can be selected. */
  bulk?(selection: Selection<Row>, place: Place): ReactNode;
  /** More beside the button that makes one. */
  tools?(place: Place): ReactNode;
  /** Said where there is none yet. */
  readonly empty: string;
}

/** What the address asks of a list. */
export function askedOf<Row>({ filters = [] }: Pick<List<Row>, "filters">, search: Search): Asked {
  const given = filters.flatMap(({ name }) => {
    const value = search[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return { search: search["q"] ?? "", sort: search["sort"] ?? "", filters: Object.fromEntries(given) };
}

/** Whether a column is there unless somebody chose others. */
export function isShown<Row>({ isHidden }: Column<Row>, search: Search): boolean {
  return !(typeof isHidden === "function" ? isHidden(search) : isHidden === true);
}

/** Whether one can jump in the order that the address asks for. Rows of all namespaces are in order of these first. */
export function mayJump<Row>({ jump, belongsTo }: List<Row>, { scope }: Place, search: Search): boolean {
  if (belongsTo === "scope" && scope.namespace === "*") return false;
  return jump?.fields.includes((search["sort"] ?? "").replace(/^-/, "")) === true;
}

/** Where the address jumps to; empty where it does not, or one cannot. */
export function jumpOf<Row>(list: List<Row>, place: Place, search: Search): string {
  return mayJump(list, place, search) ? (search["to"] ?? "") : "";
}

/** The query of a list: the same one for the loader, which begins it, and the screen, which goes on with it. */
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
