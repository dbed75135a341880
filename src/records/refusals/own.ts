/**
 * Remembers the last denied access checks of each token, which its callers may ask for. They are kept in memory only: records
 * have no index by actor, and an index or a table for a list of eight would cost every write of a record. The owner of a token
 * fills its own list, and only many tokens together drop the list of another.
 *
 * A check of an object that the caller may not know of is not remembered at all: a request of `/api/v2` is a denial only if the
 * object exists, and even without its name such a check would push another one out of the list.
 */
import { LRUCache } from "lru-cache";
import type { RefusedQuestion } from "../../refused.ts";
import { isKnownTo } from "./known.ts";
import { LONGEST_SEGMENT, sortOf, type RequestRefusal } from "./refusal.ts";

/** Last denial of one access check. */
export interface OwnRefusal {
  question: RefusedQuestion;
  action: "read" | "write";
  /** Milliseconds since the epoch. */
  at: number;
  requestId: string;
}

export interface OwnRefusals {
  note(refusal: RequestRefusal, at: number): void;
  /** Returns the access checks that were denied to a token, the latest first. */
  of(accessorId: string): readonly OwnRefusal[];
}

/** Checks that are remembered for a token, and tokens. */
export const MOST_OF_TOKEN = 8;
export const MOST_TOKENS = 2048;

export function createOwnRefusals(): OwnRefusals {
  const known = new LRUCache<string, readonly OwnRefusal[]>({ max: MOST_TOKENS });

  function keep(accessorId: string, latest: OwnRefusal): void {
    // A segment of this length can be cut, and is then the name of something else.
    if (latest.question.segment.length >= LONGEST_SEGMENT) return;
    const others = (known.get(accessorId) ?? []).filter(({ question }) => !isSame(question, latest.question));
    known.set(accessorId, [latest, ...others].slice(0, MOST_OF_TOKEN));
  }

  return {
    note(refusal, at) {
      const { refused, actor, requestId } = refusal;
      if (refused.kind !== "rights" || actor === undefined || actor.anonymous) return;
      if (!isKnownTo(actor, refused)) return;
      const action = sortOf(refusal) === "read" ? "read" : "write";
      keep(actor.accessorId, { question: refused, action, at, requestId });
    },
    of: (accessorId) => known.get(accessorId) ?? [],
  };
}

function isSame(one: RefusedQuestion, other: RefusedQuestion): boolean {
  return (
    one.resource === other.resource &&
    one.access === other.access &&
    one.segment === other.segment &&
    one.scope.partition === other.scope.partition &&
    one.scope.namespace === other.scope.namespace
  );
}
