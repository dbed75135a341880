import type { OPERATIONS, OperationId } from "./operations.ts";

/** A value of a path, a query or a header; `false` and `undefined` are left out of queries. */
export type Value = string | number | bigint | boolean | undefined;

export type Query = Readonly<Record<string, Value | readonly Value[]>>;

/** An operation, taken apart. */
export interface Operation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly flags: string;
  readonly isJsonApi: boolean;
}

/**
 * An operation of the table.
 *
 * @throws TypeError when there is none of this name
 */
export function operationOf(table: typeof OPERATIONS, id: OperationId): Operation {
  if (!Object.hasOwn(table, id)) throw new TypeError(`unknown operation ${JSON.stringify(id)}`);
  const [method = "", path = "", flags = ""] = table[id].split(" ");
  return { id, method, path, flags, isJsonApi: path.startsWith("/api/v2/") };
}

/**
 * The URL of a request. The address may have a path, below which the server is.
 *
 * @throws TypeError when a part of the path is not given, or is one that a URL cannot hold
 */
export function urlOf(address: string, { path, id }: Operation, parts: Readonly<Record<string, Value>>, query: Query) {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => segment(id, name, parts[name]));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? (value as readonly Value[]) : [value as Value]) {
      if (each !== undefined && each !== false) parameters.append(name, String(each));
    }
  }
  const text = parameters.toString();
  return `${address}${filled}${text === "" ? "" : `?${text}`}`;
}

function segment(id: string, name: string, value: Value): string {
  const text = value === undefined ? "" : String(value);
  // A URL takes dots for a way up, in whatever form they are written.
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`${id} requires ${name}${text === "" ? "" : `, which must not be ${JSON.stringify(text)}`}`);
  }
  return encodeURIComponent(text);
}
