/** Which rules can show rows of a list: the ledger of use notes them where a list is read. */
import { findSite, tableOf, type Layer, type LayerGrant } from "./layer.ts";
import { covers, type Access } from "./rule.ts";
import type { ShownList } from "./authorizer.ts";
import { aclNamespaces, seenNamespaces, type RulesOfToken } from "./namespaces.ts";
import { fold } from "../../fold.ts";

/** The rules that can show rows of a list, of these layers. Rules that a closer layer overrides are not among them. */
export function grantsShowing(rules: RulesOfToken, layers: readonly Layer[], list: ShownList): readonly LayerGrant[] {
  const found = new Set<LayerGrant>();
  switch (list.of) {
    case "organizations":
      addBelow(found, layers, "organization", "", "read");
      break;
    case "workspaces":
      addWorkspaces(found, layers, fold(list.organization), list.access);
      break;
    case "workspace-sight":
      if (list.only !== undefined) addWorkspaces(found, layers, fold(list.only), "read");
      else for (const resource of ["workspace", "organization"] as const) addBelow(found, layers, resource, "", "read");
      break;
    case "namespaces":
      seenNamespaces(rules, list.partition, found);
      break;
    case "acl":
      aclNamespaces(rules, list.partition, found);
      break;
  }
  return [...found];
}

function addWorkspaces(
  found: Set<LayerGrant>,
  layers: readonly Layer[],
  organization: string,
  access: "read" | "write",
): void {
  const isDecided = addBelow(found, layers, "workspace", `${organization}/`, access);
  if (isDecided) return;
  // Workspaces without a rule of their own follow their organization.
  const owner = layers.map((layer) => findSite(tableOf(layer, "organization"), organization)).find((site) => site);
  if (owner !== undefined && covers(owner.policy.permission, access)) found.add(owner.policy);
}

/** @returns whether a rule decides about every name below the root */
function addBelow(
  found: Set<LayerGrant>,
  layers: readonly Layer[],
  resource: "organization" | "workspace",
  root: string,
  access: Access,
): boolean {
  const before: Layer[] = [];
  const isOpen = (name: string, isPrefix: boolean): boolean =>
    !before.some((layer) => {
      const table = tableOf(layer, resource);
      return (isPrefix ? table.prefixes.find(name) : findSite(table, name)) !== undefined;
    });
  for (const layer of layers) {
    const { exact, prefixes } = tableOf(layer, resource);
    const base = prefixes.find(root);
    const sites = [
      ...(base === undefined ? [] : [base]),
      ...Array.from(prefixes.below(root)).flatMap(([prefix, site]) => (isOpen(prefix, true) ? [site] : [])),
      ...Array.from(exact).flatMap(([name, site]) => (name.startsWith(root) && isOpen(name, false) ? [site] : [])),
    ];
    for (const { policy } of sites) if (covers(policy.permission, access)) found.add(policy);
    if (base !== undefined) return true;
    before.push(layer);
  }
  return false;
}
