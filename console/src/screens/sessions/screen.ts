import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Sessions of the console. */
export const SESSIONS: Screen = {
  noun: "sessions",
  title: screenNames.sessions.plural,
  summary: screenNames.sessions.summary,
  icon: "session",
  place: "scope",
  group: "Access",
  pages: [
    {
      path: "sessions",
      title: screenNames.sessions.plural,
      view: async () => (await import("./list.tsx")).SessionList,
      load: async ({ readList }) => readList((await import("./list-of-sessions.tsx")).SESSION_LIST),
    },
  ],
};
