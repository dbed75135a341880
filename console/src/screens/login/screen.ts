import type { Screen } from "../../kit/screen.ts";
import { methodsQuery } from "./queries.ts";

/** The login workbench: what a login would give, and why. */
export const LOGIN: Screen = {
  noun: "login",
  title: "Login workbench",
  summary: "What a login would give, and why",
  icon: "workbench",
  place: "scope",
  group: "Insight",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "login",
      title: "Login workbench",
      view: async () => (await import("./workbench.tsx")).LoginWorkbench,
      load: async ({ place, read }) => read(methodsQuery(place)),
    },
  ],
  actions: [{ title: "Explain a login", path: "login", right: { resource: "acl", access: "read" } }],
};
