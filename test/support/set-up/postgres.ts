/**
 * Starts the PostgreSQL server that the tests of a run share and puts its URL into TESSERA_TEST_POSTGRES, which the workers
 * inherit; one that is already set is used as it is. TESSERA_TEST_POSTGRES_VERSION asks for another version than the newest;
 * see `npm run test:postgres`.
 */
import type { PostgresVersion } from "../postgres-native.ts";
import { migratePostgres } from "../../../src/storage/postgres/migrate.ts";
import { createServers } from "../../../src/storage/postgres/servers.ts";
import { freshWholeDatabaseUrl, TEMPLATE_VARIABLE, withClient } from "../postgres-schema.ts";
import { startPostgres } from "../postgres.ts";

/** Once a run, whichever project comes first. */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env["TESSERA_TEST_POSTGRES"]) return () => Promise.resolve();
  const version = Number(process.env["TESSERA_TEST_POSTGRES_VERSION"] ?? 18) as PostgresVersion;
  const server = await startPostgres({ version });
  await addTrigrams(server.url);
  process.env["TESSERA_TEST_POSTGRES"] = server.url;
  await makeTemplate(server.url);
  return async () => {
    delete process.env["TESSERA_TEST_POSTGRES"];
    delete process.env[TEMPLATE_VARIABLE];
    await server.stop("immediate");
  };
}

async function addTrigrams(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("create extension if not exists pg_trgm");
  });
}

async function makeTemplate(server: string): Promise<void> {
  const url = await freshWholeDatabaseUrl(server);
  await addTrigrams(url);
  const servers = createServers(url);
  await migratePostgres(servers, { onWarning: () => undefined });
  process.env[TEMPLATE_VARIABLE] = new URL(url).pathname.slice(1);
}
