import type { Screen } from "../../kit/screen.ts";

/** Sessions: who is signed in to the console. */
export const SESSIONS: Screen = {
  noun: "sessions",
  title: "Sessions",
  summary: "Who is signed in to the console",
  icon: "session",
  place: "scope",
  group: "Access",
  pages: [
    {
      path: "sessions",
      title: "Sessions",
      view: async () => (await import("./list.tsx")).SessionList,
      load: async ({ readList }) => readList((await import("./list-of-sessions.tsx")).SESSION_LIST),
    },
  ],
};
