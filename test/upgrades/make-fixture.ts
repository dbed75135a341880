/**
 * Makes the fixtures of the last migration of a checkout, on both engines:
 *
 *     node test/upgrades/make-fixture.ts [--tree DIRECTORY]
 *
 * The server of that checkout, of this one when left out, is driven by HTTP, killed in the middle of its deletions, and
 * dumped. Started again it finishes them, and what it answers then is kept beside the dump. PostgreSQL is Debian's 15,
 * which is the oldest with a `pg_dump`: what it writes, newer servers read.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CLIENT } from "../support/openid-login.ts";
import { startOpenIdProvider } from "../support/openid-provider.ts";
import { findInstalledFiles } from "../support/postgres-native.ts";
import { startPostgres } from "../support/postgres.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { callerOf, FIXTURES, KEY_FILE, MANAGEMENT } from "./caller.ts";
import { dumpPostgres, dumpSqlite } from "./dump.ts";
import { readAll } from "./read-back.ts";
import { deleteSome, writeHistory } from "./write-history.ts";

const { values } = parseArgs({ options: { tree: { type: "string", default: join(import.meta.dirname, "../..") } } });
const tree = resolve(values.tree);
const { MIGRATIONS } = (await import(join(tree, "src/storage/migrations/migrate.ts"))) as {
  MIGRATIONS: { name: string }[];
};
/** The youngest one: it is not the last that is applied. */
const name =
  MIGRATIONS.map((migration) => migration.name)
    .toSorted()
    .at(-1) ?? "";
const known = Number(name.slice(0, 4));
/** Within so long whoever removes what hangs on a deleted object has begun, and holds its lease. */
const BEGUN_MS = 2500;
/** Long enough for the deletions of what was written, by any version. */
const SETTLED_MS = 6000;

async function make(database: string, dump: () => string, file: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "tessera-fixture-"));
  copyFileSync(KEY_FILE, join(dataDir, "master-key"));
  const args = ["--initial-management-token", MANAGEMENT];
  if (known >= 5) args.push("--outbound-allow", "127.0.0.0/8");
  const start = (): Promise<RunningServer> =>
    startServer({ database, dataDir, entry: join(tree, "src/main.ts"), cwd: tree, args });
  const provider = await startOpenIdProvider({ clients: [CLIENT] });
  try {
    const server = await start();
    const written = await writeHistory(callerOf(server.url), known, provider);
    await sleep(BEGUN_MS);
    await deleteSome(callerOf(server.url), known);
    await server.kill({ keepData: true });
    writeFileSync(`${file}.sql`, dump());
    const again = await start();
    await sleep(SETTLED_MS);
    const answers = await readAll(again.url, known, written);
    await again.stop();
    writeFileSync(`${file}.json`, `[\n${answers.map((answer) => JSON.stringify(answer)).join(",\n")}\n]\n`);
    process.stdout.write(
      `${file}: ${answers.length} answers, ${answers.filter(({ status }) => status > 299).length} refused\n`,
    );
  } finally {
    await provider.stop();
    rmSync(dataDir, { recursive: true });
  }
}

const directory = mkdtempSync(join(tmpdir(), "tessera-fixture-"));
const path = join(directory, "tessera.db");
await make(`sqlite:${path}`, () => dumpSqlite(path), join(FIXTURES, `${name}.sqlite`));
rmSync(directory, { recursive: true });
const postgres = await startPostgres({ version: 15 });
try {
  const bin = join(findInstalledFiles(15), "bin");
  await make(postgres.url, () => dumpPostgres(bin, postgres.url), join(FIXTURES, `${name}.postgres`));
} finally {
  await postgres.stop();
}
