/** The OpenAPI document as a reader wants it: with references followed, but for those to schemas. */
import type { AnySchema, AnySchemaObject } from "ajv/dist/2020.js";

export interface Media {
  schema?: AnySchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; schema?: AnySchema; example?: unknown; description?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

export interface Document {
  openapi: string;
  info: { version: string; description: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, AnySchema>;
    securitySchemes: Record<string, unknown>;
    parameters: Record<string, unknown>;
    responses: Record<string, { description: string }>;
  };
}

export interface ReadOperation {
  name: string;
  path: string;
  method: string;
  operation: Operation;
}

/** All operations, each with all that the document says of it elsewhere. */
export function readOperations(document: Document): ReadOperation[] {
  return Object.entries(document.paths).flatMap(([path, { parameters, ...methods }]) =>
    Object.entries(methods).map(([method, written]) => {
      const operation = follow(document, written) as Operation;
      const common = (follow(document, parameters ?? []) ?? []) as NonNullable<Operation["parameters"]>;
      const all = [...common, ...(operation.parameters ?? [])];
      const { security = document.security } = operation;
      const responses = byStatus(operation.responses);
      return {
        name: `${method} ${path}`,
        path,
        method,
        operation: { ...operation, security, responses, parameters: all },
      };
    }),
  );
}

/** Replaces the `default` response by one response for the status of each of its examples. */
function byStatus({ default: refused, ...responses }: Operation["responses"]): Operation["responses"] {
  const gathered = Object.entries(refused?.content ?? {}).flatMap(([type, { schema, examples = {} }]) =>
    Object.entries(examples).map(([status, { value }]) => {
      const media: Media = { ...(schema === undefined ? {} : { schema }), example: value };
      return [status, { description: refused?.description ?? "", content: { [type]: media } }];
    }),
  );
  return { ...responses, ...(Object.fromEntries(gathered) as Operation["responses"]) };
}

function follow(document: Document, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => follow(document, each));
  if (typeof value !== "object" || value === null) return value;
  const reference = "$ref" in value ? String(value.$ref) : SCHEMAS;
  if (!reference.startsWith(SCHEMAS)) return follow(document, find(document, reference));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, follow(document, each)]));
}

const SCHEMAS = "#/components/schemas/";

interface ObjectSchema {
  properties?: Record<string, AnySchema>;
  required?: string[];
}

/** The schema without references, and objects of which a value has to be each as one. */
export function inlined(document: Document, schema: unknown): AnySchemaObject {
  if (Array.isArray(schema)) return schema.map((each) => inlined(document, each));
  if (typeof schema !== "object" || schema === null) return schema as AnySchemaObject;
  if ("$ref" in schema) return inlined(document, find(document, String(schema.$ref)));
  const made = Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, inlined(document, each)]));
  const { allOf, ...rest } = made as { allOf?: readonly ObjectSchema[] };
  if (allOf === undefined) return made;
  const properties = Object.assign({}, ...allOf.map((each) => each.properties)) as ObjectSchema["properties"];
  return { ...rest, type: "object", properties, required: allOf.flatMap(({ required = [] }) => required) };
}

/** Resolves a reference such as `#/components/responses/NotFound`. @throws Error when it leads to nothing */
function find(document: Document, reference: string): unknown {
  let found: unknown = document;
  for (const name of reference.split("/").slice(1)) found = (found as Record<string, unknown> | undefined)?.[name];
  if (found === undefined) throw new Error(`There is no ${reference}`);
  return found;
}
