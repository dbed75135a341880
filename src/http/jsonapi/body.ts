import { isUtf8 } from "node:buffer";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { AppError, invalid, notFound } from "../../errors.ts";
import { emptierOf } from "./empty-members.ts";

/** Deeper than any document of ours; bounds the recursion below. */
const MAX_DEPTH = 64;

/** Maximum number of entries in one list: the limit of a bulk request. */
const MAX_ENTRIES = 1000;

/**
 * Maximum number of values in the body; each member and each entry is one. The largest bulk request has a quarter of
 * it. 1 MiB of small values would block the event loop for a second, most of it in validation.
 */
const MAX_VALUES = 20_000;

/** A name of the client's may be as long as the body; an answer does not repeat that. */
const MAX_POINTER_LENGTH = 1000;

/**
 * Parses a request body. An empty one is undefined: whether that is allowed is for the route's schema to say.
 *
 * @throws AppError `invalid` when it is not JSON in UTF-8, is nested deeper than 64 levels, has a list of over 1,000
 * entries or over 20,000 values in all, or holds text that cannot be stored on every engine
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalid("The request body is not valid UTF-8");
  // A value has at most one comma in front of it and one bracket at its start.
  if (hasMoreMarksThan(2 * MAX_VALUES, bytes)) throw tooManyValues();
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw invalid("The request body is not valid JSON");
  }
  checkValue({ values: 0, path: [] }, body, 0);
  return body;
}

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = Buffer.from('",[\\{');

/** Whether there are more commas and opening brackets outside texts: known before the time is spent on parsing. */
function hasMoreMarksThan(limit: number, bytes: Buffer): boolean {
  if (bytes.length <= limit) return false;
  let marks = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) index += 1;
    else if (!inText && (byte === COMMA || byte === BRACKET || byte === BRACE)) marks += 1;
  }
  return marks > limit;
}

interface Walk {
  /** Values seen so far. */
  values: number;
  /** Names and indexes on the way to the value in hand; longer than that after a deeper one. */
  path: (string | number)[];
}

function checkValue(walk: Walk, value: unknown, depth: number): void {
  walk.values += 1;
  if (walk.values > MAX_VALUES) throw tooManyValues();
  if (typeof value === "string") {
    checkText(value, walk, depth);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= MAX_DEPTH) throw invalid("The request body is nested too deeply");
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES) throw refusal("A list must have at most 1,000 entries", walk, depth);
    for (const [index, entry] of value.entries()) {
      walk.path[depth] = index;
      checkValue(walk, entry, depth + 1);
    }
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    checkText(key, walk, depth);
    if (key === "__proto__") throw refusal("The request body has a member named __proto__", walk, depth);
    walk.path[depth] = key;
    checkValue(walk, entry, depth + 1);
  }
}

function checkText(text: string, walk: Walk, depth: number): void {
  if (text.includes("\0")) throw refusal("Text must not contain NUL characters", walk, depth);
  if (!text.isWellFormed()) throw refusal("Text must not contain unpaired surrogates", walk, depth);
}

function tooManyValues(): AppError {
  return invalid("The request body must have at most 20,000 values in total", "");
}

/** Only now is the pointer made, which is most of the work: to the value in hand, or to what holds a name too long. */
function refusal(message: string, { path }: Walk, depth: number): AppError {
  let pointer = "";
  for (const step of path.slice(0, depth)) {
    const name = String(step);
    if (pointer.length + name.length > MAX_POINTER_LENGTH) break;
    pointer += `/${escapePointer(name)}`;
  }
  return invalid(message, pointer);
}

/** A member name as one step of a JSON pointer. */
function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** Longer than any real header. Longer ones count as malformed, so that nobody makes us read them. */
const MAX_TYPE_LENGTH = 1000;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[\t !#-\[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"`;
const TYPE = new RegExp(String.raw`[ \t]*(${TOKEN}/${TOKEN})`, "y");
const PARAMETER = new RegExp(String.raw`[ \t]*;(?:[ \t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))?`, "y");
const END = /[ \t]*$/y;

/**
 * The media type of a `Content-Type` header in lower case, without its parameters; undefined when the header is
 * missing, malformed or over 1,000 characters. White space is allowed only around the whole, and around semicolons: a
 * type that reads differently here and in another parser would slip past validation.
 *
 * One parameter is read after the other, and none is looked at again: in a single expression for all of them, blanks
 * between semicolons could be shared out in so many ways that a short header would hold the event loop for ever.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_TYPE_LENGTH) return undefined;
  TYPE.lastIndex = 0;
  const type = TYPE.exec(header)?.[1];
  if (type === undefined) return undefined;
  let end = TYPE.lastIndex;
  for (PARAMETER.lastIndex = end; PARAMETER.test(header); end = PARAMETER.lastIndex);
  END.lastIndex = end;
  return END.test(header) ? type.toLowerCase() : undefined;
}

interface SchemaError {
  keyword: string;
  /** Path of the violated keyword in the schema. */
  schemaPath: string;
  instancePath: string;
  params: Readonly<Record<string, unknown>>;
  message: string;
}

