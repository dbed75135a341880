/** A client that follows a stream of events, with breaks and from node to node, is told everything once and in order. */
import type { History } from "../history.ts";
import { allOf, describe, groupBy, limited, type Of } from "./entries.ts";
import { endsOf } from "./owned.ts";

/**
 * The ids that a follower is told only rise, over all parts of its stream; and it is told of every value that a key was given
 * after its stream began, by an acknowledged request or a job that was seen to have ended.
 */
export const followed = limited((history) => {
  const parts = groupBy(
    allOf(history, "follow").filter(({ outcome }) => outcome === "done"),
    ({ client }) => client,
  );
  const given = givenIn(history);
  return [...parts.values()].flatMap((own) => [...outOfOrder(own), ...missing(own, given)]);
});

interface Given {
  readonly value: string;
  readonly from: number;
  readonly name: string;
}

/** Values that were certainly given, and since when they may have been. */
function givenIn(history: History): Given[] {
  const ends = endsOf(history);
  return allOf(history, "assign", "job").flatMap((entry) => {
    const { operation, outcome, invoked } = entry;
    const isOver = operation.kind === "assign" || ends.has(operation.job ?? "");
    return outcome === "done" && isOver ? [{ value: operation.value, from: invoked, name: describe(entry) }] : [];
  });
}

function outOfOrder(parts: readonly Of<"follow">[]): string[] {
  const findings: string[] = [];
  let last = -1n;
  for (const part of parts) {
    for (const { id } of part.operation.told) {
      if (BigInt(id) <= last) findings.push(`${describe(part)} tells ${id} after ${last}`);
      last = BigInt(id);
    }
  }
  return findings;
}

function missing(parts: readonly Of<"follow">[], given: readonly Given[]): string[] {
  const begun = parts.find(({ operation }) => operation.begun !== undefined);
  const from = begun?.operation.begun?.at ?? Infinity;
  const told = new Set(parts.flatMap(({ operation }) => operation.told.flatMap(({ values }) => values)));
  const client = begun?.client ?? -1;
  return given
    .filter((change) => change.from > from && !told.has(change.value))
    .map(({ name }) => `the follower ${client} was never told of ${name}`);
}
