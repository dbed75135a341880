import type { Page, Screen } from "../../kit/screen.ts";
import { resourceQuery } from "../../kit/resource.ts";
import { ORGANIZATION } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

const one: NonNullable<Page["load"]> = async ({ place, read }) =>
  read(resourceQuery(ORGANIZATION, place, place.organization ?? ""));

/** All organizations. */
export const ORGANIZATIONS: Screen = {
  noun: "organizations",
  title: screenNames.organizations.organizations,
  summary: screenNames.organizations.summary,
  icon: "organization",
  place: "top",
  group: "Tags",
  pages: [
    {
      path: "organizations",
      title: screenNames.organizations.organizations,
      view: async () => (await import("./list.tsx")).OrganizationList,
      load: async ({ readList }) => readList((await import("./list-of-organizations.tsx")).ORGANIZATION_LIST),
    },
    {
      path: "organizations/new",
      title: screenNames.organizations.newOrganization,
      view: async () => (await import("./pages.tsx")).OrganizationCreate,
    },
  ],
  actions: [
    {
      title: screenNames.organizations.newOrganization,
      path: "organizations/new",
      right: { resource: "organization", access: "write" },
    },
  ],
};

/** The organization that one is in: what it has, and its settings. */
export const THIS_ORGANIZATION: Screen = {
  noun: "settings",
  title: screenNames.organizations.settingsTitle,
  summary: screenNames.organizations.settingsSummary,
  icon: "organization",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "settings",
      title: screenNames.organizations.organizationTitle,
      view: async () => (await import("./pages.tsx")).OrganizationObject,
      load: one,
    },
    {
      path: "settings/edit",
      title: screenNames.organizations.editOrganization,
      view: async () => (await import("./pages.tsx")).OrganizationEdit,
      load: one,
    },
  ],
};
