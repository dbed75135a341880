import type { Screen } from "../../kit/screen.ts";

/** Screen that explains permissions and lists the subjects with a permission. */
export const WHY: Screen = {
  noun: "why",
  title: "Why",
  summary: "Who may do what, and by which rule",
  icon: "why",
  place: "scope",
  group: "Insight",
  right: { resource: "acl", access: "read" },
  pages: [{ path: "why", title: "Why", view: async () => (await import("./why.tsx")).Why }],
  actions: [
    { title: "Ask who may do something", path: "why?tab=who", right: { resource: "acl", access: "read" } },
    { title: "Look up a refused request", path: "why?tab=request", right: { resource: "acl", access: "read" } },
  ],
};

/** Screen for denied requests. Errors in the console link to it. */
export const WHY_REFUSED: Screen = {
  noun: "why-refused",
  title: "Why",
  summary: "Why a request was refused",
  icon: "why",
  place: "top",
  group: "Insight",
  isHidden: true,
  pages: [{ path: "why", title: "Why", view: async () => (await import("./arrival.tsx")).WhyArrival }],
};
