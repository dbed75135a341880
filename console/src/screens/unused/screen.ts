import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Unused rights: what policies, roles and tokens grant and nobody uses. */
export const UNUSED: Screen = {
  noun: "unused",
  title: screenNames.unused.title,
  summary: screenNames.unused.summary,
  icon: "clock",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "unused",
      title: screenNames.unused.title,
      view: async () => (await import("./unused.tsx")).UnusedRights,
    },
  ],
};
