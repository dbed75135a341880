import type { PostgresConnection } from "./connection.ts";

/** The connection with the fewest statements under way, of those that are up. */
export function idlest(set: readonly PostgresConnection[]): PostgresConnection {
  let best: PostgresConnection | undefined;
  for (const connection of set) {
    if (!connection.connected()) continue;
    if (best === undefined || connection.pending() < best.pending()) best = connection;
  }
  const any = best ?? set[0];
  if (any === undefined) throw new Error("a pool without connections");
  return any;
}
