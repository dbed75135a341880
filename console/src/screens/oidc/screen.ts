import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Screen to which an identity provider redirects the browser. Users do not open it themselves. */
export const OIDC: Screen = {
  noun: "oidc",
  title: screenNames.oidc.title,
  summary: screenNames.oidc.summary,
  icon: "method",
  place: "top",
  group: "",
  isHidden: true,
  pages: [
    {
      path: "oidc/callback",
      title: screenNames.oidc.title,
      view: async () => (await import("./callback.tsx")).OidcCallback,
    },
  ],
};
