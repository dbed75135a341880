/** Rows of what lies in organizations as audit records show them: in the spelling of the wire, without what is the server's own. */
import { memberName } from "../writes/objects.ts";
import { TABLES, type Tables } from "../tables/tables.ts";

/**
 * Makes what shows the objects of a table.
 *
 * @param nameOf what an object calls a column; a row that is given as it was read calls it what it is
 */
export function shower(
  table: keyof Tables,
  nameOf: (column: string) => string = memberName,
): (object: object) => Readonly<Record<string, unknown>> {
  const declared = declaredOf(table);
  const members = Object.keys(declared)
    .filter((column) => declared[column]?.hidden !== true)
    .map((column) => [column, nameOf(column), column.replaceAll("_", "-")] as const);
  const secrets = secretsOf(table).map(({ column, name }) => [nameOf(column), `has-${name}`] as const);
  return (object) => {
    const shown: Record<string, unknown> = {};
    for (const [member, has] of secrets) {
      const value = (object as Readonly<Record<string, unknown>>)[member];
      if (value !== undefined) shown[has] = value !== "";
    }
    for (const [column, member, wire] of members) {
      const value = (object as Readonly<Record<string, unknown>>)[member];
      if (column === "settings" && typeof value === "string") Object.assign(shown, JSON.parse(value) as object);
      else if (column === "rules" && typeof value === "string") shown[wire] = JSON.parse(value) as unknown;
      else if (value !== undefined && value !== "") shown[wire] = declared[column]?.masked?.(value) ?? value;
    }
    return shown;
  };
}

/**
 * Makes what names the secrets of an object that were given anew, of which the record shows only that there are some: such as
 * `token`. One that is sealed once more counts as another, since nobody has compared them.
 */
export function secretsGiven(table: keyof Tables): (before: object, after: object) => readonly string[] {
  const secrets = secretsOf(table).map(({ column, name }) => [memberName(column), name] as const);
  return (before, after) => {
    const of = (object: object, member: string): unknown => (object as Readonly<Record<string, unknown>>)[member] ?? "";
    return secrets
      .filter(([member]) => of(after, member) !== "" && of(after, member) !== of(before, member))
      .map(([, name]) => name);
  };
}

type Declared = Readonly<Record<string, { hidden?: true; secret?: true; masked?: (value: unknown) => unknown }>>;

function declaredOf(table: keyof Tables): Declared {
  return TABLES[table] as Declared;
}

function secretsOf(table: keyof Tables): { column: string; name: string }[] {
  const declared = declaredOf(table);
  return Object.keys(declared)
    .filter((column) => declared[column]?.secret === true)
    .map((column) => ({ column, name: column.replace(/_sealed$/, "").replaceAll("_", "-") }));
}
