/** Changes, as they come from the server, and what they make old. */
import type { QueryClient } from "@tanstack/react-query";
import type { EventStart } from "../base/event-start.ts";

/** A change, or that something may have changed and it is not known what. */
export interface LiveEvent {
  /** `v1` with its scope, or `v2` with an organization. */
  readonly family: "v1" | "v2";
  /** The partition, or the organization. */
  readonly place: string;
  /** Empty or `*` for all of them. */
  readonly namespace: string;
  /** The topic; `*` for any. */
  readonly topic: string;
}

/** Message from the worker to the page. */
export type LiveMessage =
  | { readonly kind: "event"; readonly event: LiveEvent }
  | { readonly kind: "state"; readonly state: LiveState };

/** Message from the page to the worker. */
export type LiveRequest =
  | {
      readonly kind: "follow";
      readonly address: string;
      readonly partition: string;
      readonly organization: string | undefined;
      /** Last events before the page read anything; absent where the page does not know. */
      readonly after?: EventStart;
    }
  | { readonly kind: "leave" };

/** `waiting` without a stream, by reads that wait; `lost` where the server answers neither. */
export type LiveState = "starting" | "live" | "waiting" | "lost";

const WORST_FIRST = ["lost", "starting", "waiting", "live"] as const;

/** How it is with several of them together. */
export function worstOf(states: readonly LiveState[]): LiveState {
  return WORST_FIRST.find((state) => states.includes(state)) ?? "starting";
}

/** Queries that any change in their scope may affect. */
const FOLLOWING_ALL: ReadonlySet<unknown> = new Set(["audit", "overview", "trash"]);

/** Whether what a query holds may be another thing after this event. */
export function isTouched(queryKey: readonly unknown[], { family, place, namespace, topic }: LiveEvent): boolean {
  if (queryKey[0] !== family) return false;
  if (family === "v2") {
    const [, organization, noun] = queryKey;
    return (organization === place || organization === "") && (topic === "*" || noun === topic || noun === "audit");
  }
  const [, partition, held, noun] = queryKey;
  if (partition !== place) return false;
  // Events of namespaces are in `default`, but namespaces are read from anywhere.
  const isAnywhere = namespace === "" || namespace === "*" || topic === "namespaces";
  if (!isAnywhere && held !== "*" && held !== namespace) return false;
  return topic === "*" || noun === topic || FOLLOWING_ALL.has(noun);
}

/** Reads affected data again where it is visible, and waits for that. Other data is read when the user opens it. */
export async function applyEvents(queries: QueryClient, events: readonly LiveEvent[]): Promise<void> {
  const read = queries.invalidateQueries({
    predicate: ({ queryKey }) => events.some((event) => isTouched(queryKey, event)),
  });
  // Any of these changes may affect permissions, so all answers about them become stale and are read again when needed.
  if (events.some(({ topic }) => ["policies", "roles", "tokens", "namespaces", "*"].includes(topic))) {
    void queries.invalidateQueries({ queryKey: ["may"] });
  }
  await read;
}
