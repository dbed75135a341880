import type { Screen } from "../../kit/screen.ts";
import { newestQuery, overviewQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** Home: what is here. */
export const HOME: Screen = {
  noun: "home",
  title: screenNames.home.title,
  summary: screenNames.home.summary,
  icon: "home",
  place: "top",
  group: "",
  pages: [
    {
      path: "",
      title: screenNames.home.title,
      view: async () => (await import("./home.tsx")).Home,
      load: async ({ place, read }) => Promise.all([read(overviewQuery(place)), read(newestQuery(place))]),
    },
  ],
};
