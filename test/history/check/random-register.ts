/** Tiny random histories of one register, right ones and ones that something is wrong with. */
import type { Entry, Operation } from "../history.ts";
import type { Random } from "../random.ts";
import type { Ending } from "./brute-force.ts";

export interface Tiny {
  readonly entries: readonly Entry[];
  readonly ending: Ending | undefined;
}

const LAST = 14;

/**
 * Makes answers of a correct register to at most eight operations, which begin at times below 14 so that many coincide.
 */
export function correctTiny(random: Random): Tiny {
  const planned = Array.from({ length: random.between(2, 8) }, () => {
    const invoked = random.below(LAST);
    const returned = invoked + random.below(6);
    return { invoked, returned, at: invoked + random.below(returned - invoked + 1) };
  }).toSorted((a, b) => a.at - b.at);
  let held: Ending = { value: "beginning", version: random.between(1, 2) };
  /** Versions that answers have shown: clients expect these. */
  const told = [held.version];
  let number = 0;
  const entries = planned.map(({ invoked, returned }): Entry => {
    const version = held.version + random.between(1, 2);
    const expected = told[Math.max(0, told.length - random.between(1, 2))] ?? 0;
    const value = `v${(number += 1)}`;
    const isLost = random.chance(0.3);
    const base = { client: number, node: 0, invoked, returned: isLost ? undefined : returned };
    const kind = random.pick(["write", "cas", "cas", "read"] as const);
    if (kind === "read") told.push(held.version);
    if (kind === "read")
      return { ...base, outcome: "done", returned, status: 200, operation: { kind, register: "r", ...held } };
    const matches = kind === "write" || expected === held.version;
    const operation: Operation =
      kind === "write" ? { kind, register: "r", value } : { kind, register: "r", value, expected };
    if (!matches && !isLost) return { ...base, outcome: "refused", status: 409, operation };
    if (matches && !(isLost && random.chance(0.5))) held = { value, version };
    if (isLost) return { ...base, outcome: "unknown", status: 0, operation };
    told.push(version);
    return { ...base, outcome: "done", status: 200, operation: { ...operation, version } };
  });
  return { entries: inOrder(entries), ending: random.chance(0.5) ? held : undefined };
}

/** The same history with one entry, or the end, changed in some way that may or may not make it wrong. */
export function changedTiny(random: Random, { entries, ending }: Tiny): Tiny {
  if (ending !== undefined && random.chance(0.1)) return { entries, ending: aState(random, entries) ?? ending };
  if (entries.length < 9 && random.chance(0.4))
    return { entries: inOrder([...entries, aRefusal(random, entries)]), ending };
  const number = random.below(entries.length);
  const changed = entries.map((entry, each) => (each === number ? changedEntry(random, entry, entries) : entry));
  return { entries: inOrder(changed), ending };
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.invoked - b.invoked);
}

/** One more compare-and-set that says that the version was another. */
function aRefusal(random: Random, entries: readonly Entry[]): Entry {
  const expected = aState(random, entries)?.version ?? 1;
  const client = entries.length + 1;
  const invoked = random.below(LAST);
  const operation: Operation = { kind: "cas", register: "r", value: `v${client}`, expected };
  return { client, node: 0, invoked, returned: invoked + random.below(6), outcome: "refused", status: 409, operation };
}

function changedEntry(random: Random, entry: Entry, entries: readonly Entry[]): Entry {
  const { operation } = entry;
  switch (random.below(4)) {
    case 0: {
      const invoked = random.below(LAST);
      return { ...entry, invoked, returned: entry.returned === undefined ? undefined : invoked + random.below(6) };
    }
    case 1:
      return { ...entry, operation: otherAnswer(random, operation, entries) };
    case 2:
      return operation.kind === "read" ? entry : { ...entry, ...unanswered(random, operation) };
    default:
      return operation.kind === "cas" && entry.returned !== undefined
        ? { ...entry, outcome: "refused", status: 409, operation: withoutVersion(operation) }
        : { ...entry, operation: otherAnswer(random, operation, entries) };
  }
}

function unanswered(random: Random, operation: Operation): Partial<Entry> {
  const bare = { operation: withoutVersion(operation) };
  if (random.chance(0.7)) return { ...bare, returned: undefined, outcome: "unknown", status: 0 };
  return { ...bare, outcome: "refused", status: 503 };
}

function withoutVersion(operation: Operation): Operation {
  if (operation.kind !== "write" && operation.kind !== "cas") return operation;
  const { version: _version, ...rest } = operation;
  return rest;
}

function otherAnswer(random: Random, operation: Operation, entries: readonly Entry[]): Operation {
  if (operation.kind === "cas" && random.chance(0.5)) return { ...operation, expected: random.between(1, 8) };
  if (operation.kind === "read") return { ...operation, ...aState(random, entries) };
  if (operation.kind === "cas" || operation.kind === "write")
    return operation.version === undefined ? operation : { ...operation, version: random.between(1, 12) };
  return operation;
}

/** Some value and version; mostly of the same write. */
function aState(random: Random, entries: readonly Entry[]): Ending | undefined {
  const states = entries.flatMap(({ operation }) => {
    if (operation.kind !== "write" && operation.kind !== "cas" && operation.kind !== "read") return [];
    return { value: operation.value ?? "nothing", version: operation.version ?? random.between(2, 10) };
  });
  if (states.length === 0) return undefined;
  const { value, version } = random.pick(states);
  return { value, version: random.chance(0.9) ? version : random.between(1, 10) };
}
