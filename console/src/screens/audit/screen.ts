import type { Page, Screen } from "../../kit/screen.ts";
import { queryClient } from "../../base/queries.ts";
import { auditQuery } from "./queries.ts";

const PAGES: readonly Page[] = [
  {
    path: "audit",
    title: "Audit",
    view: async () => (await import("./audit.tsx")).Audit,
    load: async ({ place, search }) => queryClient.infiniteQuery(auditQuery(place, search)).catch(() => undefined),
  },
];

/** Audit: what was done in a scope, and what was refused. */
export const AUDIT: Screen = {
  noun: "audit",
  title: "Audit",
  summary: "What was done and refused, by whom",
  icon: "audit",
  place: "scope",
  group: "Insight",
  right: { resource: "acl", access: "read" },
  pages: PAGES,
};

/** The same of an organization, whose tags and workspaces have records of their own. */
export const ORGANIZATION_AUDIT: Screen = {
  noun: "organization-audit",
  title: "Audit of tags",
  summary: "What was done to an organization's tags and workspaces",
  icon: "history",
  place: "organization",
  group: "Insight",
  pages: PAGES,
};
