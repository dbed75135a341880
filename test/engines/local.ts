/**
 * The same on a PostgreSQL of this machine, which is started for it: `node test/engines/local.ts 18|15|14 [--pooler session|transaction]
 * [--seconds 60] [--bench 5]`.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPgBouncer } from "../support/pgbouncer.ts";
import { startPostgres } from "../support/postgres.ts";
import type { PostgresVersion } from "../support/postgres-native.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pooler: { type: "string" }, seconds: { type: "string" }, bench: { type: "string" } },
});
const { pooler, ...others } = values;
const version = Number(positionals[0] ?? 18);
if (![14, 15, 18].includes(version)) throw new Error("the version is 14, 15 or 18");
if (pooler !== undefined && pooler !== "session" && pooler !== "transaction") {
  throw new Error("--pooler is session or transaction");
}
const postgres = await startPostgres({ version: version as PostgresVersion });
const between = pooler === undefined ? undefined : await startPgBouncer(postgres.url, pooler);
try {
  const url = between?.through(postgres.url) ?? postgres.url;
  const args = Object.entries(others).flatMap(([name, value]) => [`--${name}`, value]);
  const run = spawnSync(process.execPath, [join(import.meta.dirname, "run.ts"), url, ...args], { stdio: "inherit" });
  process.exitCode = run.status ?? 1;
} finally {
  await between?.stop();
  await postgres.stop("immediate");
}
