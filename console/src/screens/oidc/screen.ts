import type { Screen } from "../../kit/screen.ts";

/** Screen to which an identity provider redirects the browser. Users do not open it themselves. */
export const OIDC: Screen = {
  noun: "oidc",
  title: "Signing in",
  summary: "Back from the provider",
  icon: "method",
  place: "top",
  group: "",
  isHidden: true,
  pages: [
    {
      path: "oidc/callback",
      title: "Signing in",
      view: async () => (await import("./callback.tsx")).OidcCallback,
    },
  ],
};
