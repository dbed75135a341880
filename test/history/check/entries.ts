/** Helpers of all checks for recorded requests: their kinds, when they can have happened, and how they are named. */
import type { Check, Entry, History, Operation } from "../history.ts";

type Kind = Operation["kind"];

/** An entry of one kind of operation. */
export type Of<K extends Kind> = Entry & { readonly operation: Extract<Operation, { kind: K }> };

/** A check finds at most this many, so that one that goes wrong does not bury the others. */
const MOST_FINDINGS = 20;

/** Tells whether an entry is of that kind, for the type as well. */
export function isOf<K extends Kind>(entry: Entry, kind: K): entry is Of<K> {
  return entry.operation.kind === kind;
}

/** The entries of some kinds, in the order in which they were invoked. */
export function allOf<K extends Kind>(history: History, ...kinds: readonly K[]): Of<K>[] {
  const found = history.entries.filter((entry): entry is Of<K> => kinds.some((kind) => isOf(entry, kind)));
  return found.toSorted((a, b) => a.invoked - b.invoked);
}

/** Until when (in milliseconds) what was asked for can have happened: of an unknown outcome for ever. */
export function endOf(entry: Entry): number {
  return entry.outcome === "unknown" ? Infinity : (entry.returned ?? Infinity);
}

/** Whether it happened or may have. */
export function mayHaveHappened(entry: Entry): boolean {
  return entry.outcome !== "refused";
}

/** The groups of `items` with the same key, in the order in which the keys come first; each keeps its order. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** How many of some items, sorted by their times, are not after a moment. */
export function countUpTo<T>(moment: number, items: readonly T[], timeOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Makes a check say less: no text twice, and no more than a person reads. */
export function limited(check: Check): Check {
  return (history) => [...new Set(check(history))].slice(0, MOST_FINDINGS);
}

/** Names an entry on one line, such as `[client 3, node 1, 1204–1220 ms: write r = "a" → done 200, version 17]`. */
export function describe(entry: Entry): string {
  const returned = entry.returned === undefined ? "never" : String(Math.round(entry.returned));
  const index = entry.index === undefined ? "" : `, index ${entry.index}`;
  const asked = describeOperation(entry.operation);
  const answer = `${entry.outcome} ${entry.status}${describeAnswer(entry.operation)}${index}`;
  return `[client ${entry.client}, node ${entry.node}, ${Math.round(entry.invoked)}–${returned} ms: ${asked} → ${answer}]`;
}

function describeOperation(operation: Operation): string {
  switch (operation.kind) {
    case "write":
      return `write ${operation.register} = ${quote(operation.value)}`;
    case "cas":
      return `cas ${operation.register} = ${quote(operation.value)} if ${operation.expected}`;
    case "read":
      return `read ${operation.register}`;
    case "create":
    case "delete":
      return `${operation.kind} ${operation.pool} ${some(operation.names)}`;
    case "list":
      return `list ${operation.pool}`;
    case "watch":
      return `watch ${operation.pool} since ${operation.since}`;
    case "begin":
      return `begin a ${operation.of}`;
    case "revoke":
      return `end ${operation.of ?? "token"} ${operation.token}`;
    case "use":
      return `use ${operation.of ?? "token"} ${operation.token}${operation.consistent === true ? " with ?consistent" : ""}`;
    case "grant":
      return `${operation.allowed ? "give" : "take"} the right ${operation.right}`;
    case "ask":
      return `ask for the right ${operation.right}${operation.consistent ? " with ?consistent" : ""}`;
    case "assign":
      return `assign ${operation.key} = ${quote(operation.value)}`;
    case "value":
      return `value of ${operation.key}`;
    case "job":
      return `job for ${some(operation.keys)} = ${quote(operation.value)}`;
    case "progress":
      return `progress of job ${operation.job}`;
    case "follow":
      return `follow after ${operation.after ?? "nothing"}`;
  }
}

function describeAnswer(operation: Operation): string {
  switch (operation.kind) {
    case "write":
    case "cas":
      return operation.version === undefined ? "" : `, version ${operation.version}`;
    case "read":
      return operation.version === undefined ? "" : `, ${quote(operation.value)} of version ${operation.version}`;
    case "list":
    case "watch":
      return operation.found === undefined ? "" : `, ${Object.keys(operation.found).length} found`;
    case "use":
      return operation.accepted === undefined ? "" : operation.accepted ? ", accepted" : ", not accepted";
    case "ask":
      return operation.allowed === undefined ? "" : operation.allowed ? ", allowed" : ", not allowed";
    case "value":
      return operation.value === undefined ? "" : `, ${quote(operation.value ?? undefined)}`;
    case "progress":
      return operation.status === undefined ? "" : `, ${operation.status}`;
    case "follow":
      return `, ${operation.told.length} events`;
    case "begin":
    case "job":
    case "grant":
    case "assign":
    case "create":
    case "delete":
    case "revoke":
      return "";
  }
}

/** Text of a server, so that whatever it holds stays on one line. */
function quote(text: string | undefined): string {
  return JSON.stringify(text) ?? "nothing";
}

/** The first of some names: a bulk request has many. */
export function some(names: readonly string[]): string {
  return names.length <= 5 ? names.join(" ") : `${names.slice(0, 5).join(" ")} and ${names.length - 5} more`;
}
