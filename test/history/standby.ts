import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { appendFile, chown, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { PostgresServer } from "../support/postgres.ts";
import { withClient } from "../support/postgres-schema.ts";

const run = promisify(execFile);
const UNTIL_MS = 30_000;
const LOOK_MS = 50;

/**
 * Starts a server that is down as a standby of another, at its old port: its files are replaced by a copy of the
 * other's, as after a fail-over what it held may differ.
 */
export async function becomeStandby(server: PostgresServer, primary: PostgresServer): Promise<void> {
  const { dataDir } = server;
  const { uid, gid } = await stat(primary.dataDir);
  await rm(dataDir, { recursive: true, force: true });
  const label = await withClient(primary.url, async (client) => {
    await client.query("select pg_backup_start('history', true)");
    await copyLiving(primary.dataDir, dataDir);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    return rows[0]?.labelfile ?? "";
  });
  for (const left of ["postmaster.pid", "postmaster.opts"]) rmSync(join(dataDir, left), { force: true });
  await writeFile(join(dataDir, "backup_label"), label);
  await writeFile(join(dataDir, "standby.signal"), "");
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  // The last value of a repeated setting takes effect.
  await appendFile(join(dataDir, "postgresql.conf"), `primary_conninfo = '${source}'\n`);
  for (const made of ["backup_label", "standby.signal"]) await chown(join(dataDir, made), uid, gid);
  await server.restart();
}

/** Copies the files of a running server. Some of them vanish meanwhile, which a base backup allows. */
async function copyLiving(from: string, to: string): Promise<void> {
  try {
    await run("cp", ["-a", from, to]);
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const others = stderr.split("\n").filter((line) => line !== "" && !line.includes("No such file"));
    if (others.length > 0 || !existsSync(join(to, "PG_VERSION"))) throw error;
  }
}

/** Makes commits wait for a standby, any one that follows, and resolves when one is synchronous. */
export async function requireStandby(primary: PostgresServer): Promise<void> {
  await until(primary.url, "select 1 from pg_stat_replication where state = 'streaming'");
  await setSynchronous(primary.url, "*");
  await untilSynchronous(primary);
}

/** @throws Error when no standby is synchronous within half a minute */
export function untilSynchronous(primary: PostgresServer): Promise<void> {
  return until(primary.url, "select 1 from pg_stat_replication where sync_state = 'sync'");
}

/** Makes a standby a primary that waits for nobody. Its old primary must be dead. */
export async function promote(standby: PostgresServer): Promise<void> {
  await withClient(standby.url, async (client) => {
    // It may have been made while nothing was replayed.
    await client.query("select pg_wal_replay_resume()");
    await client.query("select pg_promote(true, 30)");
  });
  await until(standby.url, "select 1 where not pg_is_in_recovery()");
  await setSynchronous(standby.url, "");
}

async function setSynchronous(url: string, names: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${names}'`);
    await client.query("select pg_reload_conf()");
  });
}

async function until(url: string, sql: string): Promise<void> {
  const deadline = performance.now() + UNTIL_MS;
  await withClient(url, async (client) => {
    while ((await client.query(sql)).rows.length === 0) {
      if (performance.now() > deadline) throw new Error(`not within ${UNTIL_MS} ms: ${sql}`);
      await sleep(LOOK_MS);
    }
  });
}
