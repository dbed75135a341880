import type { Screen } from "../../kit/screen.ts";
import { resourcePages } from "../../kit/resource-pages.ts";
import { RESERVED_KEY } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Keys whose values are not everybody's to choose. */
export const RESERVED_TAG_KEYS: Screen = {
  noun: "reserved-tag-keys",
  title: screenNames.reservedTagKeys.reservedKeys,
  summary: screenNames.reservedTagKeys.summary,
  icon: "lock",
  place: "organization",
  group: "Tags",
  pages: resourcePages(RESERVED_KEY, async () => (await import("./list-of-reserved-keys.tsx")).RESERVED_KEY_LIST, {
    list: async () => (await import("./list.tsx")).ReservedKeyList,
    create: async () => (await import("./pages.tsx")).ReservedKeyCreate,
    object: async () => (await import("./pages.tsx")).ReservedKeyObject,
    edit: async () => (await import("./pages.tsx")).ReservedKeyEdit,
  }),
  actions: [
    {
      title: screenNames.reservedTagKeys.reserveKey,
      path: "reserved-tag-keys/new",
      right: { resource: "organization", access: "write" },
    },
  ],
};
