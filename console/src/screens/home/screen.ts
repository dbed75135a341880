import type { Screen } from "../../kit/screen.ts";
import { newestQuery, overviewQuery } from "./queries.ts";

/** Home: what is here. */
export const HOME: Screen = {
  noun: "home",
  title: "Home",
  summary: "What is here, and what changed last",
  icon: "home",
  place: "top",
  group: "",
  pages: [
    {
      path: "",
      title: "Home",
      view: async () => (await import("./home.tsx")).Home,
      load: async ({ place, read }) => Promise.all([read(overviewQuery(place)), read(newestQuery(place))]),
    },
  ],
};
