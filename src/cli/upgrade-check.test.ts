/** `tessera upgrade --check`, as an operator runs it before an upgrade. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { emptyPlace, tessera } from "../../test/backup/command.ts";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { writeEarlierPolicy } from "../../test/support/earlier-policy.ts";
import { startServer } from "../../test/support/server.ts";
import { openForTest } from "../../test/support/storage.ts";
import { byTheServer } from "../storage/recorded.ts";

vi.setConfig({ testTimeout: 60_000 });

forEachEngine((engine) => {
  test("incident 77: it and a start name the policies that would decide otherwise once they are written again", async () => {
    const place = await emptyPlace(engine);
    const options = { database: place.database, dataDir: place.dataDir };
    await (await startServer(options)).kill({ keepData: true });
    const db = await openForTest(place.database, { dataDir: place.dataDir });
    await writeEarlierPolicy(byTheServer(db), "loud", 'acl = "Write"');
    await writeEarlierPolicy(byTheServer(db), "sound", 'acl = "write"');
    await db.close();
    const line =
      "1 policy is read as before and decides otherwise once written again, see docs/rules.md: " +
      "default/default/loud (acl: write becomes nothing)";
    const checked = await tessera("upgrade", "--check", ...place.where);
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining(`\n${line}\n`)]);
    const server = await startServer(options);
    try {
      await expect.poll(() => server.stdout, { timeout: 30_000 }).toContain(line);
    } finally {
      await server.kill();
    }
  });

  test("says what an upgrade changes beside a running server, and refuses whatever could not follow", async () => {
    const place = await emptyPlace(engine);
    const server = await startServer({ database: place.database, dataDir: place.dataDir });
    const check = (...args: string[]) => tessera("upgrade", "--check", ...place.where, ...args);
    try {
      expect(await check()).toMatchObject({
        status: 0,
        stderr: "",
        stdout: expect.stringMatching(
          /it and these options can follow \S+\n(?:[^\n]*\n)*Nothing of the database changes\n$/,
        ),
      });
      const other = join(temporaryDirectory(), "other-key");
      writeFileSync(other, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
      for (const args of [
        ["--key-file", other],
        ["--key-command", `cat ${other}`],
      ]) {
        const { status, stdout, stderr } = await check(...args);
        expect([status, stdout]).toEqual([2, ""]);
        expect(stderr).toMatch(/^tessera: the master key is [^\n]*give the right --key-file or --key-command\n$/);
        // The key itself is in no message.
        expect(stderr).not.toContain(readFileSync(other, "utf8").trim());
      }
      expect(await check("--datacenter", "dc2")).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("--datacenter is dc2, but this database was made with dc1"),
      });
      const junk = join(temporaryDirectory(), "junk.pem");
      writeFileSync(junk, "junk\n");
      expect(await check("--tls-cert", junk, "--tls-key", junk)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("are not a certificate and its key"),
      });
      // Without the key no server starts either, and none is made.
      const keyless = join(temporaryDirectory(), "data");
      mkdirSync(keyless, { mode: 0o700 });
      const where = ["--database", place.database, "--data-dir", keyless];
      const without = await tessera("upgrade", "--check", ...where);
      expect([without.status, without.stderr]).toEqual([
        2,
        expect.stringMatching(/^tessera: [^\n]*master key[^\n]*\n$/),
      ]);
      copyFileSync(join(place.dataDir, "master-key"), join(keyless, "master-key"));
      expect(await tessera("upgrade", "--check", ...where)).toMatchObject({ status: 0, stderr: "" });
    } finally {
      await server.kill({ keepData: true });
    }
  });
});
