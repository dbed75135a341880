/** `tessera upgrade --check`, as an operator runs it before an upgrade. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { emptyPlace, tessera } from "../../test/backup/command.ts";
import { readFixture, restore } from "../../test/upgrades/fixture.ts";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { storeMethodAsBefore } from "../../test/support/earlier-method.ts";
import { createSigningKey } from "../../test/support/key-server.ts";
import { writeEarlierPolicy } from "../../test/support/earlier-policy.ts";
import { startServer } from "../../test/support/server.ts";
import { openForTest } from "../../test/support/storage.ts";
import { byTheServer } from "../storage/writes/recorded.ts";

vi.setConfig({ testTimeout: 60_000 });

forEachEngine((engine) => {
  test("incidents 77 and 89: it and a start name the policies and auth methods that would decide otherwise once they are written again", async () => {
    const place = await emptyPlace(engine);
    const options = { database: place.database, dataDir: place.dataDir };
    const first = await startServer(options);
    const Config = { JWTValidationPubKeys: [createSigningKey("k").publicKey], JWTSupportedAlgs: ["RS256"] };
    const made = await fetch(`${first.url}/v1/acl/auth-method`, {
      method: "PUT",
      headers: { "x-consul-token": first.token },
      body: JSON.stringify({ Name: "wide", Type: "jwt", Config }),
    });
    expect(made.status).toBe(200);
    await first.kill({ keepData: true });
    const db = await openForTest(place.database, { dataDir: place.dataDir });
    await writeEarlierPolicy(byTheServer(db), "loud", 'acl = "Write"');
    await writeEarlierPolicy(byTheServer(db), "sound", 'acl = "write"');
    await storeMethodAsBefore(byTheServer(db), "wide");
    await db.close();
    const lines = [
      "1 policy keeps its earlier meaning and decides differently after it is saved again (see docs/rules.md): " +
        "default/default/loud (acl: write becomes nothing)",
      "1 auth method uses the earlier format and would reject more logins after its Config is saved again (see docs/api/auth-methods.md): " +
        "default/default/wide (JWTSupportedAlgs would also apply to its keys)",
    ];
    const checked = await tessera("upgrade", "--check", ...place.where);
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining(`\n${lines.join("\n")}\n`)]);
    const server = await startServer(options);
    try {
      for (const line of lines) await expect.poll(() => server.stdout, { timeout: 30_000 }).toContain(line);
    } finally {
      await server.kill();
    }
  });

  test("it names the auth methods also of a database that an older version left, and finds none in one of before there were any", async () => {
    const check = async (migration: string) => {
      const { database, dataDir } = await restore(engine, readFixture(engine, migration));
      return tessera("upgrade", "--check", "--database", database, "--data-dir", dataDir);
    };
    const left = await check("0005-login");
    expect([left.status, left.stderr]).toEqual([0, ""]);
    expect(left.stdout).toContain("The first startup applies 0006-login-identities");
    expect(left.stdout).toMatch(
      /auth methods use the earlier format and would reject more logins [^\n]*default\/default\/Machines \(/,
    );
    const first = await check("0004-namespaces");
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).not.toContain("auth method");
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
          /upgrade to \S+ is possible with these options\n(?:[^\n]*\n)*No schema changes\n$/,
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
        expect(stderr).toMatch(/^tessera: wrong master key for [^\n]*Set the right --key-file or --key-command\n$/);
        // The key itself is in no message.
        expect(stderr).not.toContain(readFileSync(other, "utf8").trim());
      }
      expect(await check("--datacenter", "dc2")).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("--datacenter dc2 does not match this database, which was created with dc1"),
      });
      const junk = join(temporaryDirectory(), "junk.pem");
      writeFileSync(junk, "junk\n");
      expect(await check("--tls-cert", junk, "--tls-key", junk)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("are not a valid certificate and key pair"),
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
