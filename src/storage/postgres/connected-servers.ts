import type pg from "pg";
import { INSTALLATION, parseApplicationName, type SessionName } from "./application-name.ts";
import { createServers } from "./servers.ts";

/** Sessions of this product in the database of the client, but for its own. */
export interface ProductSessions {
  /** Which installation the client's schema is. */
  installation: string;
  sessions: SessionName[];
}

/** Looks them up in `pg_stat_activity`. */
export async function listSessions(client: pg.Client): Promise<ProductSessions> {
  const { rows } = await client.query<{ names: string[] | null; installation: string }>(
    `select ${INSTALLATION} as installation, (select array_agg(distinct application_name) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'tessera%') as names`,
  );
  const sessions = (rows[0]?.names ?? []).flatMap((name) => parseApplicationName(name) ?? []);
  return { installation: rows[0]?.installation ?? "", sessions };
}

/** The servers that are connected to a database now, as host and process. */
export async function connectedServers(url: string): Promise<string[]> {
  const { client } = await createServers(url).connect("write", {});
  try {
    const { installation, sessions } = await listSessions(client);
    return sessions.filter((session) => session.installation === installation).map(({ node }) => node);
  } finally {
    await client.end();
  }
}
