/**
 * A million tokens in a minute, for what depends on how much there is and not on what it is, such as a start:
 * `node bench/many-tokens.ts [tokens]`. The rows are copies with other IDs, each with its proof, written past the server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../test/support/program.ts";
import { startServer } from "../test/support/server.ts";
import { copyToken } from "./copies.ts";
import { describeMachine, pinned, pinSelf, residentMegabytes } from "./machine.ts";
import { format } from "./report.ts";
import { call } from "./seed.ts";

const ROUNDS = 5;
const count = Number(process.argv[2] ?? 1_000_000);

pinSelf(1);
const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
try {
  await bundleProgram(directory);
  const options = { wrapper: pinned(0), dataDir: join(directory, "data"), outputFile: join(directory, "server.log") };
  const first = await startServer(options);
  const { token } = first;
  const made = await call({ url: first.url, token }, "PUT", "/v1/acl/token", { Description: "the first of many" });
  await first.stop();
  copyToken(join(directory, "data/tessera.db"), (made as { AccessorID: string }).AccessorID, count);
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
