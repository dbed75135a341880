/** Parts of schemas that the payloads of `/api/v2` have in common. */
import { Type, type TObject, type TProperties, type TSchema } from "typebox";
import type { Actor } from "../../rights/actor.ts";

/** Or null. */
export function nullable<T extends TSchema>(type: T, description?: string) {
  return Type.Union([type, Type.Null()], description === undefined ? {} : { description });
}

/** An attribute of a request that may be left out, or null. */
export function optional<T extends TSchema>(type: T, description?: string) {
  return Type.Optional(nullable(type, description));
}

/** A query parameter. A filter that may be empty has the least length 0. */
export function parameter(description: string, options: { minLength?: 0 } = {}) {
  return Type.Optional(Type.String({ description, ...options }));
}

/** The parameter that `readIdPrefix` reads. */
export const ID_PREFIX_PARAMETER = parameter(
  "First characters of the IDs: the prefix and at least 4 more, case-sensitive.",
);

/**
 * Schema details that an example cannot show. For a member: a description, its schema where it may have another type,
 * or the details of its own members. For an array: the details of its entries' members.
 */
type Said = string | object;

/** The schema of all that is like an example: the same members, entries like the first one, any time for a time. */
export function shapeOf(example: unknown, said: Said = {}): TSchema {
  if (typeof said === "object" && "~kind" in said) return said;
  const options = typeof said === "string" ? { description: said } : {};
  if (typeof example === "string")
    return Type.String({ ...options, ...(TIME.test(example) && { format: "date-time" }) });
  if (typeof example === "number") return Type.Integer(options);
  if (typeof example === "boolean") return Type.Boolean(options);
  if (typeof example !== "object" || example === null) return Type.Null(options);
  if (Array.isArray(example)) {
    const entries = typeof said === "string" ? {} : said;
    return Type.Array(example.length === 0 ? Type.Unknown() : shapeOf(example[0], entries), options);
  }
  const members = Object.entries(example).map(([name, value]) => {
    const more = (said as Record<string, Said>)[name];
    return [name, name === "type" && more === undefined ? Type.Literal(String(value)) : shapeOf(value, more)];
  });
  const title =
    COMMON[
      JSON.stringify(example, (key, value: unknown) =>
        key && typeof value === "string" && key !== "type" ? "" : value,
      )
    ];
  const isCommon = title !== undefined && Object.keys(said).length === 0;
  const own = isCommon ? SAID_OF_COMMON[title] : undefined;
  if (own !== undefined) return titled(title ?? "", shapeOf(example, own));
  const named = isCommon ? { title } : {};
  return Type.Object(Object.fromEntries(members) as TProperties, { ...options, ...named });
}

/** Names in the OpenAPI document for shapes that many resources share, by an example of the shape without its texts. */
const COMMON: Readonly<Record<string, string>> = {
  '{"self":""}': "SelfLink",
  '{"related":""}': "RelatedLink",
  '{"links":{"related":""}}': "RelatedElsewhere",
  '{"data":{"id":"","type":"organizations"}}': "ToOrganization",
  '{"data":{"id":"","type":"projects"}}': "ToProject",
  '{"organization":{"data":{"id":"","type":"organizations"}}}': "OfOrganization",
};

/** Descriptions of the common shapes. */
const SAID_OF_COMMON: Readonly<Record<string, Said>> = {
  ToOrganization: { data: { id: "Organization name." } },
};

/** The same schema, by a name that the OpenAPI document has it under. */
export function titled(title: string, schema: TSchema): TSchema {
  const { properties, required: _required, ...options } = schema as TObject;
  return Type.Object(properties, { ...options, title });
}

/** The same shape, in which these members need not be. */
export function mayLack(shape: TSchema, ...names: string[]): TSchema {
  const { properties, required: _required, ...options } = shape as TObject;
  const members = Object.entries(properties).map(([name, type]) => [
    name,
    names.includes(name) ? Type.Optional(type) : type,
  ]);
  return Type.Object(Object.fromEntries(members) as TProperties, options);
}

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Actor with all permissions. The examples of answers are rendered for it. */
export const EXAMPLE_ACTOR = { rights: { in: () => ({ decide: () => ({ allow: true }) }) } } as unknown as Actor;

/** Body of a request about one resource. @param members what it holds beside its type and id @param example the same */
export function resourceBody<T extends string, P extends TProperties>(type: T, members: P, example: object) {
  const data = Type.Object({ type: Type.Literal(type), id: Type.Optional(Type.String()), ...members });
  return Type.Object({ data }, { examples: [{ data: { type, ...example } }] });
}

