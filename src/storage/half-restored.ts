/** A database into which a backup is being loaded, or was until the restore was ended: no server may use it. */
import { existsSync } from "node:fs";
import type { Reader } from "./database.ts";
import { definePoint } from "./query.ts";
import { StartError } from "./start-error.ts";

/** Row of `meta` that is there from the first to the last moment of a restore into PostgreSQL. */
export const RESTORING = "restoring";

/** The file that an embedded database is restored into; it gets its name when all is in it. */
export function restoringFile(path: string): string {
  return `${path}.restoring`;
}

/** @throws StartError when a restore into this place has not come to its end */
export function refuseRestoringFile(path: string): void {
  if (existsSync(restoringFile(path))) throw halfRestored(`or remove ${restoringFile(path)}`);
}

/** The same of a database that is open. */
export async function refuseHalfRestored(db: Pick<Reader, "point">): Promise<void> {
  if ((await db.point(findMarker, RESTORING)) !== undefined) throw halfRestored("or give another --database");
}

function halfRestored(otherwise: string): StartError {
  return new StartError(
    `a restore of the database is under way or was cut off; wait for it, or run tessera restore again, ${otherwise}`,
  );
}

const findMarker = definePoint("meta.name", (db) => db.selectFrom("meta").select("name"));
