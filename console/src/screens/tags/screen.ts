import type { Screen } from "../../kit/screen.ts";
import { tagQuery } from "./queries.ts";

/** Tags: the pool of an organization. */
export const TAGS: Screen = {
  noun: "tags",
  title: "Tags",
  summary: "What workspaces have in common",
  icon: "tag",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tags",
      title: "Tags",
      view: async () => (await import("./list.tsx")).TagList,
      load: async ({ readList }) => readList((await import("./list-of-tags.tsx")).TAG_LIST),
    },
    { path: "tags/new", title: "New tags", view: async () => (await import("./create.tsx")).TagCreate },
    { path: "tags/alike", title: "Alike", view: async () => (await import("./alike.tsx")).AlikeTags },
    { path: "tags/files", title: "Files", view: async () => (await import("./files.tsx")).TagFiles },
    {
      path: "tags/$tag",
      title: "Tag",
      view: async () => (await import("./object.tsx")).TagObject,
      load: async ({ place, read, params }) => read(tagQuery(place, params["tag"] ?? "")),
    },
  ],
  actions: [
    { title: "New tags", path: "tags/new", right: { resource: "organization", access: "write" } },
    { title: "Merge tags that are alike", path: "tags/alike", right: { resource: "organization", access: "write" } },
    { title: "Export or import tags", path: "tags/files", right: { resource: "organization", access: "read" } },
  ],
};
