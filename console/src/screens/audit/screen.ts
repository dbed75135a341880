import type { Page, Screen } from "../../kit/screen.ts";
import { queryClient } from "../../base/queries.ts";
import { auditQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

const PAGES: readonly Page[] = [
  {
    path: "audit",
    title: screenNames.audit.title,
    view: async () => (await import("./audit.tsx")).Audit,
    load: async ({ place, search }) => queryClient.infiniteQuery(auditQuery(place, search)).catch(() => undefined),
  },
];

/** Audit log of a scope: changes and denied requests. */
export const AUDIT: Screen = {
  noun: "audit",
  title: screenNames.audit.title,
  summary: screenNames.audit.summary,
  icon: "audit",
  place: "scope",
  group: "Insight",
  right: { resource: "acl", access: "read" },
  pages: PAGES,
};

/** Audit log of an organization, whose tags and workspaces have records of their own. */
export const ORGANIZATION_AUDIT: Screen = {
  noun: "organization-audit",
  title: screenNames.audit.organizationTitle,
  summary: screenNames.audit.organizationSummary,
  icon: "history",
  place: "organization",
  group: "Insight",
  pages: PAGES,
};
