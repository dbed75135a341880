/** One job: how far it is, what was asked for, and what can be done with it. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { Actor } from "../../kit/actor.tsx";
import { A, asLink, partsOf } from "../../kit/link.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Field, Fields, ObjectScreen, WithFacts } from "../../kit/object-screen.tsx";
import { Time } from "../../kit/time.tsx";
import { JobActions } from "./actions.tsx";
import { JobChanges } from "./changes.tsx";
import { JobProgress, JobStatus } from "./progress.tsx";
import { useJobTitle } from "./job-title.ts";
import { creationQuery, jobQuery, undoneByQuery, type JobRow } from "./queries.ts";
import { ACTIONS, filterText, titleOf } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of a job. */
export function JobObject() {
  const place = usePlace();
  const navigate = useNavigate();
  const query = useQuery(jobQuery(place, usePathParameter("job")));
  const job = query.data;
  const title = useJobTitle(job);
  const up = { to: place.path("tag-jobs"), title: screenNames.tagJobs.jobs };
  if (job === undefined) return <ObjectPending query={query} up={up} />;
  const show = (id: string) => void navigate(asLink(partsOf(place.path("tag-jobs", id))));
  return (
    <ObjectScreen
      title={title}
      query={query}
      up={up}
      marks={<JobStatus job={job} />}
      actions={<JobActions job={job} undone={show} hasPreview />}
      tabs={[
        { id: "overview", title: texts.overview, icon: "eye", content: <Overview job={job} /> },
        { id: "changes", title: texts.changesTab, icon: "edit", content: <JobChanges job={job} /> },
      ]}
    />
  );
}

function Overview({ job }: { job: JobRow }) {
  const place = usePlace();
  const { attributes } = job;
  const { data: undoneBy = null } = useQuery(undoneByQuery(place, job.id));
  const actor = useQuery(creationQuery(place, job.id)).data?.Actor;
  const undone = attributes["undo-of"];
  const tags = attributes.tags ?? [];
  return (
    <WithFacts
      facts={
        <Card title={texts.details}>
          <Fields>
            <Field name={texts.action}>{ACTIONS[attributes.action] ?? attributes.action}</Field>
            <Field name={texts.tags}>
              {tags.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)).join(", ")}
            </Field>
            <Field name={texts.removedAs}>{attributes.as}</Field>
            <Field name={texts.targetName}>{attributes.to}</Field>
            <Field name={texts.filter}>
              {attributes.filter !== null && (
                <Text inherit style={{ whiteSpace: "pre-line" }}>
                  {filterText(attributes.filter)}
                </Text>
              )}
            </Field>
            <Field name={texts.undoOf}>{undone !== null && <JobLink id={undone} />}</Field>
            <Field name={texts.undoneBy}>{undoneBy !== null && <JobLink id={undoneBy} />}</Field>
            <Field name={texts.importMode}>{attributes.mode}</Field>
            <Field name={texts.createdBy}>
              {attributes["accessor-id"] !== null && (
                <Actor actor={actor ?? { AccessorID: attributes["accessor-id"] }} />
              )}
            </Field>
            <Field name={texts.created}>
              <Time value={attributes["created-at"]} />
            </Field>
            <Field name={texts.finished}>
              {attributes["finished-at"] !== null && <Time value={attributes["finished-at"]} />}
            </Field>
          </Fields>
        </Card>
      }
    >
      <Card title={texts.progress}>
        <JobProgress job={job} />
      </Card>
    </WithFacts>
  );
}

/** Link to another job, with its title. */
function JobLink({ id }: { id: string }) {
  const place = usePlace();
  const { data: job } = useQuery({ ...jobQuery(place, id), refetchInterval: false });
  return <A to={place.path("tag-jobs", id)}>{job === undefined ? id : titleOf(job)}</A>;
}
