/** Commands of the program as an operator runs them, and what they leave. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, createReadStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { verifyBackup } from "../../src/backup/read.ts";
import type { Trailer } from "../../src/backup/format.ts";
import { temporaryDirectory, type Engine } from "../support/engines.ts";
import { freshWholeDatabaseUrl } from "../support/postgres-schema.ts";
import { programFor } from "../support/program.ts";

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  ended: Promise<Ended>;
  kill(): void;
}

/** Starts a command. @param wrapper in front of node @param more environment variables */
export function begin(
  args: readonly string[],
  wrapper: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TESSERA_|NODE_OPTIONS$)/.test(name));
  const env = { ...Object.fromEntries(inherited), ...more };
  const [command = "", ...rest] = [...wrapper, process.execPath, programFor(more), ...args];
  const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = once(child, "close").then(([status]) => ({ status: status as number | null, ...output }));
  return { ended, kill: () => void child.kill("SIGKILL") };
}

/** Runs a command to its end. */
export function tessera(...args: string[]): Promise<Ended> {
  return begin(args).ended;
}

/** A place for a database, as options say it. */
export interface Place {
  engine: Engine;
  database: string;
  dataDir: string;
  /** The options that say so. */
  where: string[];
}

/** An empty place. @param keyOf a place whose master key it has; none when left out */
export async function emptyPlace(engine: Engine, keyOf?: Pick<Place, "dataDir">): Promise<Place> {
  const dataDir = join(temporaryDirectory(), "data");
  if (keyOf !== undefined) {
    mkdirSync(dataDir, { mode: 0o700 });
    copyFileSync(join(keyOf.dataDir, "master-key"), join(dataDir, "master-key"));
  }
  const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await freshWholeDatabaseUrl();
  return { engine, database, dataDir, where: ["--database", database, "--data-dir", dataDir] };
}

/** The sums of a backup's tables. @throws BackupRefused when it is not whole */
export async function sumsOf(file: string): Promise<Trailer["tables"]> {
  return (await verifyBackup(createReadStream(file), file)).trailer.tables;
}
