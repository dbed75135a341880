/** One job: how far it is, what was asked for, and what can be done with it. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { A, asLink, partsOf } from "../../kit/link.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Cards, Field, Fields, ObjectScreen } from "../../kit/object-screen.tsx";
import { Time } from "../../kit/time.tsx";
import { JobActions } from "./actions.tsx";
import { JobProgress, JobStatus } from "./progress.tsx";
import { jobQuery, type JobRow } from "./queries.ts";
import { filterText, titleOf } from "./words.ts";

/** The screen of a job. */
export function JobObject() {
  const place = usePlace();
  const navigate = useNavigate();
  const query = useQuery(jobQuery(place, usePathParameter("job")));
  const job = query.data;
  const up = { to: place.path("tag-jobs"), title: "Jobs" };
  if (job === undefined) return <ObjectPending query={query} up={up} />;
  const show = (id: string) => void navigate(asLink(partsOf(place.path("tag-jobs", id))));
  return (
    <ObjectScreen
      title={titleOf(job)}
      query={query}
      up={up}
      marks={<JobStatus job={job} />}
      actions={<JobActions job={job} undone={show} />}
      tabs={[{ id: "overview", title: "Overview", icon: "eye", content: <Overview job={job} /> }]}
    />
  );
}

function Overview({ job }: { job: JobRow }) {
  const place = usePlace();
  const { attributes } = job;
  const undone = attributes["undo-of"];
  const tags = attributes.tags ?? [];
  return (
    <Cards>
      <Card title="How far it is">
        <JobProgress job={job} />
      </Card>
      <Card title="What was asked for">
        <Fields>
          <Field name="Action">{attributes.action}</Field>
          <Field name="Tags">
            {tags.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)).join(", ")}
          </Field>
          <Field name="As">{attributes.as}</Field>
          <Field name="Into">{attributes.to}</Field>
          <Field name="Filter">
            {attributes.filter !== null && (
              <Text inherit style={{ whiteSpace: "pre-line" }}>
                {filterText(attributes.filter)}
              </Text>
            )}
          </Field>
          <Field name="Takes back">{undone !== null && <A to={place.path("tag-jobs", undone)}>{undone}</A>}</Field>
          <Field name="File">{attributes.mode}</Field>
          <Field name="By token">{attributes["accessor-id"]}</Field>
          <Field name="Asked for">
            <Time value={attributes["created-at"]} />
          </Field>
          <Field name="Ended">{attributes["finished-at"] !== null && <Time value={attributes["finished-at"]} />}</Field>
        </Fields>
      </Card>
    </Cards>
  );
}
