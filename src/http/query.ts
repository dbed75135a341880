import type { FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";

/** Parameters of a query string, decoded. Without a prototype, so that no name of a parameter means anything. */
export type QueryParameters = Readonly<Record<string, string | undefined>>;

/** Carries the reason why a query string is malformed: the parser is called by the router and may not throw. */
const MALFORMED = Symbol("malformed");
/** Says that a parameter was given more than once, of which the first counts. */
const REPEATED = Symbol("repeated");

interface ParsedQuery extends QueryParameters {
  readonly [MALFORMED]?: string;
  readonly [REPEATED]?: true;
}

/**
 * Parameters that the official Go client adds to `filter[tagged]`, one for each key in the filter. Each one is a struct
 * field without a parameter name, sent under the field's own name. No parameter of Tessera begins with a capital
 * letter.
 */
const GO_FIELD = /^[A-Z]/;

const EMPTY: ParsedQuery = Object.freeze(emptyQuery());

function emptyQuery(): Record<string, string> & { [MALFORMED]?: string; [REPEATED]?: true } {
  return Object.create(null) as Record<string, string>;
}

/**
 * Parses a query string strictly: brackets raw or encoded, `+` is a space, and a broken escape, a NUL or a parameter
 * of ours that comes twice is remembered for `checkQuery` instead of being guessed at.
 */
export function parseQuery(text: string): ParsedQuery {
  if (text === "") return EMPTY;
  const query = emptyQuery();
  for (const piece of text.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = decode(equals === -1 ? piece : piece.slice(0, equals));
    const value = equals === -1 ? "" : decode(piece.slice(equals + 1));
    if (name === undefined || value === undefined) {
      query[MALFORMED] = "The query string is malformed";
      return query;
    }
    if (!(name in query)) query[name] = value;
    else if (!GO_FIELD.test(name)) query[REPEATED] = true;
  }
  return query;
}

/** Undefined when the escapes are broken, are not UTF-8, or hide a NUL. */
function decode(text: string): string | undefined {
  if (!/[%+\u0080-\u00ff]/.test(text)) return text;
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " ").replaceAll(/[\u0080-\u00ff]+/g, escapeBytes));
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Node hands on bytes that a client did not escape as Latin-1 characters; they are UTF-8 all the same. */
function escapeBytes(bytes: string): string {
  return [...Buffer.from(bytes, "latin1")].map((byte) => `%${byte.toString(16)}`).join("");
}

/**
 * @param repeats whether a parameter that comes twice is refused, or the first one taken
 * @throws AppError `bad_parameter` when the query string of the request was malformed
 */
export function checkQuery(request: FastifyRequest, repeats: "refused" | "first"): void {
  const query = request.query as ParsedQuery;
  const reason = query[MALFORMED];
  if (reason !== undefined) throw new AppError("bad_parameter", reason);
  if (query[REPEATED] === true && repeats === "refused") {
    throw new AppError("bad_parameter", "A query parameter must not be repeated");
  }
}

const ID_PREFIX = "filter[id-prefix]";
const ID_PART = /^[0-9A-Za-z]{4,16}$/;

/**
 * The IDs that begin as the parameter `filter[id-prefix]` says; undefined where it is not given.
 *
 * @param kind prefix of the IDs that the list has, such as `tag`
 * @returns bounds of the IDs: from the first one up to before the second one
 * @throws AppError `bad_parameter` when it is not the beginning of such an ID, or too short to name one
 */
export function readIdPrefix(query: QueryParameters, kind: string): { from: string; to: string } | undefined {
  const text = query[ID_PREFIX];
  if (text === undefined) return undefined;
  if (!text.startsWith(`${kind}-`) || !ID_PART.test(text.slice(kind.length + 1))) {
    throw new AppError("bad_parameter", `${ID_PREFIX} must be ${kind}- and 4 to 16 letters or digits of an ID`);
  }
  // No letter and no digit sorts after it.
  return { from: text, to: `${text}~` };
}

const NO_NAMES: ReadonlySet<never> = new Set();
const STEPS = /^\w+(?:\.\w+)+$/;

/**
 * Names in the `include` parameter, spelt as in `allowed`; hyphens and underscores are the same.
 *
 * @param roots of them those below which there may be anything, such as `current_run.plan` below `current_run`
 * @throws AppError `bad_parameter` on a name that is not allowed; clients recognise its text
 */
export function readInclude<Name extends string>(
  query: QueryParameters,
  allowed: readonly Name[],
  roots: readonly Name[] = [],
): ReadonlySet<Name> {
  const text = query["include"];
  if (text === undefined || text === "") return NO_NAMES;
  return new Set(
    text.split(",").map((part) => {
      const wanted = part.trim().replaceAll("-", "_");
      const found =
        allowed.find((name) => name.replaceAll("-", "_") === wanted) ??
        roots.find((name) => wanted.startsWith(`${name}.`) && STEPS.test(wanted));
      if (found === undefined) {
        throw new AppError("bad_parameter", `Invalid include parameter: ${part.trim().slice(0, 100)}`);
      }
      return found;
    }),
  );
}

/**
 * A parameter that is true or false; undefined where it is not given. What is misspelt is refused: it decides what is found, or
 * whether anything is written.
 *
 * @throws AppError `bad_parameter`
 */
export function readFlag(query: QueryParameters, name: string): boolean | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (text !== "true" && text !== "false") throw new AppError("bad_parameter", `${name} must be true or false`);
  return text === "true";
}
