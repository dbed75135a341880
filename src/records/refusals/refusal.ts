/** Facts about denied requests, one by one and gathered. */
import type { Actor } from "../../rights/actor.ts";
import type { Explanation } from "../../rights/rules/authorizer.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Refused } from "../../refused.ts";
import type { WriteOrigin } from "../../storage/database.ts";

/** One denied request. */
export interface RequestRefusal {
  refused: Refused;
  /** Undefined while nobody is known. */
  actor: Pick<Actor, "accessorId" | "anonymous" | "rights" | "scope"> | undefined;
  address: string;
  requestId: string;
  /** Whether the request asked to read. */
  isRead: boolean;
  /** Returns the origin of the request; called for the first one that is gathered. */
  origin: () => WriteOrigin;
}

/** Sorts of denied requests. Each has limits of its own, so that a flood of one sort hides no requests of another. */
export const SORTS = ["read", "write", "login", "authenticate"] as const;

/** Name of the denied action in records. */
export type Sort = (typeof SORTS)[number];

/** The rule that decided. */
export interface RefusalDecision {
  decidedBy: Explanation["decidedBy"];
  rule?: Explanation["rule"];
  /** Names of the policies that hold it. */
  policies?: readonly string[];
}

/** Denied requests of one actor with one question in one minute: plain data, which a file can hold. */
export interface Gathered {
  /** Actor and question. */
  key: string;
  /** Source whose limit the request uses: an AccessorID, or an address. */
  source: string;
  sort: Sort;
  /** `more` are those that were over a bound, of one network where it is named. */
  refused: Refused | { kind: "more"; network?: string };
  /** Origin of the first request. */
  origin: WriteOrigin;
  /** Scope of the actor's token; undefined when there is no known actor. */
  home: Scope | undefined;
  decided: RefusalDecision | undefined;
  count: number;
  /** Milliseconds since the epoch. */
  since: number;
  until: number;
  /** IDs of the last requests, in their order. */
  requestIds: string[];
  /** The first few that there are. */
  addresses: string[];
}

/** Maximum numbers of request IDs and of addresses in a record. */
export const MOST_REQUEST_IDS = 50;
export const MOST_ADDRESSES = 8;

/** Segments, which callers choose, are cut to this. */
export const LONGEST_SEGMENT = 128;

export function cutSegment(segment: string): string {
  return segment.length <= LONGEST_SEGMENT ? segment : segment.slice(0, LONGEST_SEGMENT).toWellFormed();
}

export function sortOf({ refused, isRead }: Pick<RequestRefusal, "refused" | "isRead">): Sort {
  if (refused.kind === "login") return "login";
  if (refused.kind === "unknown-token" || refused.kind === "disabled-token") return "authenticate";
  return isRead ? "read" : "write";
}

/** Actor and question in one text, and nothing that differs between two that are gathered. */
export function keyOf({ refused, actor, address, isRead }: RequestRefusal): string {
  if (refused.kind === "unknown-token") return `unknown-token ${refused.wasGiven} ${address}`;
  if (refused.kind === "disabled-token") return `disabled-token ${refused.accessorId}`;
  const { partition, namespace } = refused.scope;
  if (refused.kind === "login") {
    return `login ${partition}/${namespace} ${refused.authMethod} ${address} ${refused.subject}`;
  }
  const who = actor === undefined || actor.anonymous ? address : actor.accessorId;
  const by = `${isRead ? "read" : "write"} ${who} ${partition}/${namespace}`;
  if (refused.kind === "request") return `${by} request ${refused.name}`;
  const { resource, access, segment } = refused;
  return `${by} ${resource} ${access} ${cutSegment(segment)}`;
}
