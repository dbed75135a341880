/** The projects of an organization. */
import { textColumn } from "../../kit/cells.tsx";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { BY_NO_VALUE, byKeys } from "../workspaces/filters.tsx";
import type { ProjectRow } from "./named.ts";
import * as texts from "../../texts/projects.ts";
import { screenNames } from "../../texts/names.ts";

const PATH: NonNullable<List<ProjectRow>["path"]> = ({ id }, place) => place.path("projects", id);

export const PROJECT_LIST: List<ProjectRow> = {
  noun: "projects",
  singular: screenNames.projects.project,
  plural: screenNames.projects.projects,
  about: texts.listHint,
  belongsTo: "organization",
  source: (place) =>
    v2Source(place.client, "listProjects", { organization_name: place.organization ?? "" }, { sort: "name" }),
  id: ({ id }) => id,
  name: ({ attributes }) => attributes.name,
  path: PATH,
  columns: [
    {
      id: "name",
      title: texts.name,
      sort: "name",
      width: "minmax(160px, 1.2fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          {row.attributes.name}
        </A>
      ),
    },
    textColumn(texts.description, ({ attributes }) => attributes.description, { width: "minmax(160px, 2fr)" }),
    {
      id: "workspaces",
      title: texts.workspaces,
      width: "100px",
      align: "end",
      isNarrow: true,
      cell: ({ attributes }) => attributes["workspace-count"].toLocaleString(),
    },
    {
      id: "created",
      title: texts.created,
      width: "150px",
      cell: ({ attributes }) => <Time value={attributes["created-at"]} />,
    },
  ],
  filters: [byKeys(texts.withTagKey), BY_NO_VALUE],
  create: { path: "projects/new", right: { resource: "organization", access: "write" } },
  empty: texts.emptyHint,
};
