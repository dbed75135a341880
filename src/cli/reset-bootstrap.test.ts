import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../../test/support/engines.ts";
import { programFile } from "../../test/support/program.ts";
import { startServer, type RunningServer } from "../../test/support/server.ts";

const MAIN = programFile();

function reset(database: string, dataDir: string) {
  const args = [MAIN, "reset-bootstrap", "--database", database, "--data-dir", dataDir];
  return spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
}

async function bootstrap(server: RunningServer): Promise<number> {
  return (await fetch(`${server.url}/v1/acl/bootstrap`, { method: "PUT" })).status;
}

it.each<Engine>(["sqlite", "postgres"])(
  "tessera reset-bootstrap lets a server be bootstrapped just once more (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const options = { database, dataDir, args: ["--bootstrap", "manual"] };
    let server = await startServer(options);
    expect([await bootstrap(server), await bootstrap(server)]).toEqual([200, 403]);
    if (engine === "sqlite") {
      // The file belongs to the running server.
      expect(reset(database, dataDir)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("another server uses "),
      });
      await server.stop();
    }
    expect(reset(database, dataDir)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Allowed a new bootstrap"),
    });
    if (engine === "sqlite") server = await startServer(options);
    expect([await bootstrap(server), await bootstrap(server)]).toEqual([200, 403]);
    await server.stop();
  },
);
