/** Filters of a list, and their form in the address. */
import type { ReactNode } from "react";
import type { Search } from "../base/search.ts";

export interface Filter<Row = never> {
  /** The parameter of the address; of the API too, unless rows are looked at here. */
  readonly name: string;
  readonly title: string;
  /** Name in front of a chosen value. Default: the title. Empty where the value tells by itself, such as `Unused`. */
  readonly short?: string;
  /** Choices of the filter. Default: free text. */
  readonly choices?: readonly Choice[];
  readonly placeholder?: string;
  /**
   * Returns whether a row matches. For filters without an API parameter: the console reads the whole list and filters
   * it.
   */
  fits?(row: Row, value: string, all: readonly Row[]): boolean;
  /** Chooses the value, where neither a text nor a few choices do. */
  field?(props: FilterFieldProps): ReactNode;
  /** The value as people know it, where it is an ID. */
  shown?(value: string): ReactNode;
  /** Handling of several values, for filters that take more than one at a time. */
  readonly several?: Several;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Text of the chip of the chosen value. Default: the label. */
  readonly chip?: string;
}

export interface FilterFieldProps {
  readonly value: string;
  onChange(value: string): void;
  /** Parameters of the address, and the function that changes them, for a filter with several parameters. */
  readonly search: Search;
  readonly change: ChangeFilter;
}

/** Sets parameters of the address. Empty values remove their parameters. */
export type ChangeFilter = (changed: Search) => void;

/** Form of a filter with several values. */
export interface Several {
  /** Whether a parameter belongs to the filter. */
  has(parameter: string): boolean;
  /** Returns the parameters of the API for the values in the address. */
  asked(search: Search): Search;
  /** Returns the values, each with the parameters of the address without it. */
  each(search: Search): readonly OneOfSeveral[];
}

interface OneOfSeveral {
  readonly text: string;
  readonly without: Search;
}

/** A filter that rows are looked through for, with its value. */
interface Here {
  readonly name: string;
  readonly value: string;
  fits(row: never, value: string, all: readonly never[]): boolean;
}

/** Search, order and filters of a list. The address contains all of them. */
export interface ListQuery {
  readonly search: string;
  /** A field, with `-` in front for the reverse; empty for the server's own order. */
  readonly sort: string;
  /** Parameters that the API has. */
  readonly filters: Readonly<Record<string, string>>;
  /** Filters that the console applies to the rows itself. */
  readonly here: readonly Here[];
}

/** Object with filters, such as a list. */
interface Filtered<Row> {
  readonly filters?: readonly Filter<Row>[];
}

/** Several names in one parameter, with commas between. */
export function severalNames(parameter: string): Several {
  return {
    has: (name) => name === parameter,
    asked: (search) => ({ [parameter]: namesOf(search[parameter]).join(",") }),
    each: (search) =>
      namesOf(search[parameter]).map((text, _at, all) => ({
        text,
        without: { [parameter]: all.filter((other) => other !== text).join(",") },
      })),
  };
}

/** Names as lists of the API have them, with commas between; each once. */
export function namesOf(text = ""): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "");
}

/** The choices of a filter, of what values are called. */
export function choicesOf(words: Readonly<Record<string, string>>): readonly Choice[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Returns the search, order and filters that the address sets for a list. */
export function askedOf<Row>({ filters = [] }: Filtered<Row>, search: Search): ListQuery {
  const here = filters.flatMap(({ name, fits }) => {
    const value = search[name] ?? "";
    return fits === undefined || value === "" ? [] : [{ name, value, fits }];
  });
  const asked = filters.flatMap((filter) => Object.entries(askedBy(filter, search)));
  return {
    search: (search["q"] ?? "").trim(),
    sort: search["sort"] ?? "",
    filters: Object.fromEntries(asked.filter(([, value]) => value !== "")),
    here,
  };
}

/** Returns the parameters that add a value to a filter, or set it where the filter has one value. */
export function filteredBy({ name, several }: Filter, value: string, search: Search): Search {
  return { [name]: several === undefined ? value : [...namesOf(search[name]), value].join(",") };
}

/** Checks whether the address filters by a value already. */
export function isFilteredBy({ name, several }: Filter, value: string, search: Search): boolean {
  return several === undefined ? search[name] === value : namesOf(search[name]).includes(value);
}

/** Returns parameters that clear the search and all filters. Order and columns stay. */
export function askedForAll<Row>({ filters = [] }: Filtered<Row>, search: Search): Search {
  const gone = Object.keys(search).filter((name) => filters.some((filter) => isOfFilter(filter, name)));
  return Object.fromEntries(["q", ...gone].map((name) => [name, ""]));
}

/** Whether a parameter of the address is one of the filter's. */
function isOfFilter({ name, several }: Filter, parameter: string): boolean {
  return several?.has(parameter) ?? name === parameter;
}

/** Returns the API parameters of a filter. Empty values set none. */
function askedBy({ name, several, fits }: Filter, search: Search): Search {
  if (fits !== undefined) return {};
  return several?.asked(search) ?? { [name]: (search[name] ?? "").trim() };
}
