import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { AppError, invalid, notFound } from "../errors.ts";
import { escapePointer } from "./jsonapi-body.ts";

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: Readonly<Record<string, unknown>>;
  message: string;
}

/**
 * Compiles the schemas of routes into checks that change nothing in what they check: no defaults, no coercion, no
 * members left out. A schema is compiled when its route is first used, because all of them together would take longer
 * than the rest of the start.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let validator: Validator | undefined;
  return (value: unknown) => {
    validator ??= Compile(schema);
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
 * types are joined into one sentence, and of different failures the one deepest in the value says the most.
 */
function firstProblem(errors: readonly SchemaError[]): { pointer: string; problem: string } {
  const [first] = errors;
  if (first === undefined) return { pointer: "", problem: "is invalid" };
  const union = errors.find((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
  if (union === undefined || !first.instancePath.startsWith(union.instancePath)) return single(first);
  const branches = errors.filter((error) => error !== union && error.instancePath.startsWith(union.instancePath));
  const types = branches.filter((error) => error.keyword === "type" && error.instancePath === union.instancePath);
  if (types.length === branches.length && types.length > 0) {
    const names = [...new Set(types.map((error) => typeName(error.params)))];
    return { pointer: union.instancePath, problem: `must be ${names.join(" or ")}` };
  }
  const deepest = branches.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  return single(deepest ?? union);
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
