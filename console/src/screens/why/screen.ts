import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Screen that explains permissions and lists the subjects with a permission. */
export const WHY: Screen = {
  noun: "why",
  title: screenNames.why.title,
  summary: screenNames.why.summary,
  icon: "why",
  place: "scope",
  group: "Insight",
  right: { resource: "acl", access: "read" },
  pages: [{ path: "why", title: screenNames.why.title, view: async () => (await import("./why.tsx")).Why }],
  actions: [
    { title: screenNames.why.listCommand, path: "why?tab=who", right: { resource: "acl", access: "read" } },
    { title: screenNames.why.explainCommand, path: "why?tab=request", right: { resource: "acl", access: "read" } },
  ],
};

/** Screen for denied requests. Errors in the console link to it. */
export const WHY_REFUSED: Screen = {
  noun: "why-refused",
  title: screenNames.why.title,
  summary: screenNames.why.explainCommand,
  icon: "why",
  place: "top",
  group: "Insight",
  isHidden: true,
  pages: [{ path: "why", title: screenNames.why.title, view: async () => (await import("./arrival.tsx")).WhyArrival }],
};