/** The relationship of a request to an agent pool, of which there are none. */
export const defaultAgentPool = Type.Optional(
  Type.Object(
    { data: optional(Type.Object({ type: Type.String(), id: Type.String() })) },
    { description: "Must be null: agents are not supported.", title: "NoAgentPool" },
  ),
);

/** Entries of one bulk request. */
const MAX_ENTRIES = 1000;

/** Body of a bulk request. @param examples entries */
export function bulkBody<T extends TSchema>(entry: T, ...examples: object[]) {
  const data = Type.Array(entry, { minItems: 1, maxItems: MAX_ENTRIES });
  return Type.Object({ data }, { examples: [{ data: examples }] });
}

/** A resource that a request names by its id. */
export function identifier<T extends string>(type: T, maxLength?: number) {
  const id = Type.String({ minLength: 1, ...(maxLength === undefined ? {} : { maxLength }) });
  return Type.Object({ type: Type.Literal(type), id });
}

/** Member of a document for related resources that are included, each as in its own document. */
export const INCLUDED = {
  included: Type.Optional(
    Type.Array(
      Type.Object(
        { id: Type.String(), type: Type.String(), attributes: Type.Record(Type.String(), Type.Unknown()) },
        { additionalProperties: true, title: "IncludedResource" },
      ),
    ),
  ),
};

const answeredIdentifier = Type.Object({ id: Type.String(), type: Type.String() }, { title: "ResourceIdentifier" });
const relationship = Type.Object(
  {
    data: Type.Optional(Type.Union([answeredIdentifier, Type.Array(answeredIdentifier), Type.Null()])),
    links: Type.Optional(Type.Object({ related: Type.String() })),
  },
  { title: "Relationship" },
);

/** The relationships of a resource like the example: each leads to something or to nothing, or says where that is read. */
export function relationshipsOf({ relationships }: { relationships: object }): TSchema {
  return Type.Object(Object.fromEntries(Object.keys(relationships).map((name) => [name, relationship])));
}

/** The document of a resource like the example. @param said see `shapeOf` @param more its other members */
export function documentOf(description: string, example: object, said: Said = {}, more: TProperties = {}) {
  return Type.Object({ data: shapeOf(example, said), ...more }, { description, examples: [{ data: example }] });
}

/** Characters of an entry that the example of a page shows. */
const MOST_OF_LISTED = 200;

/** The document of a page of such. @param moreMeta example of what else is told of the list */
export function pageOf(
  description: string,
  example: object,
  said: Said = {},
  more: TProperties = {},
  moreMeta: object = {},
) {
  // The large ones stand in the example of their own document.
  const entries = JSON.stringify(example).length > MOST_OF_LISTED ? [] : [example];
  const page = examplePage(entries.length);
  const shown = { ...page, meta: { ...page.meta, ...moreMeta } };
  return Type.Object(
    { data: Type.Array(shapeOf(example, said)), ...more, links: linksSchema, meta: shapeOf(shown.meta, SAID_OF_META) },
    { description, examples: [{ data: entries, ...shown }] },
  );
}

export const pageQuery = {
  "page[number]": parameter("Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB."),
  "page[size]": parameter("Entries per page. Maximum: 100. Default: 20."),
};

/** `links` and `meta` of an example that is a single page; the same for every list, so that the document has it once. */
function examplePage(count = 1) {
  const url = "https://tessera.example/…?page%5Bnumber%5D=1";
  return {
    links: { self: url, first: url, prev: null, next: null, last: url },
    meta: {
      pagination: {
        "current-page": 1,
        "page-size": 20,
        "prev-page": null,
        "next-page": null,
        "total-pages": 1,
        "total-count": count,
      },
    },
  };
}

const { links, meta } = examplePage();
const maybeNumber = nullable(Type.Integer());
const maybeText = nullable(Type.String());
export const linksSchema = titled("PageLinks", shapeOf(links, { prev: maybeText, next: maybeText }));
const { pagination } = meta;
const SAID_OF_META = {
  pagination: titled("Pagination", shapeOf(pagination, { "prev-page": maybeNumber, "next-page": maybeNumber })),
};
export const paginationSchema = titled("PageMeta", shapeOf(meta, SAID_OF_META));

/** An answer of an operation, as far as it says whether it lists: what its document has, or that of each of its media types. */
interface Answer {
  properties?: { data?: { type?: string } };
  content?: Readonly<Record<string, { schema: Answer }>>;
}

/** Whether what is answered lists what may be many. @param response the answers of an operation by their status */
export function isList(response: unknown): boolean {
  const answer = (response as Partial<Record<string, Answer>> | undefined)?.["200"];
  const documents =
    answer?.content === undefined ? [answer] : Object.values(answer.content).map(({ schema }) => schema);
  return documents.some((document) => document?.properties?.data?.type === "array");
}
