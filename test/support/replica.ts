import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { sharedTemporaryDirectory } from "./postgres-native.ts";
import { startPostgres, type PostgresServer } from "./postgres.ts";

/** A standby that follows a server by streaming replication, made from a copy of its files. */
export interface ReplicaServer extends PostgresServer {
  /** Stops applying what the primary sends, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Makes a replica of a running server, which must be durable: without its log there is nothing to follow. */
export async function startReplica(
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
  durable: true | "kills" = "kills",
): Promise<ReplicaServer> {
  const root = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-replica-"));
  const { uid, gid } = statSync(primary.dataDir);
  const dataDir = join(root, "data");
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  execFileSync("cp", ["-a", primary.dataDir, dataDir]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  for (const left of ["postmaster.pid", "postmaster.opts"]) rmSync(join(dataDir, left), { force: true });
  writeFileSync(join(dataDir, "backup_label"), rows[0]?.labelfile ?? "");
  writeFileSync(join(dataDir, "standby.signal"), "");
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(dataDir, "postgresql.conf"), `primary_conninfo = '${source}'\n`);
  writeFileSync(`${dataDir}.password`, `${password}\n`, { mode: 0o600 });
  execFileSync("chown", ["-R", `${uid}:${gid}`, root]);
  const server = await startPostgres({ dataDir, durable, settings });
  const control = async (sql: string): Promise<void> => {
    const session = new pg.Client({ connectionString: server.url });
    await session.connect();
    await session.query(sql);
    await session.end();
  };
  return Object.defineProperties(
    {
      pause: () => control("select pg_wal_replay_pause()"),
      resume: () => control("select pg_wal_replay_resume()"),
      async stop() {
        await server.stop("fast");
        rmSync(root, { recursive: true, force: true });
      },
    } as ReplicaServer,
    Object.fromEntries(Object.entries(Object.getOwnPropertyDescriptors(server)).filter(([name]) => name !== "stop")),
  );
}
