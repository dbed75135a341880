/**
 * A million tokens in a minute, for what depends on how much there is and not on what it is, such as a start:
 * `node bench/many-tokens.ts [tokens]`. The rows are copies with other IDs, each with its proof, written past the server.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { prove, shortColumns, type Content } from "../src/storage/proofs.ts";
import { bundleProgram } from "../test/support/program.ts";
import { startServer } from "../test/support/server.ts";
import { describeMachine, pinned, pinSelf, residentMegabytes } from "./machine.ts";
import { format } from "./report.ts";
import { call } from "./seed.ts";

const ROUNDS = 5;
const count = Number(process.argv[2] ?? 1_000_000);

/** Copies the token so often. Its copies are found by no secret. */
function copyToken(file: string, accessor: string): void {
  const db = new DatabaseSync(file);
  const columns = shortColumns("tokens");
  const row = db.prepare("select * from tokens where accessor_id = ?").get(accessor) as unknown as Content<"tokens">;
  const insert = db.prepare(`insert into tokens (${columns.join()}) values (${columns.map(() => "?").join()})`);
  db.exec("pragma synchronous = off; begin");
  for (let made = 0; made < count; made += 1) {
    const [accessor_id, secret_lookup] = [randomUUID(), randomUUID()];
    const copy = prove("tokens", { ...row, accessor_id, secret_lookup, description: `copy ${made}` });
    insert.run(...columns.map((column) => copy[column]));
  }
  db.exec("commit; pragma wal_checkpoint(truncate)");
  db.close();
}

pinSelf(1);
const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
try {
  await bundleProgram(directory);
  const options = { wrapper: pinned(0), dataDir: join(directory, "data"), outputFile: join(directory, "server.log") };
  const first = await startServer(options);
  const { token } = first;
  const made = await call({ url: first.url, token }, "PUT", "/v1/acl/token", { Description: "the first of many" });
  await first.stop();
  copyToken(join(directory, "data/tessera.db"), (made as { AccessorID: string }).AccessorID);
  const times: number[] = [];
  let resident = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const server = await startServer(options);
    await call({ url: server.url, token }, "GET", "/v1/acl/token/self");
    times.push((performance.now() - began) / 1000);
    resident = residentMegabytes(server.pid);
    await server.kill({ keepData: true });
  }
  const [best, worst] = [Math.min(...times), Math.max(...times)];
  process.stdout.write(`${describeMachine()}
start to first answer with ${count.toLocaleString("en-US")} tokens: ${format(best)} s at best, ${format(worst)} s at worst
resident memory after it: ${format(resident)} MB
`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
