/** Projects by the workspaces in them that lack a required tag key. */
import { useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tessera-server/client";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { ProjectName } from "../projects/project-input.tsx";
import { shareOf } from "./queries.ts";
import * as texts from "../../texts/tag-governance.ts";
import { screenNames } from "../../texts/names.ts";

type Row = ItemOf<"listTagPolicyProjects">;

export const PROJECT_COVERAGE_LIST: List<Row> = {
  noun: "tag-governance",
  singular: texts.projectOne,
  plural: texts.projectMany,
  title: screenNames.tagGovernance.projects,
  about: texts.projectsAbout,
  belongsTo: "organization",
  whole: { resource: "organization", access: "read" },
  isSearched: false,
  source: (place) =>
    v2Source<Row>(place.client, "listTagPolicyProjects", { organization_name: place.organization ?? "" }),
  id: ({ id }) => id,
  name: ({ id }) => id,
  columns: [
    {
      id: "project",
      title: texts.projectTitle,
      width: "minmax(130px, 2fr)",
      isNarrow: true,
      cell: ({ id }, place) => (
        <A
          to={`${place.path("tag-governance")}?${new URLSearchParams({ project: id }).toString()}`}
          truncate
          tabIndex={-1}
        >
          <ProjectName id={id} />
        </A>
      ),
    },
    {
      id: "coverage",
      title: texts.coverage,
      width: "90px",
      align: "end",
      cell: ({ attributes }) => shareOf(attributes),
    },
    {
      id: "workspaces",
      title: texts.workspaces,
      width: "110px",
      align: "end",
      cell: ({ id, attributes }, place) => (
        <A
          to={`${place.path("workspaces")}?${new URLSearchParams({ "filter[project][id]": id }).toString()}`}
          tabIndex={-1}
        >
          {attributes.workspaces.toLocaleString()}
        </A>
      ),
    },
    {
      id: "missing",
      title: texts.missing,
      width: "90px",
      align: "end",
      isNarrow: true,
      cell: ({ id, attributes }) => <Missing project={id} count={attributes.missing} />,
    },
  ],
  filters: [{ name: "filter[key]", title: texts.key, placeholder: texts.keyExample }],
  empty: texts.noKeysHint,
};

/** Link to the workspaces of a project without the key of the filter; without a filter, without a required key. */
function Missing({ project, count }: { readonly project: string; readonly count: number }) {
  const place = usePlace();
  const { "filter[key]": key = "" } = useSearch({ strict: false }) as Search;
  if (count === 0) return <>{count.toLocaleString()}</>;
  const filters = {
    "filter[kind]": "required",
    ...(key !== "" && { "filter[key]": key }),
    "filter[project][id]": project,
  };
  return (
    <A to={`${place.path("tag-policies")}?${new URLSearchParams(filters).toString()}`} tabIndex={-1}>
      {count.toLocaleString()}
    </A>
  );
}
