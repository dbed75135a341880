import type { Screen } from "../../kit/screen.ts";
import { tagQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** Tags: the pool of an organization. */
export const TAGS: Screen = {
  noun: "tags",
  title: screenNames.tags.tags,
  summary: screenNames.tags.summary,
  icon: "tag",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tags",
      title: screenNames.tags.tags,
      view: async () => (await import("./list.tsx")).TagList,
      load: async ({ readList }) => readList((await import("./list-of-tags.tsx")).TAG_LIST),
    },
    { path: "tags/new", title: screenNames.tags.newTags, view: async () => (await import("./create.tsx")).TagCreate },
    {
      path: "tags/alike",
      title: screenNames.tags.duplicates,
      view: async () => (await import("./alike.tsx")).AlikeTags,
    },
    {
      path: "tags/files",
      title: screenNames.tags.exportAndImport,
      view: async () => (await import("./files.tsx")).TagFiles,
    },
    {
      path: "tags/$tag",
      title: screenNames.tags.tagTitle,
      view: async () => (await import("./object.tsx")).TagObject,
      load: async ({ place, read, params }) => read(tagQuery(place, params["tag"] ?? "")),
    },
  ],
  actions: [
    { title: screenNames.tags.newTags, path: "tags/new", right: { resource: "organization", access: "write" } },
    {
      title: screenNames.tags.mergeDuplicates,
      path: "tags/alike",
      right: { resource: "organization", access: "write" },
    },
    { title: screenNames.tags.exportOrImport, path: "tags/files", right: { resource: "organization", access: "read" } },
  ],
};
