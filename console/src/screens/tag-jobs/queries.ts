/** Queries for jobs on tags, and the write that starts a job. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf, InputOf, ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import type { Plan } from "../../kit/plan.ts";

export type JobRow = ItemOf<"listTagJobs">;
export type JobAttributes = InputOf<"createTagJob">["data"]["attributes"];
type Answered = BodyOf<"createTagJob">["data"];
export type Preview = Extract<Answered, { type: "tag-job-previews" }>["attributes"];

const PREFIX = "job";

/** Query for one job. It is read twice a second while the job runs; events announce its end too. */
export function jobQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tag-jobs", PREFIX, id),
    queryFn: async ({ signal }) => (await place.client.tagJobs.read({ tagJob: id, signal })).data,
    refetchInterval: ({ state }) => (state.data !== undefined && isGoingOn(state.data) ? 500 : false),
  });
}

/** Query for the effects that a job would have now. */
export function previewQuery(place: Place, attributes: JobAttributes | undefined) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tag-jobs", "preview", attributes),
    queryFn: async ({ signal }): Promise<Preview | undefined> => {
      if (attributes === undefined) return undefined;
      const { data } = await place.client.tagJobs.create({
        organization: place.organization ?? "",
        body: bodyOf(attributes),
        preview: "true",
        signal,
      });
      return data.type === "tag-job-previews" ? data.attributes : undefined;
    },
    enabled: attributes !== undefined,
    staleTime: 5000,
    gcTime: 0,
  });
}

/** How a job is begun. */
export function jobPlan(place: Place, attributes: JobAttributes): Plan {
  return {
    operation: "createTagJob",
    path: { organization_name: place.organization ?? "" },
    body: bodyOf(attributes),
    command: [
      "tag",
      "run",
      ...Object.entries(attributes).flatMap(([name, value]) => [
        "--set",
        `${name}=${typeof value === "string" && !isJson(value) ? value : JSON.stringify(value)}`,
      ]),
      "--yes",
    ],
  };
}

/** Then a command takes it for what it is in JSON: a tag may be called 123. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether it still changes something, or will. */
export function isGoingOn({ attributes: { status } }: Pick<JobRow, "attributes">): boolean {
  return status === "queued" || status === "running";
}

function bodyOf(attributes: JobAttributes): InputOf<"createTagJob"> {
  return { data: { type: "tag-jobs", attributes } };
}
