import { Type } from "typebox";
import { pageOf, pageQuery } from "../../../http/jsonapi/schema.ts";
import { renderGroup } from "./as-json.ts";

const createdAt = "2026-01-02T03:04:05.678Z";
const GROUP = renderGroup("costcenter", [
  { id: "tag-Ab3kXyZ12mNoPqRs", name: "cost-center", instanceCount: 7, createdAt },
  { id: "tag-Tu3kXyZ12mNoPqRs", name: "cost_centers", instanceCount: 2, createdAt },
]);

export const alikeList = pageOf(
  "A page of groups of tags that are alike.",
  GROUP,
  {
    id: "What their names have in common.",
    attributes: { "tag-count": "How many tags there are in the group.", tags: "The first 100, the one to keep first." },
    relationships: {
      keep: { data: { id: "The one that most workspaces carry, of these the shortest, then the oldest." } },
    },
  },
  undefined,
  // False when so many tags are alike that some are left out.
  { "is-complete": true },
);

export const alikeQuery = Type.Object(pageQuery);
