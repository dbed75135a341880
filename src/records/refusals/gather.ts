/**
 * Gathers denied requests in memory: those of one actor, question and minute are one record. A denied request costs one
 * look-up here; all else is done in the background. Values that callers choose are bounded: the number that is
 * remembered, and the number that becomes records.
 */
import { LRUCache } from "lru-cache";
import { explainAuthorization } from "../../rights/authorize.ts";
import type { Rights } from "../../rights/actor.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import type { Scope } from "../../rights/scope.ts";
import { clientKey } from "../../limits/network.ts";
import type { RefusedQuestion } from "../../refused.ts";
import { createBudget, type RefusalSource } from "./budget.ts";
import {
  cutSegment,
  type RefusalDecision,
  type Gathered,
  keyOf,
  LONGEST_SEGMENT,
  MOST_ADDRESSES,
  MOST_REQUEST_IDS,
  type RequestRefusal,
  sortOf,
} from "./refusal.ts";

export interface Gatherer {
  note(refusal: RequestRefusal): void;
  /** Has those wait to be taken whose minute is over. @param everything also those that may still become more */
  settle(everything: boolean): void;
  /** The first of what waits, explained. It stays until it is dropped. */
  first(limit: number): readonly Gathered[];
  drop(done: ReadonlySet<Gathered>): void;
  /** Finds the group that contains a request, while it is not written. */
  find(requestId: string): Gathered | undefined;
  stats(): RefusalStats;
}

/** Values since startup, except `waiting`. */
export interface RefusalStats {
  /** Denied requests that were gathered. */
  noted: number;
  /** Denied requests among these that are only counted, because they were over a limit. */
  counted: number;
  /** Denied requests among these that are in no record: too many waited to be written. */
  lost: number;
  /** Groups in memory. */
  waiting: number;
}

interface Group extends Gathered {
  /** The minute that it is of. */
  window: number;
  /** Permissions that explain the denial, until it is explained. The question is kept as it was asked. */
  rights: Rights | undefined;
}

/** Groups in memory that may become more, and those that wait to be written. */
export const MOST_GROUPS = 2048;
const MOST_WAITING = 4096;
const MINUTE = 60_000;
/** Windows of a group that is over a limit: such groups are reported less often. */
const LONG_WINDOWS = 10;
const MOST_POLICIES = 20;

export interface GathererOptions {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** For how long those of one question are one record, in milliseconds; a minute unless a test says otherwise. */
  windowMs?: number | undefined;
}

export function createGatherer(options: GathererOptions): Gatherer {
  return new Groups(options);
}

class Groups implements Gatherer {
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #budget = createBudget();
  readonly #groups = new LRUCache<string, Group>({
    max: MOST_GROUPS,
    // Not lost, only written early.
    dispose: (group, _key, reason) => void (reason === "evict" && this.#give(group)),
  });
  readonly #stats = { noted: 0, counted: 0, lost: 0 };
  #waiting: Group[] = [];

  constructor({ now, windowMs = MINUTE }: GathererOptions) {
    this.#now = now;
    this.#windowMs = windowMs;
  }

  note(refusal: RequestRefusal): void {
    const at = this.#now();
    const key = keyOf(refusal);
    const group = this.#findGroup(key, at) ?? this.#openGroup(wanted(key, refusal), at);
    this.#raise(group, at);
    keepLast(group.requestIds, refusal.requestId);
    keepFirst(group.addresses, refusal.address);
  }

  settle(everything: boolean): void {
    const at = this.#now();
    const oldestFirst = [...this.#groups.rkeys()];
    for (const key of oldestFirst) {
      const group = this.#groups.peek(key);
      if (group === undefined || (!everything && group.window === this.#windowOf(group, at))) continue;
      this.#groups.delete(key);
      this.#give(group);
    }
  }

  first(limit: number): readonly Gathered[] {
    return this.#waiting.slice(0, limit).map(explained);
  }

  drop(done: ReadonlySet<Gathered>): void {
    this.#waiting = this.#waiting.filter((group) => !done.has(group));
  }

  find(requestId: string): Gathered | undefined {
    for (const group of [...this.#groups.values(), ...this.#waiting]) {
      if (group.requestIds.includes(requestId)) return explained(group);
    }
    return undefined;
  }

  stats(): RefusalStats {
    return { ...this.#stats, waiting: this.#groups.size + this.#waiting.length };
  }

  #windowOf({ refused }: Pick<Gathered, "refused">, at: number): number {
    return Math.floor(at / (refused.kind === "more" ? LONG_WINDOWS * this.#windowMs : this.#windowMs));
  }

  #give(group: Group): void {
    if (group.count === 0) return;
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ ...group });
    else this.#stats.lost += group.count;
    Object.assign(group, { count: 0, requestIds: [], addresses: [] });
  }

  /** The group of these, if there is one of this minute. */
  #findGroup(key: string, at: number): Group | undefined {
    const group = this.#groups.get(key);
    if (group === undefined || group.window === this.#windowOf(group, at)) return group;
    this.#groups.delete(key);
    this.#give(group);
    return undefined;
  }

  /**
   * Opens a group. Where there is no room for another one, it is the group of denied requests that are only counted.
   */
  #openGroup({ sort, source, make }: Wanted, at: number): Group {
    const taken = this.#budget.take(sort, source, at);
    if (taken === "taken") return this.#add(make(), at);
    const known = taken === "all" ? "" : source.name;
    const key = `more ${sort} ${known}`;
    return this.#findGroup(key, at) ?? this.#add(asMore(make(), key, known), at);
  }

  #add(made: Begun, at: number): Group {
    const empty = { count: 0, requestIds: [], addresses: [], since: at, until: at };
    const group: Group = { ...made, ...empty, window: this.#windowOf(made, at) };
    this.#groups.set(group.key, group);
    return group;
  }

  #raise(group: Group, at: number): void {
    if (group.count === 0) group.since = at;
    group.count += 1;
    group.until = at;
    this.#stats.noted += 1;
    if (group.refused.kind === "more") this.#stats.counted += 1;
  }
}

