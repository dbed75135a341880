/** Evidence in a history, in numbers: `enough.ts` judges whether it is enough to prove anything. */
import type { Fault } from "../faults.ts";
import type { Credential, Entry, History, Operation } from "../history.ts";
import { allOf, groupBy } from "./entries.ts";
import { LAG } from "./revoked.ts";

export interface Evidence {
  /** Time in which no fail-over was under way, in milliseconds. */
  readonly calm: number;
  /** How many were done, by kind of operation. A `use` that is done is one with a token that counts. */
  readonly done: Readonly<Partial<Record<Operation["kind"], number>>>;
  /** Compare-and-sets that were refused as the version was another. */
  readonly overtaken: number;
  /** Creates that were refused as the name was taken. */
  readonly taken: number;
  /** How many were ended, by what they are. */
  readonly ended: Readonly<Partial<Record<Credential, number>>>;
  /** Parts of streams that went on behind an id and told something. */
  readonly resumed: number;
  readonly nodes: readonly NodeEvidence[];
  /** By watcher, how many answers it got after the last fault. */
  readonly watchers: readonly number[];
  /** The longest time without a write that was done, in milliseconds: as it was, and without what fail-overs took of it. */
  readonly unwritten: { readonly whole: number; readonly calm: number };
  /** How many began, by kind and by node: `kill 1`, `fail-over`. */
  readonly faults: ReadonlyMap<string, number>;
}

/** Evidence of one node. */
export interface NodeEvidence {
  /** How often it refused a token in the default mode later than 1 s after the answer to its revocation. */
  readonly late: number;
  /** How often it refused, asked for the newest, what had been taken away within the second before. */
  readonly atOnce: number;
  /** Writes that were done there in the second half of the run. */
  readonly writes: number;
  /** Answers of any kind, all done, in the last quarter. */
  readonly answers: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** How a create is answered whose name is taken; nothing else is wrong with those that are asked for. */
const TAKEN = new Set([400, 409]);
/** Operations that change something. */
const WRITES = new Set<Operation["kind"]>(["write", "cas", "create", "delete", "revoke", "grant", "assign"]);

/** Counts what a history has. @param nodes how many servers there were, whether or not any of them was asked */
export function readEvidence(history: History, nodes: number): Evidence {
  const { entries, quietFrom } = history;
  const done = entries.filter(({ outcome }) => outcome === "done");
  const failOvers = failOversOf(history);
  const refused = entries.filter(({ outcome }) => outcome === "refused");
  return {
    calm: quietFrom - shared({ from: 0, to: quietFrom }, failOvers),
    done: Object.fromEntries(
      [...groupBy(done, ({ operation }) => operation.kind)].map(([kind, all]) => [kind, all.length]),
    ),
    overtaken: refused.filter(({ operation, status }) => operation.kind === "cas" && status === 409).length,
    taken: refused.filter(({ operation, status }) => operation.kind === "create" && TAKEN.has(status)).length,
    ended: endedOf(history),
    resumed: allOf(history, "follow").filter(({ operation: { after, told } }) => after !== undefined && told.length > 0)
      .length,
    nodes: nodesOf(history, nodes, done),
    watchers: watchersOf(history),
    unwritten: unwrittenOf(done, quietFrom, failOvers),
    faults: faultsOf(history),
  };
}

/** How a fault is counted. */
export function placeOf({ kind, node }: { readonly kind: Fault["kind"]; readonly node?: number }): string {
  return node === undefined ? kind : `${kind} ${node}`;
}

function faultsOf({ faults }: History): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, node, over } of faults) {
    if (kind === undefined || over === true) continue;
    const place = placeOf({ kind, ...(node === undefined ? {} : { node }) });
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

/** From the death of each primary until a standby follows the next one. */
function failOversOf({ faults, quietFrom }: History): Span[] {
  const found = faults.filter(({ kind }) => kind === "fail-over");
  return found
    .filter(({ over }) => over !== true)
    .map(({ at }) => ({ from: at, to: found.find((fault) => fault.over === true && fault.at >= at)?.at ?? quietFrom }));
}

/** How much of a time some others, which do not overlap, take. */
function shared({ from, to }: Span, others: readonly Span[]): number {
  return others.reduce((sum, other) => sum + Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)), 0);
}

