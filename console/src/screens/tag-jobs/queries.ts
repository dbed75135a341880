/** Queries for jobs on tags, and the write that starts a job. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { BodyOf, InputOf, ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import { readOrganizationRecords } from "../../kit/organization-records.ts";
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

/** Most pages that are searched for the job that undid another one. */
const MOST_PAGES = 5;

/** ID of the newest job that undid this one; null for none. Newer jobs come first, so the search ends at the job itself. */
export function undoneByQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tag-jobs", "undone-by", id),
    queryFn: async ({ signal }): Promise<string | null> => {
      const path = { organization_name: place.organization ?? "" };
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const query = { "page[size]": 100, "page[number]": page };
        const { body } = await place.client.request("listTagJobs", { path, query, signal });
        for (const job of body.data) {
          if (job.attributes["undo-of"] === id) return job.id;
          if (job.id === id) return null;
        }
        if (body.data.length < 100) break;
      }
      return null;
    },
  });
}

/** Audit record of the creation of a job, with its actor; null when the log does not have it, or not for this token. */
export function creationQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "audit", "creation", id),
    queryFn: async ({ signal }) => readCreation(place, id, signal),
    staleTime: Infinity,
  });
}

async function readCreation(place: Place, id: string, signal: AbortSignal) {
  const query = { "filter[kind]": "job", "filter[object]": id, "filter[action]": "create", "page[size]": 1 };
  return (await readOrganizationRecords(place, query, signal)).records[0] ?? null;
}

/** Changes that a page of them has. */
const CHANGES = 50;

/** Audit records of the changes that a job made, the newest first. They have the request ID of the job. */
export function changesQuery(place: Place, id: string) {
  return infiniteQueryOptions({
    queryKey: organizationKey(place.organization ?? "", "audit", "of-job", id),
    queryFn: async ({ pageParam, signal }) => {
      const request = (await readCreation(place, id, signal))?.RequestID;
      if (request === undefined) return { records: [], next: undefined };
      const after = pageParam === "" ? undefined : pageParam;
      const query = { "filter[request-id]": request, "page[size]": CHANGES, "page[after]": after };
      const { records, next } = await readOrganizationRecords(place, query, signal);
      return { records: records.filter(({ Kind }) => Kind !== "job"), next };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** How a job is undone. */
export function undoPlan(id: string): Plan {
  return { operation: "undoTagJob", path: { tag_job_id: id }, command: ["job", "undo", id] };
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
