/** Where an access-control object lies: a namespace of a partition. Names are folded. */
export interface Scope {
  partition: string;
  namespace: string;
}

/** Where everything lies that says nothing else. */
export const DEFAULT_SCOPE: Scope = { partition: "default", namespace: "default" };

/** Whether this is the one scope whose policies may speak of the whole server. */
export function isRootScope({ partition, namespace }: Scope): boolean {
  return partition === "default" && namespace === "default";
}
