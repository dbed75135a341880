import type { EngineDatabase } from "../database.ts";

/** Resolves when everything that this process has seen committed is durable. */
export function untilDurable(db: Pick<EngineDatabase, "whenDurable">): Promise<void> {
  return new Promise((resolve, reject) => {
    db.whenDurable((error) => (error === undefined ? resolve() : reject(error)));
  });
}
