/** Filters of lists: one that is not understood is refused, since whoever is answered without it takes everything for what fits. */
import type { TObject, TSchema } from "typebox";
import { AppError } from "../errors.ts";
import type { Query } from "./query.ts";

const FILTER = /^(?:filter|search)\[/;
/** Of a parameter that may come many times the first is declared. */
const NUMBER = /\[\d{1,6}\]/g;
const LONGEST_SHOWN = 100;

/** The filters and searches that a list knows, by the names of its parameters. */
export function filtersOf(query: TSchema | undefined): ReadonlySet<string> {
  const names = Object.keys((query as TObject | undefined)?.properties ?? {});
  return new Set(names.filter((name) => FILTER.test(name)));
}

/** @throws AppError `bad_parameter` for one that the list does not know */
export function checkFilters(query: Query, known: ReadonlySet<string>): void {
  for (const name of Object.keys(query)) {
    if (!FILTER.test(name) || known.has(name.replaceAll(NUMBER, "[0]"))) continue;
    const has = known.size === 0 ? "none" : [...known].join(", ");
    throw new AppError("bad_parameter", `Unknown parameter ${name.slice(0, LONGEST_SHOWN)}; this list has ${has}`);
  }
}
