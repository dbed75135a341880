/** Names are unique. */
import { describe, endOf, groupBy, limited } from "./entries.ts";
import { poolsOf, type Made, type Pool } from "./pools.ts";

/**
 * No two objects of one name are in a pool at the same time. An object that an acknowledged create answered with was
 * there for certain from that answer until the first delete of it that can have happened was begun; when two such times
 * of one name overlap, no order of the requests explains both. In a pool of tags, where a create answers with the object
 * that has the name already, that means that all creates in between answer with the same id. No id is given to two
 * names, to two creates that each made an object, or again after it was deleted; and the final state of no node holds a
 * name twice.
 */
export const names = limited((history) => [
  ...poolsOf(history).flatMap((pool) => [...overlaps(pool), ...wrongIds(pool)]),
  ...history.final.nodes.flatMap(({ pools }, node) =>
    Object.entries(pools).flatMap(([pool, stored]) =>
      [...groupBy(stored, ({ name }) => name)]
        .filter(([, ofName]) => ofName.length > 1)
        .map(([name, ofName]) => `node ${node} ends with ${ofName.length} ${pool} called ${name}: ${idsOf(ofName)}`),
    ),
  ),
]);

function idsOf(list: readonly { readonly id: string }[]): string {
  return list.map(({ id }) => id).join(" ");
}

function overlaps({ name: pool, made }: Pool): string[] {
  const byName = groupBy(made.values(), ({ name }) => name);
  return [...byName].flatMap(([name, ofName]) => {
    const findings: string[] = [];
    let longest: Made | undefined;
    for (const object of ofName.toSorted((a, b) => a.from - b.from)) {
      if (longest !== undefined && object.from < longest.until && longest.from < object.until)
        findings.push(
          `${pool} has ${name} twice, as ${longest.id} of ${describe(longest.create)} and ${object.id} of ${describe(object.create)}`,
        );
      if (longest === undefined || object.until > longest.until) longest = object;
    }
    return findings;
  });
}

function wrongIds({ name: pool, sharesNames, creates, made }: Pool): string[] {
  const findings: string[] = [];
  for (const entry of creates) {
    for (const [position, id] of (entry.operation.ids ?? []).entries()) {
      const object = made.get(id);
      if (object === undefined) continue;
      const name = entry.operation.names[position] ?? "nothing";
      const isFirst = object.create === entry && object.name === name;
      if (object.name !== name)
        findings.push(`${id} is ${object.name} of ${describe(object.create)} and ${name} of ${describe(entry)}`);
      else if (!sharesNames && !isFirst)
        findings.push(`${pool} gives ${id} to ${describe(object.create)} and ${describe(entry)}`);
      const removal = object.deletes.find((each) => endOf(each) < entry.invoked);
      if (removal !== undefined)
        findings.push(`${describe(entry)} is given ${id}, which ${describe(removal)} had deleted`);
    }
  }
  return findings;
}
