/**
 * The storage contract, and what is PostgreSQL's own, on older versions than the one that `npm test` has:
 *
 *     node test/postgres/run.ts [14] [15]
 *
 * Fails when a version is not installed, and says how to install it.
 */
import { spawnSync } from "node:child_process";
import { missingPostgres, type PostgresVersion } from "../support/postgres-native.ts";

const OLDER = ["14", "15"];
const WHAT = ["src/storage/contract", "src/storage/postgres/writer.test.ts", "src/storage/postgres/feed.test.ts"];

const versions = process.argv.length > 2 ? process.argv.slice(2) : OLDER;
for (const version of versions) {
  const missing = OLDER.includes(version)
    ? missingPostgres(Number(version) as PostgresVersion)
    : `there is no test on PostgreSQL ${version}`;
  if (missing !== undefined) {
    process.stderr.write(`PostgreSQL ${version}: ${missing}\n`);
    process.exit(1);
  }
}
for (const version of versions) {
  process.stdout.write(`PostgreSQL ${version}\n`);
  const env = { ...process.env, TESSERA_TEST_POSTGRES: "", TESSERA_TEST_POSTGRES_VERSION: version };
  const run = spawnSync("npx", ["vitest", "run", "--project", "postgres", ...WHAT], { stdio: "inherit", env });
  if (run.status !== 0) process.exit(1);
}
