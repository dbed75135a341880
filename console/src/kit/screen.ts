/** Declaration of a screen: its routes, its navigation entry and its palette entry derive from it. */
import type { Fetching } from "./later.tsx";
import type { IconName } from "./icons.tsx";
import type { List } from "./list.ts";
import type { Right } from "./rights.ts";
import type { Search } from "../base/address.ts";
import type { Place } from "../base/place.ts";

/** Context in which a page loads its data before it is shown. */
export interface Loading {
  readonly place: Place;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Search;
  /** Reads a query into the cache. A refusal is for the page to show, which has the same query. */
  read(options: { readonly queryKey: readonly unknown[] }): Promise<unknown>;
  /** Reads the first page of a list, as the address asks for it. */
  readList<Row>(list: List<Row>): Promise<unknown>;
}

export interface Page {
  /** Path below the screen's place, such as `tokens/$accessor`. */
  readonly path: string;
  /** Title of the browser tab. */
  readonly title: string;
  /** Code of the page, loaded when the user opens it: `async () => (await import("./list.tsx")).TokenList`. */
  readonly view: Fetching<object>;
  /** Asks for what the page shows, so that it is there when the page is. */
  load?(loading: Loading): unknown;
}

/** Palette action that is available from anywhere. */
export interface ScreenAction {
  readonly title: string;
  /** Path below the screen's place. */
  readonly path: string;
  readonly right?: Right;
}

export interface Screen {
  /** Name of its folder, as in the API. */
  readonly noun: string;
  readonly title: string;
  readonly summary: string;
  readonly icon: IconName;
  /** Place of its pages: in a scope, in an organization, or above both. */
  readonly place: "scope" | "organization" | "top";
  readonly group: "" | "Tags" | "Access" | "Insight";
  /** Without it the screen is not offered. */
  readonly right?: Right;
  /** Whether the navigation omits the screen, such as a page that only another page links to. */
  readonly isHidden?: boolean;
  readonly pages: readonly Page[];
  readonly actions?: readonly ScreenAction[];
}
