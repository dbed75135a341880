import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Deleted objects of access control. */
export const TRASH: Screen = {
  noun: "trash",
  title: screenNames.trash.plural,
  summary: screenNames.trash.summary,
  icon: "trash",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "write" },
  pages: [
    {
      path: "trash",
      title: screenNames.trash.plural,
      view: async () => (await import("./list.tsx")).TrashList,
      load: async ({ readList }) => readList((await import("./list-of-trash.tsx")).TRASH_LIST),
    },
  ],
};
