import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { programFile } from "../../test/support/program.ts";
import { startServer } from "../../test/support/server.ts";

const MAIN = programFile();

function run(command: string, args: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, command, ...args], {
    encoding: "utf8",
    env,
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

forEachEngine((_engine, makeUrl) => {
  describe("what all servers of a database must agree on", () => {
    it("is what its first server was started with; another is refused in one line that says which", async () => {
      const dataDir = temporaryDirectory();
      const database = await makeUrl();
      const args = ["--datacenter", "east", "--default-policy", "allow"];
      const first = await startServer({ database, dataDir, args });
      expect(await first.stop()).toBe(0);
      const place = ["--listen", "127.0.0.1:0", "--database", database, "--data-dir", dataDir];
      const otherKey = join(dataDir, "other-key");
      writeFileSync(otherKey, randomBytes(32).toString("base64"), { mode: 0o600 });
      const wrong: [given: string[], says: string][] = [
        [
          ["--datacenter", "west", "--default-policy", "allow"],
          "--datacenter west does not match this database, which was created with east",
        ],
        [["--datacenter", "east"], "--default-policy deny does not match this database, which was created with allow"],
        [
          [...args, "--edition", "community"],
          "--edition community does not match this database, which was created with enterprise",
        ],
        [[...args, "--key-file", otherKey], "wrong master key for this database. Set the right --key-file"],
      ];
      for (const [given, says] of wrong) {
        const { status, stderr } = run("serve", [...place, ...given]);
        expect({ status, lines: stderr.trim().split("\n").length }).toEqual({ status: 2, lines: 1 });
        expect(stderr).toContain(says);
      }
      const again = await startServer({ database, dataDir, args });
      expect(await again.stop()).toBe(0);
    });

    it("is changed by change-settings, which tells what was changed", async () => {
      const dataDir = temporaryDirectory();
      const database = await makeUrl();
      expect(await (await startServer({ database, dataDir })).stop()).toBe(0);
      const place = ["--database", database, "--data-dir", dataDir];
      const args = ["--datacenter", "west", "--default-policy", "allow"];
      const running = await startServer({ database, dataDir });
      expect(run("change-settings", [...place, ...args])).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/^tessera: .*(servers are connected: .*|another server uses .*)\n$/i) as string,
      });
      expect(await running.stop()).toBe(0);
      expect(run("change-settings", [...place, ...args])).toMatchObject({
        status: 0,
        stdout: "Changed --datacenter from dc1 to west\nChanged --default-policy from deny to allow\n",
      });
      expect(run("change-settings", [...place, ...args])).toMatchObject({ status: 0, stdout: "No changes\n" });
      expect(await (await startServer({ database, dataDir, args })).stop()).toBe(0);
      expect(run("serve", ["--listen", "127.0.0.1:0", ...place])).toMatchObject({ status: 2 });
    });
  });
});

it("of servers that start at once on an empty PostgreSQL those that disagree are refused", async () => {
  const { freshDatabaseUrl } = await import("../../test/support/postgres-schema.ts");
  const database = await freshDatabaseUrl();
  const dataDir = temporaryDirectory();
  const starts = await Promise.allSettled(
    ["a", "b", "a", "b"].map((datacenter) => startServer({ database, dataDir, args: ["--datacenter", datacenter] })),
  );
  const up = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const refused = starts.flatMap((start) => (start.status === "rejected" ? [String(start.reason)] : []));
  await Promise.all(up.map((server) => server.stop()));
  expect(up).toHaveLength(2);
  for (const reason of refused)
    expect(reason).toMatch(/--datacenter . does not match this database, which was created with ./);
});
