/** Options of earlier versions that were removed. A start that names one is refused: it asks for what there is no more. */
import { ConfigError } from "./given.ts";

/** By name, what to do instead. */
export const REMOVED: ReadonlyMap<string, string> = new Map([
  ["threads", "remove it. For more CPU cores, use PostgreSQL with --processes or several servers"],
]);

/**
 * Refuses an option that was removed, whatever its value is.
 *
 * @param origin words that name the place where it is given
 * @throws ConfigError
 */
export function refuseRemoved(name: string, origin: string): void {
  const instead = REMOVED.get(name);
  if (instead !== undefined) throw new ConfigError(`${origin} was removed from the server; ${instead}`);
}
