import type { MappedNamespace, VerifiedIdentity } from "../validator.ts";
import type { NamespaceMapping } from "./config.ts";

/**
 * The namespace that tokens of a service account go to, by the older way that NamespaceRules replace: with `MapNamespaces`
 * it is named like the Kubernetes namespace, after `ConsulNamespacePrefix`, unless `ConsulNamespaceOverrides` names
 * another for it.
 *
 * @returns undefined when namespaces are not mapped
 */
export function kubernetesNamespace(
  { isOn, prefix, overrides }: NamespaceMapping,
  { variables }: VerifiedIdentity,
): MappedNamespace | undefined {
  const namespace = variables.get("serviceaccount.namespace") ?? "";
  if (!isOn || namespace === "") return undefined;
  const written = overrides.get(namespace);
  return written === undefined ? { name: prefix + namespace, isComputed: true } : { name: written, isComputed: false };
}
