import type { Database } from "../../storage/database.ts";
import { StartError } from "../../storage/start-error.ts";
import { findSomethingBeyondDefault } from "./store.ts";

/**
 * Refuses to serve as the community edition what holds namespaces: their
 * tokens and defaults would count for something that nobody could see or change.
 *
 * @throws StartError that says what was found
 */
export async function checkEdition(db: Database, edition: "enterprise" | "community"): Promise<void> {
  const found = edition === "community" ? await findSomethingBeyondDefault(db) : undefined;
  if (found === undefined) return;
  throw new StartError(
    `cannot start with --edition community: the database contains ${found}. Use --edition enterprise`,
  );
}
