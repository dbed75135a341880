/** A command beside a server of another version. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVersion } from "../../src/config/version.ts";
import { asProcess } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { programFile } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const own = readVersion();
const [major = 0, minor = 0, patch = 0] = own.split(".").map(Number);
const NEWER = `${major}.${minor + 1}.0`;

/** The program as it is bundled for this run, as a package of another version has it. */
function programOf(version: string): string {
  const directory = temporaryDirectory();
  cpSync(dirname(programFile()), join(directory, "dist"), { recursive: true });
  const manifest = readFileSync(join(dirname(programFile()), "../package.json"), "utf8");
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...JSON.parse(manifest), version }));
  return join(directory, "dist/main.js");
}

forEachEngine((_engine, makeUrl) => {
  describe("a command", () => {
    let newer: RunningServer;
    let mended: RunningServer;
    let older: RunningServer;
    beforeAll(async () => {
      newer = await startServer({ database: await makeUrl(), entry: programOf(NEWER) });
      older = await startServer({ database: await makeUrl(), entry: programOf("0.0.9") });
      mended = await startServer({ database: await makeUrl(), entry: programOf(`${major}.${minor}.${patch + 1}`) });
    });
    afterAll(async () => {
      await newer.stop();
      await mended.stop();
      await older.stop();
    });

    const env = ({ url, token }: RunningServer) => ({
      HOME: temporaryDirectory(),
      TESSERA_ADDR: url,
      TESSERA_TOKEN: token,
    });
    const said = `The server is newer (${NEWER}) than this command (${own}). Some features may not work.\n`;

    it("says once that the server is newer, however much it asks, and still does what it should", async () => {
      const report = await asProcess(["access", "report", "-o", "name"], env(newer));
      expect(report).toMatchObject({ code: 0, stderr: said, stdout: expect.stringContaining("-") });
      const refused = await asProcess(["policy", "get", "missing"], env(newer));
      expect(refused).toMatchObject({ code: 3, stdout: "" });
      expect(refused.stderr.startsWith(`${said}tessera: `)).toBe(true);
    });

    it("says the same of one that is older, also where what it asks for is not there", async () => {
      const ended = await asProcess(["api", "readPolicy", "--path", "id=missing"], env(older));
      expect(ended.stderr).toContain(`The server is older (0.0.9) than this command (${own})`);
    });

    it("says nothing of it with --quiet, of a version that only mends, and where a shell completes", async () => {
      expect(await asProcess(["policy", "list", "-q"], env(newer))).toMatchObject({ code: 0, stderr: "" });
      expect(await asProcess(["policy", "list"], env(mended))).toMatchObject({ code: 0, stderr: "" });
      expect(await asProcess(["__complete", "--", "policy", "get", ""], env(newer))).toMatchObject({ stderr: "" });
    });
  });
});
