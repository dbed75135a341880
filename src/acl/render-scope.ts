import type { Scope } from "./scope.ts";

/** How answers show where an object lies. */
export type RenderScope = (scope: Scope) => { Namespace: string; Partition: string } | undefined;

/** The community edition knows neither namespaces nor partitions and shows none. */
export function scopeRenderer(edition: "enterprise" | "community"): RenderScope {
  return edition === "community"
    ? () => undefined
    : ({ namespace, partition }) => ({ Namespace: namespace, Partition: partition });
}