/** A group that there is not yet, made only when there is room for it. */
interface Wanted {
  sort: Gathered["sort"];
  source: RefusalSource;
  make: () => Begun;
}

type Begun = Omit<Group, "count" | "since" | "until" | "requestIds" | "addresses" | "window">;

function wanted(key: string, refusal: RequestRefusal): Wanted {
  const { actor, address, refused, origin } = refusal;
  const sort = sortOf(refusal);
  const source = actor === undefined || actor.anonymous ? clientKey("", address) : actor.accessorId;
  function make(): Begun {
    const begun = {
      key,
      source,
      sort,
      refused,
      origin: origin(),
      home: actor?.scope,
      decided: undefined,
    };
    if (refused.kind !== "rights") return { ...begun, rights: undefined };
    const rights = actor?.rights;
    // A cut segment cannot show later which rule decided, so the explanation is made now.
    const isCut = refused.segment.length > LONGEST_SEGMENT;
    const decided = isCut && rights !== undefined ? explain(rights, refused) : undefined;
    return { ...begun, refused: { ...refused, segment: cutSegment(refused.segment) }, decided, rights };
  }
  const isToken = actor !== undefined && !actor.anonymous;
  return { sort, source: { name: source, group: groupOf(sort, isToken ? actor.scope : undefined) }, make };
}

/** All without a token are one group where others have one. */
function groupOf(sort: Gathered["sort"], home: Scope | undefined): string | undefined {
  if (sort === "login" || sort === "authenticate") return undefined;
  return home === undefined ? "anonymous" : `${home.partition}/${home.namespace}`;
}

/** @param source empty for everybody together, of whom it says nothing */
function asMore(begun: Begun, key: string, source: string): Begun {
  const more = { ...begun, key, source, refused: { kind: "more" }, decided: undefined, rights: undefined } as const;
  if (source !== "") return more;
  return { ...more, origin: { ...begun.origin, accessorId: "", detail: {} }, home: undefined };
}

/** The group itself: what it is explained by need not be kept any more. */
function explained(group: Group): Gathered {
  const { rights, refused } = group;
  if (rights !== undefined && refused.kind === "rights") group.decided ??= explain(rights, refused);
  group.rights = undefined;
  return group;
}

function explain(rights: Rights, question: RefusedQuestion): RefusalDecision {
  const { decidedBy, rule, policies } = explainAuthorization(rights, question, NO_FACTS);
  return {
    decidedBy,
    ...(rule && { rule: { ...rule, Segment: cutSegment(rule.Segment) } }),
    ...(policies && { policies: policies.slice(0, MOST_POLICIES).map(({ Name }) => Name) }),
  };
}

function keepLast(ids: string[], id: string): void {
  ids.push(id);
  if (ids.length > MOST_REQUEST_IDS) ids.shift();
}

function keepFirst(addresses: string[], address: string): void {
  if (addresses.length < MOST_ADDRESSES && !addresses.includes(address)) addresses.push(address);
}
