import { Type, type Static } from "typebox";
import { oneOf, READ_ONLY_INDEXES } from "../../http/v1/body-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import { DENSITIES, NAME_LENGTH, VIEW_BYTES, type ViewInput } from "./check.ts";
import { isShared, type View } from "./service.ts";

const EXAMPLE = {
  ID: "5f2a0a9e-7f0c-4a0c-8f5a-4c1f9a0f3b1d",
  Name: "Unused tokens",
  List: "tokens",
  Shared: true,
  Query: { "unused-for": "720h" },
  Sort: "-LastUsed",
  Columns: ["description", "used"],
  Density: "compact",
  Namespace: "default",
  Partition: "default",
  CreateIndex: 18,
  ModifyIndex: 18,
};

const text = Type.Optional(Type.String());

export const viewBody = Type.Object(
  {
    ID: text,
    Name: Type.Optional(Type.String({ description: `1 to ${NAME_LENGTH} characters, unique per list.` })),
    List: Type.Optional(Type.String({ description: "Noun of the list, such as `roles`." })),
    Shared: Type.Optional(Type.Boolean({ description: "Share the view in the namespace. Requires acl:write." })),
    Query: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "Search and filters, as in the URL of the console." }),
    ),
    Sort: text,
    Columns: Type.Optional(Type.Array(Type.String())),
    Density: Type.Optional(oneOf(["", ...DENSITIES])),
    ...SCOPE_MEMBERS,
    ...READ_ONLY_INDEXES,
  },
  {
    title: "ViewBody",
    description: `At most ${VIEW_BYTES} bytes as JSON.`,
    examples: [{ Name: EXAMPLE.Name, List: EXAMPLE.List, Query: EXAMPLE.Query, Sort: EXAMPLE.Sort }],
  },
);

const viewMembers = {
  ID: Type.String(),
  Name: Type.String(),
  List: Type.String(),
  Shared: Type.Boolean({ description: "Whether the view belongs to the namespace; otherwise to the caller." }),
  Query: Type.Record(Type.String(), Type.String()),
  Sort: Type.String({ description: "Field, with - for descending order; empty for the order of the list." }),
  Columns: Type.Array(Type.String(), { description: "IDs of columns; empty for the default ones." }),
  Density: oneOf(["", ...DENSITIES]),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};

export const viewAnswer = Type.Object(viewMembers, {
  title: "SavedView",
  description: "The saved view.",
  examples: [EXAMPLE],
});

export const viewsAnswer = Type.Array(Type.Object(viewMembers), {
  description: "Own views, and shared views of the namespace, by name.",
  examples: [[EXAMPLE]],
});

/** Returns the view in a body. */
export function viewFrom(body: Static<typeof viewBody>): ViewInput {
  const { Name = "", List = "", Shared = false, Query = {}, Sort = "", Columns = [], Density = "" } = body;
  return { name: Name, list: List, isShared: Shared, query: Query, sort: Sort, columns: Columns, density: Density };
}

/** Returns a view as answers show it. */
export function renderView(view: View, renderScope: RenderScope) {
  const { query: Query, sort: Sort, columns: Columns, density: Density } = view.content;
  return {
    ID: view.id,
    Name: view.name,
    List: view.list,
    Shared: isShared(view),
    Query,
    Sort,
    Columns,
    Density,
    ...renderScope(view.scope),
    CreateIndex: view.createIndex,
    ModifyIndex: view.modifyIndex,
  };
}
