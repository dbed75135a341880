import { Type } from "typebox";

/** Schemas of what every paginated list answers and takes. */
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
export function examplePage(path: string) {
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
