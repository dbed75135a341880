/** Jobs as JSON:API resources. */
import type { ImportInput } from "./imports/kind.ts";
import type { TagInput } from "./input.ts";
import type { Job } from "./job.ts";
import type { JobPreview } from "./preview.ts";
import type { UndoInput } from "./undo/work.ts";

export function renderJob(job: Job & { organizationName: string }) {
  const { attributes = {}, job: undone = null, mode = null } = job.input as Partial<TagInput & UndoInput & ImportInput>;
  return {
    id: job.id,
    type: "tag-jobs" as const,
    attributes: {
      action: job.action,
      tags: attributes.tags ?? null,
      as: attributes.as ?? null,
      to: attributes.to ?? null,
      filter: attributes.filter ?? null,
      "undo-of": undone,
      mode,
      status: job.status,
      reason: job.reason === "" ? null : job.reason,
      total: job.total === -1 ? null : job.total,
      done: job.done,
      changed: job.changed,
      refused: job.refused,
      warned: job.warned,
      errors: job.errors,
      "accessor-id": job.accessorId,
      "created-at": job.createdAt,
      "started-at": timeOf(job.startedAt),
      "updated-at": job.updatedAt,
      "finished-at": timeOf(job.finishedAt),
    },
    relationships: { organization: { data: { id: job.organizationName, type: "organizations" as const } } },
    links: { self: `/api/v2/tag-jobs/${job.id}` },
  };
}

function timeOf(text: string): string | null {
  return text === "" ? null : text;
}

export function renderPreview(
  action: string,
  { counts, total, changed, refused, warned, changes, isWhole }: JobPreview,
) {
  return {
    type: "tag-job-previews" as const,
    attributes: {
      action,
      counts,
      total,
      changed,
      refused,
      warned,
      complete: isWhole,
      changes: changes.map(({ objectId, ...change }) => ({ ...change, "object-id": objectId })),
    },
  };
}

/** How far a job is, as one event of a stream. */
export function progressText(job: Job & { organizationName: string }): string {
  return `event: progress\ndata: ${JSON.stringify({ data: renderJob(job) })}\n\n`;
}
