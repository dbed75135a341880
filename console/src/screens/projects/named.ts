import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";

export type ProjectRow = ItemOf<"listProjects">;

/** How projects are read and called. */
export const PROJECT: NamedResource<ProjectRow> = {
  noun: "projects",
  singular: "project",
  plural: "Projects",
  read: "readProject",
  list: "listProjects",
  parameter: "project_id",
  title: ({ attributes }) => attributes.name,
};
