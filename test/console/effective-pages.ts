/** Pages of effective permissions: of one subject, and of two side by side. */
import type { ListedPage } from "./listed-page.ts";

export const EFFECTIVE_PAGES: readonly ListedPage[] = [
  {
    name: "token-effective",
    path: "access/default/default/tokens/{token}?tab=effective",
    prepare: async (page) => page.getByRole("table").first().waitFor(),
  },
  {
    name: "role-effective",
    path: "access/default/default/roles/{role}?tab=effective&with=accessor:{token}",
    prepare: async (page) => page.getByText("Differs").first().waitFor(),
  },
];
