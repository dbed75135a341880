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
import { clientKey, wideNetworkOf } from "../../limits/network.ts";
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
  /** Denied requests among these of which a record tells only the number: too many waited to be written. */
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
  /** Sums of those for which no room was among what waits. */
  readonly #sums = new Map<Gathered["sort"], Group>();

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
    if (everything) this.#giveSums();
  }

  first(limit: number): readonly Gathered[] {
    return this.#waiting.slice(0, limit).map(explained);
  }

  drop(done: ReadonlySet<Gathered>): void {
    this.#waiting = this.#waiting.filter((group) => !done.has(group));
    if (this.#waiting.length < MOST_WAITING) this.#giveSums();
  }

  find(requestId: string): Gathered | undefined {
    for (const group of [...this.#groups.values(), ...this.#waiting, ...this.#sums.values()]) {
      if (group.requestIds.includes(requestId)) return explained(group);
    }
    return undefined;
  }

  stats(): RefusalStats {
    return { ...this.#stats, waiting: this.#groups.size + this.#waiting.length + this.#sums.size };
  }

  #windowOf({ refused }: Pick<Gathered, "refused">, at: number): number {
    return Math.floor(at / (refused.kind === "more" ? LONG_WINDOWS * this.#windowMs : this.#windowMs));
  }

  #give(group: Group): void {
    if (group.count === 0) return;
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ ...group });
    else this.#sumUp(group);
    Object.assign(group, { count: 0, requestIds: [], addresses: [] });
  }

  /** Loses what a group tells, but not its number. */
  #sumUp(group: Group): void {
    const { sort, count, since, until, requestIds, addresses } = group;
    this.#stats.lost += count;
    const sum = this.#sums.get(sort);
    if (sum === undefined) {
      this.#sums.set(sort, { ...group, ...asMore(group, `more ${sort} `, ALL) });
      return;
    }
    Object.assign(sum, {
      count: sum.count + count,
      since: Math.min(sum.since, since),
      until: Math.max(sum.until, until),
    });
    for (const id of requestIds) keepLast(sum.requestIds, id);
    for (const address of addresses) keepFirst(sum.addresses, address);
  }

  #giveSums(): void {
    this.#waiting.push(...this.#sums.values());
    this.#sums.clear();
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
    const whose = sumOf(taken, source);
    const key = `more ${sort} ${whose.network ?? whose.source}`;
    return this.#findGroup(key, at) ?? this.#add(asMore(make(), key, whose), at);
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
  if (isToken) return { sort, source: { name: source, group: groupOf(actor.scope), network: undefined }, make };
  const network = wideNetworkOf(address);
  // Where others have tokens, all without one are one group.
  const group = sort === "login" || sort === "authenticate" ? network : "anonymous";
  return { sort, source: { name: source, group, network }, make };
}

function groupOf({ partition, namespace }: Scope): string {
  return `${partition}/${namespace}`;
}

/** Whose a sum is. It tells the origin of a single source alone. */
interface SumOf {
  /** Empty for a network and for everybody. */
  source: string;
  network?: string;
}

const ALL: SumOf = { source: "" };

function sumOf(taken: "source" | "network" | "all", { name, network }: RefusalSource): SumOf {
  if (taken === "source") return { source: name };
  return taken === "network" && network !== undefined ? { source: "", network } : ALL;
}

function asMore(begun: Begun, key: string, { source, network }: SumOf): Begun {
  const refused = { kind: "more", ...(network !== undefined && { network }) } as const;
  const more = { ...begun, key, source, refused, decided: undefined, rights: undefined };
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
