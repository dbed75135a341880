import { Type } from "typebox";
import { pageOf, pageQuery } from "../../../http/jsonapi/schema.ts";
import { renderGroup } from "./as-json.ts";

const createdAt = "2026-01-02T03:04:05.678Z";
const GROUP = renderGroup("costcenter", [
  { id: "tag-Ab3kXyZ12mNoPqRs", name: "cost-center", instanceCount: 7, createdAt },
  { id: "tag-Tu3kXyZ12mNoPqRs", name: "cost_centers", instanceCount: 2, createdAt },
]);

export const alikeList = pageOf(
  "Page of groups of similar tags.",
  GROUP,
  {
    id: "Common form of the names.",
    attributes: {
      "tag-count": "Number of tags in the group.",
      tags: "First 100 tags, the suggested merge target first.",
    },
    relationships: {
      keep: { data: { id: "Most used tag; if equal, the shortest, then the oldest." } },
    },
  },
  undefined,
  // False when so many tags are alike that some are left out.
  { "is-complete": true },
);

export const alikeQuery = Type.Object(pageQuery);
