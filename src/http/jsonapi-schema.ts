/** Parts of schemas that the payloads of `/api/v2` have in common. */
import { Type, type TProperties, type TSchema } from "typebox";

/** Or null. */
export function nullable<T extends TSchema>(type: T, description?: string) {
  return Type.Union([type, Type.Null()], description === undefined ? {} : { description });
}

/** An attribute of a request that may be left out, or null. */
export function optional<T extends TSchema>(type: T, description?: string) {
  return Type.Optional(nullable(type, description));
}

/** A query parameter. */
export function parameter(description: string) {
  return Type.Optional(Type.String({ description }));
}

/** A relationship that is a link and nothing more. */
export const related = Type.Object({ links: Type.Object({ related: Type.String() }) });

/** A relationship to one resource. */
export function relatedTo<T extends string>(type: T, description?: string) {
  const id = Type.String(description === undefined ? {} : { description });
  return Type.Object({ data: Type.Object({ id, type: Type.Literal(type) }) });
}

/** Body of a request about one resource. @param members what it holds beside its type and id @param example the same */
export function resourceBody<T extends string, P extends TProperties>(type: T, members: P, example: object) {
  const data = Type.Object({ type: Type.Literal(type), id: Type.Optional(Type.String()), ...members });
  return Type.Object({ data }, { examples: [{ data: { type, ...example } }] });
}

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

/** Where a resource may come with others. */
export const INCLUDED = { included: Type.Optional(Type.Array(Type.Unknown())) };

/** The document of one resource. @param more its other members */
export function documentOf(resource: TSchema, description: string, example: object, more: TProperties = {}) {
  return Type.Object({ data: resource, ...more }, { description, examples: [{ data: example }] });
}

/** The document of a page. @param path of the list in the example @param more its other members */
export function pageOf(resource: TSchema, description: string, example: object, path: string, more: TProperties = {}) {
  return Type.Object(
    { data: Type.Array(resource), ...more, links: linksSchema, meta: paginationSchema },
    { description, examples: [{ data: [example], ...examplePage(path) }] },
  );
}

export const paginationSchema = Type.Object({
  pagination: Type.Object({
    "current-page": Type.Integer(),
    "page-size": Type.Integer(),
    "prev-page": Type.Union([Type.Integer(), Type.Null()]),
    "next-page": Type.Union([Type.Integer(), Type.Null()]),
    "total-pages": Type.Integer(),
    "total-count": Type.Integer(),
  }),
});

export const linksSchema = Type.Object({
  self: Type.String(),
  first: Type.String(),
  prev: Type.Union([Type.String(), Type.Null()]),
  next: Type.Union([Type.String(), Type.Null()]),
  last: Type.String(),
});

export const pageQuery = {
  "page[number]": Type.Optional(
    Type.String({
      description: "Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.",
    }),
  ),
  "page[size]": Type.Optional(Type.String({ description: "Entries per page: 20 unless given, 100 at most." })),
};

/** `links` and `meta` of an example that is a single page. */
function examplePage(path: string) {
  const url = `https://tessera.example${path}?page%5Bnumber%5D=1&page%5Bsize%5D=20`;
  return {
    links: { self: url, first: url, prev: null, next: null, last: url },
    meta: {
      pagination: {
        "current-page": 1,
        "page-size": 20,
        "prev-page": null,
        "next-page": null,
        "total-pages": 1,
        "total-count": 1,
      },
    },
  };
}
