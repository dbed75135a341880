/** Starts PgBouncer in front of a PostgreSQL server, for tests. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findRunAs, sharedTemporaryDirectory } from "./postgres-native.ts";
import { findFreePort } from "./postgres.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

export interface PgBouncer {
  /** The same database, through PgBouncer. */
  through(url: string): string;
  /** Its log. */
  readonly log: string;
  stop(): Promise<void>;
}

/** Step that must come before a start; undefined if PgBouncer can start. */
export function missingPgBouncer(): string | undefined {
  return existsSync(PROGRAM) ? undefined : `${PROGRAM} is not there: apt-get install pgbouncer`;
}

/**
 * Starts PgBouncer with settings for tests, which make a database each: connections of an unused database close after a
 * second. By default they stay for ten minutes, and after a dozen databases all connections of the server are taken, so
 * that every client waits.
 *
 * @param server the administrator's URL of the server behind it, all of whose databases it offers to that role
 */
export async function startPgBouncer(server: string, mode: "session" | "transaction"): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(server);
  const directory = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-pgbouncer-"));
  const port = await findFreePort();
  const users = join(directory, "users");
  const settings = join(directory, "pgbouncer.ini");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 100
max_client_conn = 1000
server_idle_timeout = 1
`,
  );
  const runAs = findRunAs();
  for (const file of runAs === undefined ? [] : [directory, users, settings]) {
    chownSync(file, runAs?.uid ?? 0, runAs?.gid ?? 0);
  }
  const child = spawn(PROGRAM, [settings], { ...runAs, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const ended = once(child, "exit");
  const killAtExit = (): unknown => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
    await sleep(20);
  }
  return {
    through(url) {
      const changed = new URL(url);
      changed.hostname = "127.0.0.1";
      changed.port = String(port);
      return changed.href;
    },
    get log() {
      return log;
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      process.off("exit", killAtExit);
      rmSync(directory, { recursive: true });
    },
  };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  const open = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return open;
}
