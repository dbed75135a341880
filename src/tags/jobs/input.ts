/** Stored input of jobs, and the requests that it stands for. */
import type { Job } from "./job.ts";
import type { NamedRequest } from "./on-holders/difference.ts";
import { readPoolRequest, readWorkspaceRequest, type JobAttributes, type PoolRequest } from "./request.ts";

/** The `input` of jobs on tags. */
export interface TagInput {
  attributes: JobAttributes;
  /**
   * The names that `filter.tags` found when the job was asked for, where what it changes would make the filter find others:
   * by how much tags are used.
   */
  found?: readonly string[];
}

/** @returns the request, and its attributes as they were given */
export function readInput({ action, input }: Pick<Job, "action" | "input">): {
  request: NamedRequest | PoolRequest;
  attributes: JobAttributes;
} {
  const { attributes, found } = input as TagInput;
  if (action === "rename" || action === "merge" || action === "delete") {
    return { attributes, request: readPoolRequest(action, attributes) };
  }
  const request = readWorkspaceRequest(action, attributes);
  if (request.action !== "remove") return { attributes, request };
  const { tags } = request;
  const named = "part" in tags ? (found ?? []).map((name) => ({ name, value: undefined })) : tags;
  return { attributes, request: { ...request, tags: named } };
}
