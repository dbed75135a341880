/** Checks that acknowledged changes are there in the end, and that refused ones are not. */
import type { History, Stored } from "../history.ts";
import { describe, endOf, limited, some, type Of } from "./entries.ts";
import { groupEach, poolsOf, type Pool } from "./pools.ts";

/**
 * In the final state of every node is each object that an acknowledged create made and no delete can have removed; the
 * objects of acknowledged deletes are gone. Nothing else is there but what creates of unknown outcome can have made.
 * Creates and deletes happened wholly or not at all: an unknown delete explains that an object is gone only when all of
 * its objects are, and an unknown create explains an object only when its other objects are there too or were deleted.
 * A name that was shown in a list is there, unless a delete that was not over when the list was asked for names it.
 */
export const lost = limited((history) => [
  ...unequalNodes(history),
  ...poolsOf(history).flatMap((pool) => [
    ...lostObjects(pool),
    ...undeletedObjects(pool),
    ...unexplainedObjects(pool),
    ...vanishedNames(pool),
  ]),
]);

function unequalNodes({ final }: History): string[] {
  const [first, ...others] = final.nodes;
  if (first === undefined) return ["the final state of no node was recorded"];
  return others.flatMap(({ pools }, number) => {
    const names = new Set([...Object.keys(first.pools), ...Object.keys(pools)]);
    return [...names].flatMap((pool) => {
      const difference = firstDifference(first.pools[pool] ?? [], pools[pool] ?? []);
      return difference === undefined ? [] : [`nodes 0 and ${number + 1} end with different ${pool}: ${difference}`];
    });
  });
}

function firstDifference(one: readonly Stored[], other: readonly Stored[]): string | undefined {
  const texts = (list: readonly Stored[]): string[] =>
    list.map((stored) => JSON.stringify(Object.values(inOrder(stored))));
  const [left, right] = [new Set(texts(one)), new Set(texts(other))];
  const [missing] = left.difference(right);
  const [extra] = right.difference(left);
  if (missing !== undefined || extra !== undefined) return `${missing ?? "nothing"} and ${extra ?? "nothing"}`;
  return one.length === other.length ? undefined : `${one.length} and ${other.length} objects`;
}

function inOrder({ name, id, version }: Stored): Stored {
  return { name, id, version };
}

function lostObjects({ name: pool, made, creates, final }: Pool): string[] {
  const there = new Map(final.map((stored) => [stored.id, stored]));
  const findings = creates
    .filter(({ outcome, operation }) => outcome === "done" && operation.ids?.length !== operation.names.length)
    .map((entry) => `${describe(entry)} is acknowledged without an id for each name`);
  for (const { id, name, create, deletes } of made.values()) {
    const stored = there.get(id);
    const object = `${name} (${id}) of ${describe(create)}`;
    if (stored === undefined && deletes.length === 0)
      findings.push(`${pool} lacks ${object} in the end, and no delete can have removed it`);
    if (stored !== undefined && stored.name !== name) findings.push(`${object} is called ${stored.name} in the end`);
  }
  return findings;
}

function undeletedObjects({ name: pool, deletes, final }: Pool): string[] {
  const there = new Set(final.map(({ id }) => id));
  return deletes.flatMap((entry) => {
    const left = entry.operation.ids.filter((id) => there.has(id));
    return left.length === 0 ? [] : [`${pool} still holds ${some(left)} of ${describe(entry)} in the end`];
  });
}

function unexplainedObjects(pool: Pool): string[] {
  const unknown = pool.creates.filter(({ outcome }) => outcome === "unknown");
  const possible = groupEach(unknown.filter(createdWholly(pool)), (entry) => entry.operation.names);
  const attempts = groupEach(unknown, (entry) => entry.operation.names);
  return pool.final
    .filter(({ name, id }) => pool.named.has(name) && !pool.made.has(id) && !possible.has(name))
    .map(({ name, id }) => {
      const [half] = attempts.get(name) ?? [];
      const object = `${pool.name} holds ${name} (${id}) in the end`;
      if (half === undefined) return `${object}, which no create made that was not refused`;
      return `${object}, but not all of ${describe(half)}`;
    });
}

/** Tells of a create of unknown outcome whether all of its objects can have been there at once. */
function createdWholly(pool: Pool): (create: Of<"create">) => boolean {
  const deletes = groupEach(pool.deletes, (entry) => entry.operation.names);
  // In a pool that refuses names that are taken, an object that another create made is not one of this create.
  const there = new Set(
    pool.final.filter(({ id }) => pool.sharesNames || !pool.made.has(id)).map((stored) => stored.name),
  );
  return (create) =>
    create.operation.names.every(
      (name) => there.has(name) || (deletes.get(name) ?? []).some((entry) => endOf(entry) >= create.invoked),
    );
}

function vanishedNames(pool: Pool): string[] {
  const there = new Set(pool.final.map(({ name }) => name));
  const lastShown = new Map<string, Of<"list" | "watch">>();
  for (const entry of pool.shown)
    for (const name of Object.keys(entry.operation.found ?? {})) if (!there.has(name)) lastShown.set(name, entry);
  const deletes = groupEach(pool.deletes, (entry) => entry.operation.names);
  return [...lastShown]
    .filter(([name, entry]) => !(deletes.get(name) ?? []).some((removal) => endOf(removal) >= entry.invoked))
    .map(
      ([name, entry]) =>
        `${pool.name} lacks ${name} in the end, which ${describe(entry)} showed and nobody deleted since`,
    );
}
