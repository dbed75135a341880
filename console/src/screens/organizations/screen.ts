import type { Page, Screen } from "../../kit/screen.ts";
import { resourceQuery } from "../../kit/resource.ts";
import { ORGANIZATION } from "./named.ts";

const one: NonNullable<Page["load"]> = async ({ place, read }) =>
  read(resourceQuery(ORGANIZATION, place, place.organization ?? ""));

/** All organizations. */
export const ORGANIZATIONS: Screen = {
  noun: "organizations",
  title: "Organizations",
  summary: "What workspaces, projects and tags belong to",
  icon: "organization",
  place: "top",
  group: "Tags",
  pages: [
    {
      path: "organizations",
      title: "Organizations",
      view: async () => (await import("./list.tsx")).OrganizationList,
      load: async ({ readList }) => readList((await import("./list-of-organizations.tsx")).ORGANIZATION_LIST),
    },
    {
      path: "organizations/new",
      title: "New organization",
      view: async () => (await import("./pages.tsx")).OrganizationCreate,
    },
  ],
  actions: [
    { title: "New organization", path: "organizations/new", right: { resource: "organization", access: "write" } },
  ],
};

/** The organization that one is in: what it has, and its settings. */
export const THIS_ORGANIZATION: Screen = {
  noun: "settings",
  title: "This organization",
  summary: "What it has, its settings, what was done to it",
  icon: "organization",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "settings",
      title: "Organization",
      view: async () => (await import("./pages.tsx")).OrganizationObject,
      load: one,
    },
    {
      path: "settings/edit",
      title: "Edit organization",
      view: async () => (await import("./pages.tsx")).OrganizationEdit,
      load: one,
    },
  ],
};
