/** Runs once for a whole test run: starts the PostgreSQL server that the tests share, and stops it afterwards. */
import type { PostgresVersion } from "./postgres-native.ts";
import { startPostgres } from "./postgres.ts";
import { withClient } from "./postgres-schema.ts";

/**
 * Puts the server's URL into TESSERA_TEST_POSTGRES, which the workers inherit; one that is already set is used as it is.
 * TESSERA_TEST_POSTGRES_VERSION asks for another version than the newest; see `npm run test:postgres`.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env["TESSERA_TEST_POSTGRES"]) return undefined;
  const version = Number(process.env["TESSERA_TEST_POSTGRES_VERSION"] ?? 18) as PostgresVersion;
  const server = await startPostgres({ version });
  await withClient(server.url, async (client) => {
    await client.query("create extension if not exists pg_trgm");
  });
  process.env["TESSERA_TEST_POSTGRES"] = server.url;
  return async () => {
    delete process.env["TESSERA_TEST_POSTGRES"];
    await server.stop("immediate");
  };
}
