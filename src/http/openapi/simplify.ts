/** Schemas as the document has them: the same as those that validate, in the words that generators of clients know. */
import { ALIASES, GO_TYPE, IGNORED, MAX_BYTES } from "../v1/body-schema.ts";
import type { Schema } from "./model.ts";

/** Keys that only this program reads. Some generators give a different meaning to a key of equal name. */
const INTERNAL: ReadonlySet<string> = new Set([ALIASES, GO_TYPE, IGNORED, MAX_BYTES]);

/** Members of a schema that are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "example", "examples", "default", "required"]);

/** An equal schema without keys of the program's own, with one list of types or of values where there was a union. */
export function simplify(schema: Schema): Schema {
  const members = Object.entries(schema)
    .filter(([key]) => !INTERNAL.has(key))
    .map(([key, value]) => [key, DATA.has(key) ? value : simplified(key, value)]);
  return merged(united(Object.fromEntries(members) as Schema));
}

function simplified(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? simplify(each) : each));
  if (!isObject(value)) return value;
  // The members of an object may have any names, those of keywords too.
  if (key === "properties" || key === "patternProperties")
    return toldApart(Object.entries(value).map(([name, each]) => [name, simplify(each as Schema)]));
  return simplify(value);
}

/** Members whose names differ in their hyphens and case alone, which would be one field of a Go client. */
function toldApart(members: readonly [name: string, schema: Schema][]): Record<string, Schema> {
  const fields = new Set<string>();
  return Object.fromEntries(
    members.map(([name, schema]) => {
      const field = fieldName(name);
      if (fields.has(field.toLowerCase())) return [name, { ...schema, "x-go-name": `${field}2` }];
      fields.add(field.toLowerCase());
      return [name, schema];
    }),
  );
}

/** `CreatedAt` for `created-at`, as generators call it. */
export function fieldName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** `X or null` is one schema of two types, and one of several values is a list of them. */
function united(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined) return typed(schema);
  // Which members go together is said in words: no generator knows alternatives that are no types.
  if (anyOf.every((each) => each.type === undefined && "required" in each)) return rest;
  if (anyOf.every((each) => "const" in each && typeof each.type === "string")) {
    const types = [...new Set(anyOf.map(({ type }) => type as string))];
    return { ...rest, type: types.length === 1 ? types[0] : types, enum: anyOf.map((each) => each["const"]) } as Schema;
  }
  const [form, ...others] = anyOf.filter((each) => each.type !== "null");
  if (form === undefined || others.length > 0 || anyOf.length !== 2 || !isPlain(form)) return schema;
  const {
    const: only,
    enum: values = only === undefined ? undefined : [only],
    ...more
  } = form as Record<string, unknown>;
  return {
    ...more,
    ...rest,
    type: [form.type, "null"],
    ...(values === undefined ? {} : { enum: [...(values as unknown[]), null] }),
  } as Schema;
}

/** A list of values says of which type they are; what may be a text or a number is called a text, which is always taken. */
function typed(schema: Schema): Schema {
  const { type } = schema;
  if (Array.isArray(type) && type.includes("string") && type.includes("integer")) {
    const { description = "A duration such as 1h30m." } = schema as { description?: string };
    return { ...schema, type: "string", description };
  }
  const values = schema["enum"];
  if (!Array.isArray(values) || schema.type !== undefined || values.some((each) => typeof each !== "string"))
    return schema;
  return { type: "string", ...schema };
}

/** An object keeps a schema of its own, which has a name. */
function isPlain({ type }: Schema): boolean {
  return typeof type === "string" && type !== "object";
}

/** Objects of which a value has to be each are one object, but for those that have a name. */
function merged(schema: Schema): Schema {
  const { allOf, ...rest } = schema as Schema & { allOf?: readonly Schema[] };
  if (allOf === undefined || allOf.some(({ type, title }) => type !== "object" || title !== undefined)) return schema;
  const required = allOf.flatMap((each) => (each["required"] ?? []) as string[]);
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: Object.assign({}, ...allOf.map(({ properties }) => properties)) as Record<string, Schema>,
    ...rest,
  };
}

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
