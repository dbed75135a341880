/**
 * Several layers as one, so that a question takes one look-up however many
 * there are. A name whose longest prefix, of those of all layers, is `p` has in
 * each layer the longest prefix that `p` has there: so what the layers say
 * about it is settled for `p` beforehand.
 */
import { atOnce } from "../../turns.ts";
import { decide, findSite, tableOf, type Grant, type Layer, type RuleTable, type Site } from "./layer.ts";
import { PrefixTable } from "./prefix-table.ts";
import type { Access, Resource, RuleResource } from "./rule.ts";
import type { Steps } from "./scanner.ts";

/** What the first layer says that says anything; undefined when none does. */
export type Decide = (resource: Resource, segment: string, access: Access) => Grant | undefined;

/** Makes the function that asks these layers one by one, the closest first. */
export function askInTurn(layers: readonly Layer[]): Decide {
  return (resource, segment, access) => {
    for (const layer of layers) {
      const grant = decide(layer, resource, segment, access);
      if (grant !== undefined) return grant;
    }
    return undefined;
  };
}

/** The same, for many questions. It takes as much memory again as the layers do, if there are several. */
export function mergeLayers(layers: readonly Layer[]): Decide {
  return atOnce(mergeInSteps(layers));
}

/** The same as work that can pause. */
export function* mergeInSteps(layers: readonly Layer[]): Steps<Decide> {
  const oneByOne = askInTurn(layers);
  if (layers.length < 2) return oneByOne;
  const tables = new Map<Resource, RuleTable>();
  for (const resource of new Set(layers.flatMap((layer) => [...layer.tables.keys()]))) {
    const merged = yield* mergeTables(layers.map((layer) => tableOf(layer, resource)));
    tables.set(resource, merged);
  }
  return (resource, segment, access) => {
    // These follow other rules where they have none, each within its layer.
    if (FOLLOWING.has(resource) || access === "write-prefix") return oneByOne(resource, segment, access);
    const table = tables.get(resource === "intention" ? "service" : resource);
    const site = table && findSite(table, SCALAR.has(resource) ? "" : segment);
    return resource === "intention" ? site?.intentions : site?.policy;
  };
}

const FOLLOWING: ReadonlySet<Resource> = new Set<Resource>(["mesh", "peering", "workspace"]);
const SCALAR: ReadonlySet<Resource> = new Set<RuleResource>(["acl", "keyring", "operator"]);

/** Names between two pauses. */
const NAMES_BETWEEN = 256;

function* mergeTables(tables: readonly RuleTable[]): Steps<RuleTable> {
  const exact = new Map<string, Site>();
  const prefixes = new Map<string, Site>();
  for (const table of tables) {
    for (const name of table.exact.keys()) {
      put(exact, name, tables, (each) => findSite(each, name));
      if (exact.size % NAMES_BETWEEN === 0) yield;
    }
    for (const [prefix] of table.prefixes.all()) {
      put(prefixes, prefix, tables, (each) => each.prefixes.find(prefix));
      if (prefixes.size % NAMES_BETWEEN === 0) yield;
    }
  }
  return { exact, prefixes: new PrefixTable(prefixes) };
}

function put(
  sites: Map<string, Site>,
  name: string,
  tables: readonly RuleTable[],
  find: (table: RuleTable) => Site | undefined,
): void {
  if (sites.has(name)) return;
  for (const table of tables) {
    const site = find(table);
    if (site === undefined) continue;
    sites.set(name, site);
    return;
  }
}
