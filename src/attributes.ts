/**
 * Attributes that are stored and echoed, and have no effect here. Kept as one JSON text of those that were given, by wire
 * name, so that a new one needs no migration and a default can change without touching rows.
 */
import { Type, type Static, type TSchema } from "typebox";
import { invalid } from "./errors.ts";

/** An attribute: what a request may say, where null goes back to the default, and that default. */
export function attribute<T extends TSchema, D>(type: T, byDefault: Static<T> | D, description?: string) {
  const words = description === undefined ? {} : { description };
  return { type, byDefault, schema: Type.Optional(Type.Union([type, Type.Null()], words)) };
}

/** One that is true or false. */
export const flag = (byDefault: boolean, description?: string) => attribute(Type.Boolean(), byDefault, description);

type Table = Readonly<Record<string, { type: TSchema; byDefault: unknown; schema: TSchema }>>;

/** Values of all of them. */
type ValuesOf<T extends Table> = { [N in keyof T]: Static<T[N]["type"]> | T[N]["byDefault"] };
/** Values that were given. */
type StoredOf<T extends Table> = { [N in keyof T]?: Static<T[N]["type"]> };
/** Values of the attributes in a request. */
type ChangeOf<T extends Table> = { [N in keyof T]?: Static<T[N]["schema"]> | undefined };

/** The attributes of a kind of resource, in the order in which answers show them. */
export function declareAttributes<T extends Table>(table: T) {
  const each = (member: "byDefault" | "schema") =>
    Object.fromEntries(Object.entries(table).map(([name, declared]) => [name, declared[member]]));
  const defaults = each("byDefault") as ValuesOf<T>;
  return {
    /** As members of a request. */
    schemas: each("schema") as { [N in keyof T]: T[N]["schema"] },
    defaults,
    /** All of them, from what is stored. */
    read(stored: string): ValuesOf<T> {
      return stored === "{}" ? defaults : { ...defaults, ...(JSON.parse(stored) as Partial<ValuesOf<T>>) };
    },
    /** Returns the values to store after a change. Ignores members of the change that are not attributes here. */
    change(stored: string, change: ChangeOf<T>): StoredOf<T> {
      const values = JSON.parse(stored) as StoredOf<T>;
      for (const name of Object.keys(table) as (keyof T)[]) {
        const value = change[name];
        if (value === null) delete values[name];
        else if (value !== undefined) values[name] = value;
      }
      return values;
    },
  };
}

/**
 * Whether `setting-overwrites` of a request says that a mode is its own: the flag of the mode and that of the agent pool
 * go together, so one of them is enough.
 *
 * @returns undefined when it says nothing
 * @throws AppError `invalid` when they say different things
 */
export function readOverwrites(
  mode: boolean | null | undefined,
  pool: boolean | null | undefined,
): boolean | undefined {
  if (typeof mode === "boolean" && typeof pool === "boolean" && mode !== pool) {
    throw invalid(
      "If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.",
      "/data/attributes/setting-overwrites",
    );
  }
  return mode ?? pool ?? undefined;
}
