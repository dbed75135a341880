/** Probes a database of PostgreSQL's protocol for the features that a server uses. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { withClient } from "../support/postgres-schema.ts";

export interface Probe {
  /** Version that it reports. */
  version: string;
  /** By name, whether it is there, or why not. */
  features: Readonly<Record<string, string>>;
  /** Whether a URL may name a schema by `options`, which PgBouncer refuses. */
  takesOptions: boolean;
}

/** Looks at the database of this URL, and leaves nothing in it but, where it may be made, the extension pg_trgm. */
export async function probe(url: string): Promise<Probe> {
  const one = async (text: string): Promise<unknown> =>
    withClient(url, async (client) => (await client.query<{ found: unknown }>(text)).rows[0]?.found);
  const has = async (what: () => Promise<unknown>): Promise<string> => {
    try {
      const found = await what();
      return found === undefined || found === true ? "yes" : (found as string);
    } catch (error) {
      return `no (${(error as Error).message})`;
    }
  };
  const withOptions = new URL(url);
  withOptions.search = `options=${encodeURIComponent("-c search_path=public")}`;
  const options = await has(() => withClient(withOptions.href, () => Promise.resolve()));
  return {
    version: String(await one("select version() as found")),
    takesOptions: options === "yes",
    features: {
      "version number": await has(() => one("select current_setting('server_version_num') as found")),
      "NOTIFY reaches LISTEN": await has(() => isHeard(url)),
      "pg_trgm may be made": await has(() => one("create extension if not exists pg_trgm")),
      timeline: await has(() => one("select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as found")),
      "sessions have numbers": await has(async () => (await one("select pg_backend_pid() as found")) !== undefined),
      "synchronous_commit may be set": await has(() =>
        one("select set_config('synchronous_commit', 'on', false) as found"),
      ),
      "options in the URL": options,
    },
  };
}

async function isHeard(url: string): Promise<true> {
  const listener = new pg.Client({ connectionString: url });
  listener.on("error", () => undefined);
  await listener.connect();
  try {
    const heard = new Promise<true>((resolve) => void listener.once("notification", () => resolve(true)));
    await listener.query("listen tessera_probe");
    await withClient(url, (client) => client.query("notify tessera_probe"));
    const late = sleep(2000, undefined, { ref: false }).then(() => {
      throw new Error("nothing was heard in 2 s");
    });
    return await Promise.race([heard, late]);
  } finally {
    await listener.end();
  }
}
