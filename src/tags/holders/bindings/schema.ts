/** Shapes of bindings on the wire. */
import { Type, type Static } from "typebox";
import { mayLack, optional, pageOf, pageQuery, parameter, shapeOf } from "../../../http/jsonapi/schema.ts";
import { WARNINGS } from "../../../http/jsonapi/warnings.ts";
import type { AddedBinding, BindingInput } from "./keys.ts";
import { taggedParameters } from "./parameters.ts";
import { renderBinding } from "./render.ts";

/** A key with or without a value, as requests give it. Its bounds are checked with a pointer to it. */
export const bindingSchema = Type.Object(
  {
    type: Type.Literal("tag-bindings"),
    id: Type.Optional(Type.String()),
    attributes: Type.Object({
      key: Type.String({ description: "At most 128 letters, digits and _ . = + - @ :" }),
      // An operation that adds bindings takes the empty value as a value, and null as none.
      value: optional(
        Type.String({ minLength: 0 }),
        "At most 256 characters, as in keys. Default: empty; when bindings are added, unchanged.",
      ),
    }),
  },
  { title: "TagBindingBody" },
);

/** More than one holder may have, so that it is refused in words. */
const MAX_ENTRIES = 1000;
const EXAMPLE = { type: "tag-bindings", attributes: { key: "env", value: "prod" } };

export const bindingsBody = Type.Object(
  { data: Type.Array(bindingSchema, { maxItems: MAX_ENTRIES }) },
  { title: "TagBindingsBody", examples: [{ data: [EXAMPLE] }] },
);

/** As a relationship of what has them: one without data, as clients write what they do not set, says nothing. */
export const bindingsRelationship = Type.Optional(
  Type.Object({ data: Type.Optional(bindingsBody.properties.data) }, { title: "TagBindingsRelationship" }),
);

/** Bindings that are added to what is there; null is as if the value were not given. */
export function readAddedBindings(data: Static<typeof bindingsBody>["data"]): AddedBinding[] {
  return data.map(({ attributes: { key, value } }) => ({ key, value: value ?? undefined }));
}

/** Bindings that take the place of those that are there, or the first: without a value they are empty. */
export function readBindings(data: Static<typeof bindingsBody>["data"]): BindingInput[] {
  return data.map(({ attributes: { key, value } }) => ({ key, value: value ?? "" }));
}

const BINDING = renderBinding({
  bindingId: "tb-Ab3kXyZ12mNoPqRs",
  key: "env",
  value: "prod",
  boundAt: "2026-01-02T03:04:05.678Z",
});

export const writtenBindings = Type.Object(
  { data: Type.Array(shapeOf(BINDING)), ...WARNINGS },
  {
    description: "Bindings of the request, without inherited bindings.",
    examples: [{ data: [BINDING] }],
  },
);

export const bindingList = Type.Object(
  { data: Type.Array(shapeOf(BINDING)) },
  { description: "Tag bindings in the order in which they were added.", examples: [{ data: [BINDING] }] },
);

const PROJECT = "prj-Ab3kXyZ12mNoPqRs";
const EFFECTIVE = {
  id: "7b0e6b8f0d5a1c2e9f3a4b5c6d7e8f901a2b3c4d5e6f708192a3b4c5d6e7f809",
  type: "effective-tag-bindings",
  attributes: { key: "env", value: "prod" },
  relationships: { "inherited-from": { data: { id: PROJECT, type: "projects" } } },
  links: { "inherited-from": `/api/v2/projects/${PROJECT}` },
};

export const effectiveList = Type.Object(
  {
    // Only an inherited binding has a source, and only callers that may see the source get it.
    data: Type.Array(mayLack(shapeOf(EFFECTIVE), "relationships", "links")),
  },
  { description: "Effective tag bindings: own, then inherited.", examples: [{ data: [EFFECTIVE] }] },
);

const FOUND = {
  ...BINDING,
  attributes: { ...BINDING.attributes, counts: { workspaces: 2, projects: 1 } },
  relationships: { target: { data: { id: "ws-Ab3kXyZ12mNoPqRs", type: "workspaces" } } },
};

/** Attributes may be chosen, so each may be missing. */
export const foundList = pageOf("Page of tag bindings.", FOUND, {
  attributes: Type.Partial(shapeOf(FOUND.attributes) as ReturnType<typeof Type.Object>),
  relationships: { target: { data: { type: Type.Enum(["workspaces", "projects"]) } } },
});

export const foundQuery = Type.Object({
  ...pageQuery,
  "filter[taggable-type]": parameter("workspaces or projects. Default: both."),
  ...taggedParameters,
  // words-ok: counts is a name on the wire
  "fields[tag-binding]": parameter("Attributes to return: counts, key, value, created-at."),
});
