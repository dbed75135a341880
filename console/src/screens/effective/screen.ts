import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Permissions of the signed-in token. No permission is required to read one's own. */
export const OWN_PERMISSIONS: Screen = {
  noun: "permissions",
  title: screenNames.effective.own,
  summary: screenNames.effective.ownSummary,
  icon: "lock",
  place: "scope",
  group: "Insight",
  isHidden: true,
  pages: [
    {
      path: "permissions",
      title: screenNames.effective.own,
      view: async () => (await import("./own.tsx")).OwnPermissions,
    },
  ],
};
