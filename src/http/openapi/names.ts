/**
 * Names of schemas. A schema says by its `title` what it is called; what has none is called after the resource that it
 * describes, or after its operation. Every schema that has a name stands once, under `components`, and all others refer to it.
 */
import { mediasOf, type OpenApi, operationsOf, type Schema } from "./model.ts";
import { isObject } from "./simplify.ts";

const SCHEMAS = "#/components/schemas/";

/** Claim to a name for a shape. A lower rank has precedence. */
interface Claim {
  schema: Schema;
  rank: number;
  name: string;
  /** Name to use where another shape has the first one. */
  otherwise: string | undefined;
}

/** Moves every schema that has a name into `components`. @throws Error when two schemas would have one name */
export function nameSchemas(document: OpenApi): void {
  const medias = operationsOf(document).flatMap(mediasOf);
  const claims = medias.flatMap(({ media, fallback }) =>
    media.schema === undefined ? [] : claimsOf(media.schema, fallback),
  );
  for (const { content = {} } of Object.values(document.components.responses))
    for (const { schema } of Object.values(content)) if (schema !== undefined) claims.push(...titlesIn(schema));
  const names = settle(claims);
  const refer = (media: { schema?: Schema }) => {
    if (media.schema !== undefined) media.schema = referring(media.schema, names, document.components.schemas);
  };
  for (const { media } of medias) refer(media);
  for (const { content = {} } of Object.values(document.components.responses)) Object.values(content).forEach(refer);
  document.components.schemas = Object.fromEntries(
    Object.entries(document.components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Shapes that have a name, each with the schema that it was given for. */
type Names = ReadonlyMap<string, { name: string; schema: Schema }>;

function settle(claims: readonly Claim[]): Names {
  const names = new Map<string, { name: string; schema: Schema }>();
  const owners = new Map<string, string>();
  for (const { schema, name, otherwise } of claims.toSorted((a, b) => a.rank - b.rank)) {
    const shape = shapeOf(schema);
    if (names.has(shape)) continue;
    const free = [name, otherwise].find((each) => each !== undefined && !owners.has(each));
    if (free === undefined)
      throw new Error(`Two schemas are called ${name}: give one a title\n${shape}\n${owners.get(name)}`);
    names.set(shape, { name: free, schema });
    owners.set(free, shape);
  }
  return names;
}

/** Claims of names for the schema of a body or an answer, its data and its entries. */
function claimsOf(schema: Schema, fallback: string): Claim[] {
  const claims = titlesIn(schema);
  const claim = (claimed: Schema, rank: number, name: string, otherwise?: string) =>
    claims.push({ schema: claimed, rank, name, otherwise });
  const { data, meta, links } = schema.properties ?? {};
  const resource = data?.items ?? data;
  const noun = fallback.endsWith("Body") ? undefined : resourceIn(resource);
  if (noun !== undefined && resource !== undefined) {
    const isList = resource !== data;
    claim(resource, isList ? 2 : 1, noun, isList ? `Listed${noun}` : undefined);
    const written = meta !== undefined && links === undefined ? "Written" : "";
    claim(schema, 3, `${written}${noun}${isList ? (links === undefined ? "List" : "Page") : "Document"}`);
  }
  if (schema.type === "object") claim(schema, 4, fallback);
  if (schema.items?.type === "object") claim(schema.items, 4, fallback.replace(/Answer$/, "Entry"));
  return claims;
}

function titlesIn(schema: Schema): Claim[] {
  const inside = subschemas(schema).flatMap(titlesIn);
  return schema.title === undefined
    ? inside
    : [{ schema, rank: 0, name: schema.title, otherwise: undefined }, ...inside];
}

/** `Workspace` for a resource of the type `workspaces`. */
function resourceIn(schema: Schema | undefined): string | undefined {
  const type = schema?.properties?.["type"]?.["const"];
  if (typeof type !== "string") return undefined;
  const words = type.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join("").replace(/ies$/, "y").replace(/s$/, "");
}

/** The same for schemas that are equal but for what they are called and said to be. */
function shapeOf(schema: Schema): string {
  const { description: _description, example: _example, examples: _examples, ...rest } = schema;
  return JSON.stringify(rest, (_key, value: unknown) => {
    if (!isObject(value)) return value;
    const { title, ...members } = value;
    const kept = typeof title === "string" ? members : value;
    return Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function subschemas(schema: Schema): Schema[] {
  const {
    properties = {},
    items,
    additionalProperties,
    patternProperties = {},
    anyOf = [],
    allOf = [],
    oneOf = [],
  } = schema as Record<string, unknown>;
  return [
    ...Object.values(properties as object),
    ...Object.values(patternProperties as object),
    items,
    additionalProperties,
    ...(anyOf as []),
    ...(allOf as []),
    ...(oneOf as []),
  ].filter(isObject);
}

/** The schema with references to what has names, which is put under `components`. */
function referring(schema: Schema, names: Names, components: Record<string, Schema>): Schema {
  // The media type shows the examples of the whole schema; the schema does not repeat them.
  const inside = ({ title: _title, examples: _examples, ...own }: Schema) =>
    Object.fromEntries(
      Object.entries(own).map(([key, value]) => [key, referringIn(key, value, names, components)]),
    ) as Schema;
  const named = names.get(shapeOf(schema));
  if (named === undefined) return inside(schema);
  components[named.name] ??= inside(named.schema);
  const { description } = schema;
  // Description in this place, where it differs from the description of the shared schema.
  const own = description === undefined || description === named.schema["description"] ? {} : { description };
  return { $ref: `${SCHEMAS}${named.name}`, ...own };
}

function referringIn(key: string, value: unknown, names: Names, components: Record<string, Schema>): unknown {
  const refer = (each: unknown) => (isObject(each) ? referring(each, names, components) : each);
  if (key === "properties" || key === "patternProperties")
    return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, refer(each)]));
  if (key === "anyOf" || key === "allOf" || key === "oneOf") return (value as unknown[]).map(refer);
  return key === "items" || key === "additionalProperties" ? refer(value) : value;
}