function nodesOf(history: History, count: number, done: readonly Entry[]): NodeEvidence[] {
  const [lateUses, newest] = [lateRefusals(history), newestRefusals(history)];
  const after = (share: number): Entry[] => done.filter(({ invoked }) => invoked > history.quietFrom * share);
  const [half, quarter] = [after(1 / 2), after(3 / 4)];
  return Array.from({ length: count }, (_, number) => ({
    late: lateUses.filter(({ node }) => node === number).length,
    atOnce: newest.filter(({ node }) => node === number).length,
    writes: half.filter((entry) => entry.node === number && isWrite(entry)).length,
    answers: quarter.filter(({ node }) => node === number).length,
  }));
}

function endedOf(history: History): Evidence["ended"] {
  const done = allOf(history, "revoke").filter(({ outcome }) => outcome === "done");
  const kinds = groupBy(done, ({ operation }) => operation.of ?? "token");
  return Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length]));
}

/** When each was first known to have been revoked. */
function revokedAt(history: History): Map<string, number> {
  const revoked = new Map<string, number>();
  for (const { operation, outcome, returned = Infinity } of allOf(history, "revoke")) {
    if (outcome === "done") revoked.set(operation.token, Math.min(returned, revoked.get(operation.token) ?? Infinity));
  }
  return revoked;
}

function lateRefusals(history: History): Entry[] {
  const revoked = revokedAt(history);
  return allOf(history, "use").filter(
    ({ operation: { token, accepted, consistent }, invoked }) =>
      accepted === false && consistent !== true && invoked > (revoked.get(token) ?? Infinity) + LAG,
  );
}

/** Refusals where a cache of another server could still have allowed it. */
function newestRefusals(history: History): Entry[] {
  const revoked = revokedAt(history);
  const taken = groupBy(
    allOf(history, "grant").filter(({ outcome, operation }) => outcome === "done" && !operation.allowed),
    ({ operation }) => operation.right,
  );
  const isNew = (at: number | undefined, { invoked }: Entry): boolean =>
    at !== undefined && invoked > at && invoked < at + LAG;
  const uses = allOf(history, "use").filter(({ operation }) => operation.consistent === true && !operation.accepted);
  const asks = allOf(history, "ask").filter(({ operation }) => operation.consistent && operation.allowed === false);
  return [
    ...uses.filter((use) => use.operation.accepted === false && isNew(revoked.get(use.operation.token), use)),
    ...asks.filter((ask) => (taken.get(ask.operation.right) ?? []).some(({ returned }) => isNew(returned, ask))),
  ];
}

function watchersOf(history: History): number[] {
  const mended = history.faults.at(-1)?.at ?? 0;
  const watchers = groupBy(allOf(history, "watch"), ({ client }) => client);
  return [...watchers.values()].map(
    (watches) => watches.filter(({ outcome, returned = 0 }) => outcome === "done" && returned > mended).length,
  );
}

function unwrittenOf(done: readonly Entry[], quietFrom: number, failOvers: readonly Span[]): Evidence["unwritten"] {
  const written = done
    .filter(isWrite)
    .map(({ returned = 0 }) => returned)
    .sort((one, other) => one - other);
  let [whole, calm, from] = [0, 0, 0];
  for (const to of [...written, quietFrom]) {
    whole = Math.max(whole, to - from);
    calm = Math.max(calm, to - from - shared({ from, to }, failOvers));
    from = to;
  }
  return { whole, calm };
}

function isWrite({ operation }: Entry): boolean {
  return WRITES.has(operation.kind);
}