/**
 * Compiles the schemas of routes into checks that change nothing in what they check but that empty members of a body become
 * null (`empty-members.ts`): no defaults, no coercion, no members left out. A schema is compiled when its route is first
 * used, because all of them together would take longer than the rest of the start.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let compiled: { validator: Validator; empty: ReturnType<typeof emptierOf> } | undefined;
  return (value: unknown) => {
    compiled ??= { validator: Compile(schema), empty: httpPart === "body" ? emptierOf(schema) : undefined };
    const { validator, empty } = compiled;
    empty?.(value);
    if (validator.Check(value)) return true;
    return { error: describe(validator.Errors(value), httpPart) };
  };
};

function describe(errors: readonly SchemaError[], part: string | undefined): AppError {
  if (part === "params") return notFound("resource");
  const { pointer, problem } = firstProblem(errors);
  const name = pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  if (part === "querystring") return new AppError("bad_parameter", `The parameter ${name} ${problem}`);
  return invalid(`${sentenceSubject(pointer, name)} ${problem}`, pointer === "" ? undefined : pointer);
}

/** `auto-apply` becomes `Auto apply`; an entry of a list is named by its list. */
function sentenceSubject(pointer: string, name: string): string {
  if (pointer === "") return "The request body";
  if (/^\d+$/.test(name)) return `Entry ${name} of ${pointer.split("/").at(-2) ?? "the list"}`;
  const words = name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The first failure in document order. Where a value may have several forms, each form reports its own failure: the
 * types and the values that may be are joined into one sentence, and of different failures the one deepest in the value says
 * the most.
 */
function firstProblem(errors: readonly SchemaError[]): { pointer: string; problem: string } {
  const [first] = errors;
  if (first === undefined) return { pointer: "", problem: "is invalid" };
  const union = errors.find((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
  if (union === undefined || !first.instancePath.startsWith(union.instancePath)) return single(first);
  const branches = errors.filter((error) => error !== union && error.instancePath.startsWith(union.instancePath));
  const deepest = branches.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  if (deepest === undefined) return single(union);
  const alike = branches.filter(({ instancePath }) => instancePath === deepest.instancePath);
  if (!alike.every(({ keyword }) => keyword === "type" || keyword === "const")) return single(deepest);
  return { pointer: deepest.instancePath, problem: formsText(alike) };
}

/** A value that is of another type than one that it may be says so twice. */
function formsText(errors: readonly SchemaError[]): string {
  const constants = errors.filter(({ keyword }) => keyword === "const");
  const said = new Set(constants.map(({ schemaPath }) => schemaPath));
  const types = errors.filter(({ keyword, schemaPath }) => keyword === "type" && !said.has(schemaPath));
  const values = [...new Set(constants.map(({ params }) => JSON.stringify(params["allowedValue"])))].join(", ");
  const names = [...(values === "" ? [] : [values]), ...new Set(types.map(({ params }) => typeName(params)))];
  return `must be ${values.includes(", ") ? "one of " : ""}${names.join(" or ")}`;
}

function single({ keyword, instancePath, params, message }: SchemaError): { pointer: string; problem: string } {
  const missing = keyword === "required" ? (params["requiredProperties"] as string[] | undefined)?.[0] : undefined;
  if (missing !== undefined) return { pointer: `${instancePath}/${escapePointer(missing)}`, problem: "is missing" };
  return { pointer: instancePath, problem: problemText(keyword, params) ?? message };
}

function problemText(keyword: string, params: SchemaError["params"]): string | undefined {
  const limit = Number(params["limit"] ?? 0);
  switch (keyword) {
    case "type":
      return `must be ${typeName(params)}`;
    case "boolean":
      return "is not known";
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "enum":
      return `must be one of ${(params["allowedValues"] as unknown[]).map((value) => JSON.stringify(value)).join(", ")}`;
    case "maxItems":
      return `must not have more than ${limit} entries`;
    case "minItems":
      return `must have at least ${limit} ${limit === 1 ? "entry" : "entries"}`;
    case "maxLength":
      return `is too long (maximum is ${limit} characters)`;
    case "minLength":
      return limit === 1 ? "must not be empty" : `is too short (minimum is ${limit} characters)`;
    case "pattern":
    case "format":
    case "anyOf":
    case "oneOf":
      return "is invalid";
    default:
      return undefined;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

function typeName({ type }: SchemaError["params"]): string {
  return [type]
    .flat()
    .map((each) => TYPE_NAMES[String(each)] ?? String(each))
    .join(" or ");
}
