/** The work of a user at a shell, beside a real server: how commands end. Parts of IDs and edits: src/cli/client/by-hand.test.ts. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering } from "../support/answering.ts";
import { asProcess, command } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { programFile } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";

forEachEngine((_engine, makeUrl) => {
  describe("by hand", () => {
    let server: RunningServer;
    let env: Record<string, string>;

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      env = {
        HOME: temporaryDirectory(),
        TESSERA_ADDR: server.url,
        TESSERA_TOKEN: server.token,
        PATH: "/usr/bin:/bin",
      };
    });
    afterAll(async () => server.stop());

    it("a reader that goes and a full disk end each command without a stack", async () => {
      const run = (line: string) => {
        const told = spawnSync("/bin/bash", ["-c", line], { env, encoding: "utf8" });
        return { stdout: told.stdout, stderr: told.stderr };
      };
      const tessera = `"${process.execPath}" "${programFile()}"`;
      for (const words of [
        "--help",
        "help policy",
        "serve --help",
        "--version",
        "policy list",
        "policy list -o json",
        "audit verify --help",
      ]) {
        // The pipe has no reader from the beginning.
        expect([words, run(`${tessera} ${words} | true; echo "$\{PIPESTATUS[0]}"`)]).toEqual([
          words,
          { stdout: "0\n", stderr: "" },
        ]);
        const full = run(`${tessera} ${words} > /dev/full; echo $?`);
        expect([words, full]).toEqual([words, { stdout: "1\n", stderr: "tessera: no space left on device\n" }]);
      }
    });

    it("signals end a command with 128 and their number, also one that waits", async () => {
      let isAsked: (() => void) | undefined;
      const waiting = await answering(() => isAsked?.());
      for (const [signal, code, word] of [
        ["SIGINT", 130, "interrupted"],
        ["SIGTERM", 143, "terminated"],
      ] as const) {
        const asked = new Promise<void>((resolve) => (isAsked = resolve));
        const child = spawn(process.execPath, [programFile(), "policy", "list"], { env: { ...env, ...waiting } });
        let stderr = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
        await asked;
        child.kill(signal);
        const [status] = (await once(child, "close")) as [number | null];
        expect([status, stderr]).toEqual([code, `tessera: ${word}\n`]);
      }
    });

    it("a write that is refused says where in the rules the fault is, and what would be right", async () => {
      const rules = join(mkdtempSync(join(temporaryDirectory(), "rules-")), "bad.hcl");
      writeFileSync(rules, 'key "a" {\n  policy = "read"\n}\nkey "b" { policy = "writ" }\n');
      const { code, stderr } = await asProcess(["policy", "create", "bad", "--rules", `@${rules}`], env);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^tessera: Invalid key policy: [^\n]+\n {2}Rules 4:20: [^\n]+; expected "read", "list", "write" or "deny"\n/,
      );
      expect(readdirSync(join(rules, ".."))).toEqual(["bad.hcl"]);
      // A finding without a place is said once.
      const rule = ["binding-rule", "create", "--auth-method", "none", "--bind-type", "role", "--bind-name", "x"];
      const refused = await command(rule, { env });
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/^tessera: cannot find auth method [^\n]+\n {2}request \S+\n$/),
      ]);
    });
  });
});
