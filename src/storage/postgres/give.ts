/** The end of a move to a PostgreSQL database, by a command after the one that was ended before it. */
import type pg from "pg";
import { RESTORING, wholeMarker, type WholeOf } from "../operator/half-restored.ts";
import type { KeyOrigin } from "../operator/loading.ts";
import { StartError } from "../start-error.ts";
import { reasonOf } from "./hosts.ts";
import { createServers } from "./servers.ts";
import { connectForLong } from "./whole-database.ts";

/** Lets servers start on what was moved there. @throws StartError when PostgreSQL cannot be asked */
export async function giveMovedPostgres(url: string, whole: WholeOf): Promise<KeyOrigin> {
  let client: pg.Client | undefined;
  try {
    client = await connectForLong(createServers(url), "write");
    await client.query("set synchronous_commit = on");
    return await give(client, whole);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use PostgreSQL: ${reasonOf(error)}. Check that it is running, and check its log`, {
      cause: error,
    });
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function give(client: pg.Client, whole: WholeOf): Promise<KeyOrigin> {
  const { rows: made } = await client.query<{ made: boolean }>(
    "select to_regclass('meta') is not null and to_regclass('data_keys') is not null as made",
  );
  if (made[0]?.made !== true) return "other";
  // In one statement: what another command loads meanwhile has another value, or none yet.
  const { rowCount } = await client.query("delete from meta where name = $1 and value = $2", [
    RESTORING,
    wholeMarker(whole),
  ]);
  if (rowCount === 1) return "given";
  const { rowCount: same } = await client.query(
    `select 1 from data_keys where purpose = 'lookup' and id = $1
       and not exists (select 1 from meta where name = $2)`,
    [whole.database, RESTORING],
  );
  return same === 1 ? "free" : "other";
}
