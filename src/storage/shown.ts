/** Rows of what lies in organizations as audit records show them: in the spelling of the wire, without what is the server's own. */
import { memberName } from "./objects.ts";
import { TABLES, type Tables } from "./tables.ts";

/**
 * Makes what shows the objects of a table.
 *
 * @param nameOf what an object calls a column; a row that is given as it was read calls it what it is
 */
export function shower(
  table: keyof Tables,
  nameOf: (column: string) => string = memberName,
): (object: object) => Readonly<Record<string, unknown>> {
  const declared: Readonly<Record<string, { hidden?: true }>> = TABLES[table];
  const members = Object.keys(declared)
    .filter((column) => declared[column]?.hidden !== true)
    .map((column) => [column, nameOf(column), column.replaceAll("_", "-")] as const);
  return (object) => {
    const shown: Record<string, unknown> = {};
    for (const [column, member, wire] of members) {
      const value = (object as Readonly<Record<string, unknown>>)[member];
      if (column === "settings" && typeof value === "string") Object.assign(shown, JSON.parse(value) as object);
      else if (column === "rules" && typeof value === "string") shown[wire] = JSON.parse(value) as unknown;
      else if (value !== undefined && value !== "") shown[wire] = value;
    }
    return shown;
  };
}
