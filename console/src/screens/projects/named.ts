import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";
import { screenNames } from "../../texts/names.ts";

export type ProjectRow = ItemOf<"listProjects">;

/** How projects are read and called. */
export const PROJECT: NamedResource<ProjectRow> = {
  noun: "projects",
  singular: screenNames.projects.project,
  plural: screenNames.projects.projects,
  read: "readProject",
  list: "listProjects",
  parameter: "project_id",
  title: ({ attributes }) => attributes.name,
};
