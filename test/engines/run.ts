/**
 * Tries a database of PostgreSQL's protocol:
 *
 *     npm run test:engine -- postgres://user:password@host:port/database [--seconds 60] [--bench 5] [--prepare FILE.sql]
 *
 * The file is run in each new database, such as to create an extension. Says what it lacks, starts a server on it, and runs the storage contract, a recorded history and a benchmark. The role has
 * to be allowed to make databases; those that are made are dropped. Ends with 1 when something is not as on PostgreSQL 18.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DIRECTORY_VARIABLE } from "../support/directory.ts";
import { dropFreshDatabases, freshWholeDatabaseUrl } from "../support/postgres-schema.ts";
import { bundleProgram } from "../support/program.ts";
import { startServer } from "../support/server.ts";
import { benchmark } from "./benchmark.ts";
import { probe } from "./probe.ts";

const CONTRACT = ["src/storage/contract", "src/storage/postgres/writer.test.ts", "src/storage/postgres/feed.test.ts"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    bench: { type: "string", default: "5" },
    prepare: { type: "string" },
  },
});
const [url = ""] = positionals;
const [seconds, benchSeconds] = [Number(values.seconds), Number(values.bench)];
if (!URL.canParse(url) || !/^postgres(ql)?:/.test(url) || !(seconds >= 0) || !(benchSeconds >= 0)) {
  process.stderr.write(
    "npm run test:engine -- postgres://user:password@host:port/database [--seconds 60] [--bench 5] [--prepare FILE.sql]\n",
  );
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), "tessera-engine-"));
process.env[DIRECTORY_VARIABLE] = directory;
if (values.prepare !== undefined) process.env["TESSERA_TEST_PREPARE"] = resolve(values.prepare);
const problems: string[] = [];
try {
  await bundleProgram(directory);
  await tryAll();
} catch (error) {
  problems.push((error as Error).message);
} finally {
  await dropFreshDatabases();
  rmSync(directory, { recursive: true, force: true });
}
for (const problem of problems) say(`FAILED ${problem}`);
say(problems.length === 0 ? "all of it is as on PostgreSQL 18" : `${problems.length} of it failed`);
process.exit(problems.length === 0 ? 0 : 1);

async function tryAll(): Promise<void> {
  const { version, features, takesOptions } = await probe(url);
  say(version);
  for (const [name, found] of Object.entries(features)) say(`  ${name.padEnd(30)} ${found}`);
  const refusal = await startOnce();
  // Without a successful start there is nothing more to try.
  if (refusal !== undefined) return void problems.push(`the start: ${refusal}`);
  const whole = takesOptions ? {} : { TESSERA_TEST_WHOLE_DATABASES: "1" };
  const env = { ...process.env, TESSERA_TEST_POSTGRES: url, ...whole };
  run("the storage contract", ["npx", "vitest", "run", ...CONTRACT, "-t", "^(?!sqlite)"], env);
  if (seconds > 0) {
    run(
      `a history of ${seconds} s`,
      [process.execPath, "test/history/run.ts", "--seconds", `${seconds}`, "--url", url],
      env,
    );
  }
  if (benchSeconds > 0)
    for (const line of await benchmark(await freshWholeDatabaseUrl(url), benchSeconds)) say(`  ${line}`);
}

/** Starts a server on an empty database, and prints what it says of it. @returns why it does not start */
async function startOnce(): Promise<string | undefined> {
  const database = await freshWholeDatabaseUrl(url);
  try {
    const server = await startServer({ database });
    const lines = server.stdout.split("\n").filter((line) => /"level":40/.test(line));
    for (const line of lines) say(`  the log: ${(JSON.parse(line) as { msg: string }).msg}`);
    await server.stop();
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return /^tessera: (.*)$/m.exec(message)?.[1] ?? message;
  }
}

function run(what: string, [command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): void {
  say(what);
  if (spawnSync(command, args, { stdio: "inherit", env }).status !== 0) problems.push(what);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
