import type { Screen } from "../../app/screen.ts";

/** Where a provider sends the browser back to. Nobody goes there by hand. */
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
