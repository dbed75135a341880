/**
 * Whether backups are what they are said to be: `npm run test:drill`, or `node test/backup/drill/run.ts [--backups 10]
 * [--engine sqlite|postgres]`. Takes backups of a server under load, restores each into the one engine or the other, and ends
 * with 1 when one is no instant of what was written.
 */
import { parseArgs } from "node:util";
import { engines, removeTemporaryDirectories } from "../../support/engines.ts";
import { startPostgres } from "../../support/postgres.ts";
import { withClient } from "../../support/postgres-schema.ts";
import { drill } from "./drill.ts";

const { values } = parseArgs({
  options: { backups: { type: "string", default: "10" }, engine: { type: "string" } },
});
const backups = Number(values.backups);
const asked = engines.filter((engine) => values.engine === undefined || values.engine === engine);
if (!(backups > 0) || asked.length === 0) {
  say("--backups is a number, --engine sqlite or postgres");
  process.exit(1);
}
const postgres = await startPostgres();
const findings: string[] = [];
try {
  await withClient(postgres.url, (client) => client.query("create extension if not exists pg_trgm"));
  process.env["TESSERA_TEST_POSTGRES"] = postgres.url;
  for (const engine of asked) findings.push(...(await drill({ engine, backups, writes: 300, say })));
} finally {
  await postgres.stop("immediate");
  removeTemporaryDirectories();
}
for (const finding of findings) say(`FOUND ${finding}`);
say(findings.length === 0 ? "each backup is an instant of what was written" : `${findings.length} findings`);
process.exit(findings.length === 0 ? 0 : 1);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
