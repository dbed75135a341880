/** Filters of lists: one that is not understood is refused, since whoever is answered without it takes everything for what fits. */
import { AppError } from "../../errors.ts";
import type { QueryParameters } from "../query.ts";
import type { RouteRecord } from "../route-table.ts";

/** In any case: one that is written with capitals is meant as a filter, and is none that a route knows. */
const FILTER = /^(?:filter|search)(?:\[|$)/i;
/** Number in the name of a repeatable parameter. The schema declares the parameter with the number 0. */
const NUMBER = /\[\d{1,6}\]/g;
/** A list of names that has none is as empty. */
const EMPTY = /^[\s,]*$/;
const LONGEST_SHOWN = 100;

/**
 * Refuses filters and searches that a route does not know, and those that say nothing: a script whose variable is not set
 * would be given everything. Empty ones are taken where the schema of the parameter has a least length, of 0.
 *
 * @throws AppError `bad_parameter`
 */
export function checkFilters(query: QueryParameters, { parameters, emptyParameters }: RouteRecord): void {
  for (const name in query) {
    if (!FILTER.test(name)) continue;
    const declared = name.replaceAll(NUMBER, "[0]");
    if (!parameters.has(declared)) {
      const known = [...parameters].filter((each) => FILTER.test(each)).join(", ");
      const has = known === "" ? "this list has no filters" : `known filters: ${known}`;
      throw new AppError("bad_parameter", `Unknown parameter ${name.slice(0, LONGEST_SHOWN)}; ${has}`);
    }
    if (EMPTY.test(query[name] ?? "") && !emptyParameters.has(declared))
      throw new AppError("bad_parameter", `The parameter ${name} is empty; omit it to select all`);
  }
}
