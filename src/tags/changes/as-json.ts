import type { StoredChange } from "./store.ts";

/** A record as streams and webhooks show it, without what it is known by. */
export function changeResource({ details, ...change }: StoredChange) {
  return {
    type: "changes" as const,
    attributes: {
      kind: change.kind,
      action: change.action,
      "object-id": change.objectId,
      name: change.name,
      details: JSON.parse(details) as unknown,
      at: change.at,
      "accessor-id": change.accessorId,
      "request-id": change.requestId,
      "job-id": change.jobId === "" ? null : change.jobId,
    },
  };
}

/** A record as one event. @param id where a client goes on that has seen it */
export function eventText(change: StoredChange, id: string): string {
  return `id: ${id}\nevent: ${change.kind}.${change.action}\ndata: ${JSON.stringify(changeResource(change))}\n\n`;
}

/** Tells a client that something was written in the organization that has no record. It says not where to go on. */
export const TOUCHED_TEXT = "event: organization.touched\ndata: {}\n\n";

/** Tells a client where to go on, and nothing else. */
export function idText(id: string): string {
  return `id: ${id}\n\n`;
}
