import type { Screen } from "../../kit/screen.ts";
import { methodsQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** The login workbench: what a login would give, and why. */
export const LOGIN: Screen = {
  noun: "login",
  title: screenNames.login.title,
  summary: screenNames.login.summary,
  icon: "workbench",
  place: "scope",
  group: "Insight",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "login",
      title: screenNames.login.title,
      view: async () => (await import("./workbench.tsx")).LoginWorkbench,
      load: async ({ place, read }) => read(methodsQuery(place)),
    },
  ],
  actions: [{ title: screenNames.login.command, path: "login", right: { resource: "acl", access: "read" } }],
};
