/** The jobs of an organization, the newest first. */
import { Progress } from "@mantine/core";
import { A } from "../../kit/link.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { smallSource, v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { JobStatus, percent } from "./progress.tsx";
import type { JobRow } from "./queries.ts";
import { ACTIONS, titleOf } from "./words.ts";

const PATH: NonNullable<List<JobRow>["path"]> = ({ id }, place) => place.path("tag-jobs", id);

export const JOB_LIST: List<JobRow> = {
  noun: "tag-jobs",
  singular: "job",
  plural: "Jobs",
  about: "Changes of many tags or workspaces at once. What they changed can be taken back for seven days.",
  belongsTo: "organization",
  source: (place) =>
    smallSource<JobRow>(v2Source(place.client, "listTagJobs", { organization_name: place.organization ?? "" }), {
      text: titleOf,
      value: ({ attributes }, field) => (field === "changed" ? attributes.changed : attributes["created-at"]),
    }),
  id: ({ id }) => id,
  name: titleOf,
  path: PATH,
  columns: [
    {
      id: "what",
      title: "What",
      width: "minmax(180px, 2fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          <bdi>{titleOf(row)}</bdi>
        </A>
      ),
    },
    { id: "status", title: "State", width: "100px", isNarrow: true, cell: (row) => <JobStatus job={row} /> },
    {
      id: "progress",
      title: "Progress",
      width: "140px",
      cell: (row) => <Progress value={percent(row)} w="100%" aria-label={`${percent(row)} % done`} />,
    },
    {
      id: "changed",
      title: "Changed",
      sort: "changed",
      width: "96px",
      align: "end",
      cell: ({ attributes }) => attributes.changed.toLocaleString(),
    },
    {
      id: "begun",
      title: "Asked for",
      sort: "created-at",
      width: "130px",
      cell: ({ attributes }) => <Time value={attributes["created-at"]} />,
    },
  ],
  filters: [
    {
      name: "status",
      title: "State",
      choices: ["queued", "running", "paused", "done", "failed", "cancelled"].map((state) => ({
        value: state,
        label: state,
      })),
      fits: ({ attributes }, status) => attributes.status === status,
    },
    {
      name: "action",
      title: "What",
      choices: choicesOf(ACTIONS),
      fits: ({ attributes }, action) => attributes.action === action,
    },
  ],
  empty: "Merge or delete tags, or put them on all workspaces that a search finds: each is a job, and is listed here.",
};
