/** Scope of an access control object: a namespace of a partition. Names are folded. */
export interface Scope {
  partition: string;
  namespace: string;
  /** Marks a trial write: the namespace and partition count as existing. */
  isPlanned?: true;
}

/** Scope of objects that specify none. */
export const DEFAULT_SCOPE: Scope = { partition: "default", namespace: "default" };

/**
 * Returns the namespace `default` of a partition. It contains the default policies and roles of the partition's
 * namespaces, and the events of objects outside namespaces.
 */
export function homeOf(partition: string): Scope {
  return { partition, namespace: DEFAULT_SCOPE.namespace };
}

/** The same of where a request works, for what is written there. */
export function homeIn({ partition, isPlanned }: Scope): Scope {
  return { ...homeOf(partition), ...(isPlanned && { isPlanned }) };
}

/** Whether this is the one scope whose policies may speak of the whole server. */
export function isRootScope({ partition, namespace }: Scope): boolean {
  return partition === "default" && namespace === "default";
}

/** Whether two scopes are the same one. */
export function isIn(one: Scope, other: Scope): boolean {
  return one.namespace === other.namespace && one.partition === other.partition;
}

/** Stands for all namespaces that the caller may read, on lists. */
export const ANY_NAMESPACE = "*";

/** Pattern of names of namespaces and partitions: labels of DNS, folded. */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether the folded text can be the name of a namespace or a partition. */
export function isScopeName(name: string): boolean {
  return LABEL.test(name);
}

/** Renders the scope of an object in answers. */
export type RenderScope = (scope: Scope) => { Namespace: string; Partition: string } | undefined;

/** The community edition knows neither namespaces nor partitions and shows none. */
export function scopeRenderer(edition: "enterprise" | "community"): RenderScope {
  return edition === "community"
    ? () => undefined
    : ({ namespace, partition }) => ({ Namespace: namespace, Partition: partition });
}
