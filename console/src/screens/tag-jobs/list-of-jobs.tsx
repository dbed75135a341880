/** The jobs of an organization, the newest first. */
import { Progress, Text } from "@mantine/core";
import { Actor } from "../../kit/actor.tsx";
import { A } from "../../kit/link.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { smallSource, v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { JobStatus, percent } from "./progress.tsx";
import { useJobTitle } from "./job-title.ts";
import type { JobRow } from "./queries.ts";
import { ACTIONS, STATUSES, titleOf } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";
import { screenNames } from "../../texts/names.ts";

/** Title of a row. An undo names the job that it reverts. */
function JobTitle({ job }: { job: JobRow }) {
  return useJobTitle(job);
}

const PATH: NonNullable<List<JobRow>["path"]> = ({ id }, place) => place.path("tag-jobs", id);

export const JOB_LIST: List<JobRow> = {
  noun: "tag-jobs",
  singular: texts.job,
  plural: screenNames.tagJobs.jobs,
  about: texts.listHint,
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
      title: screenNames.tagJobs.jobTitle,
      width: "minmax(180px, 2fr)",
      isNarrow: true,
      filter: { by: "action", values: ({ attributes }) => [{ value: attributes.action }] },
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          <bdi>
            <JobTitle job={row} />
          </bdi>
        </A>
      ),
    },
    {
      id: "status",
      title: texts.status,
      width: "100px",
      isNarrow: true,
      filter: { by: "status", values: ({ attributes }) => [{ value: attributes.status }] },
      cell: (row) => <JobStatus job={row} />,
    },
    {
      id: "progress",
      title: texts.progress,
      width: "140px",
      cell: (row) => <Progress value={percent(row)} w="100%" aria-label={texts.percentDone(percent(row))} />,
    },
    {
      id: "changed",
      title: texts.changed,
      sort: "changed",
      width: "96px",
      align: "end",
      cell: ({ attributes }) => attributes.changed.toLocaleString(),
    },
    {
      id: "by",
      title: texts.createdBy,
      width: "minmax(100px, 1fr)",
      cell: ({ attributes: { "accessor-id": accessor } }) =>
        accessor !== null && (
          <Text span inherit truncate>
            <Actor actor={{ AccessorID: accessor }} />
          </Text>
        ),
    },
    {
      id: "begun",
      title: texts.created,
      sort: "created-at",
      width: "130px",
      cell: ({ attributes }) => <Time value={attributes["created-at"]} />,
    },
  ],
  filters: [
    {
      name: "status",
      title: texts.status,
      choices: choicesOf(STATUSES),
      fits: ({ attributes }, status) => attributes.status === status,
    },
    {
      name: "action",
      title: texts.action,
      choices: choicesOf(ACTIONS),
      fits: ({ attributes }, action) => attributes.action === action,
    },
  ],
  empty: texts.emptyHint,
};
