/** Title of a job. An undo is called after the job that it reverts. */
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { jobQuery, type JobRow } from "./queries.ts";
import { titleOf } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";

/** Returns the title of a job; empty without one. */
export function useJobTitle(job: JobRow | undefined): string {
  const of = job?.attributes["undo-of"] ?? "";
  const reverted = useQuery({ ...jobQuery(usePlace(), of), enabled: of !== "", refetchInterval: false });
  if (job === undefined) return "";
  return reverted.data === undefined ? titleOf(job) : texts.undoOfJob(titleOf(reverted.data));
}
