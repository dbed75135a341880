/** `tessera apply` as a process that does not come to its end, and two of them at once, beside a real server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asProcess, type Ended } from "../support/cli.ts";
import { writeFiles } from "../support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { programFile } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const MANY = 300;

/** Policies and a role that has the last of them, which an owner has. */
function directoryOf(owner: string): string {
  const policies = Array.from({ length: MANY }, (_, n) => `- { kind: policy, name: ${owner}-${n}, description: x }`);
  return writeFiles({
    "directory.yaml": `kind: directory\nowner: ${owner}\n`,
    "a.yaml": `${policies.join("\n")}\n- { kind: role, name: ${owner}, policies: [${owner}-${MANY - 1}] }\n`,
  });
}

/** Returns stderr without the line of each change. */
function withoutSteps(stderr: string): string {
  return stderr.replaceAll(/^\d+ of \d+: [^\n]*\n/gm, "");
}

forEachEngine((_engine, makeUrl) => {
  describe("apply", () => {
    let server: RunningServer;
    let client: Client;
    let env: Record<string, string>;

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      client = createClient({ address: server.url, token: server.token });
      env = { HOME: temporaryDirectory(), TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
    });
    afterAll(async () => server.stop());

    const madeOf = async (owner: string): Promise<number> => {
      let count = 0;
      for await (const { Name } of client.pages<{ Name: string }>("listPolicies").items())
        if (Name.startsWith(`${owner}-`)) count++;
      return count;
    };
    /** Requests that the server has answered so far and that may have written. */
    const writes = async (): Promise<number> => {
      const { body } = await client.request<string>("getMetrics");
      const counted = body.matchAll(
        /^tessera_http_requests_total\{method="(?:PUT|POST|PATCH|DELETE)",route="([^"]*)",[^}]*\} (\d+)$/gm,
      );
      return [...counted].reduce((sum, [, route, count]) => sum + (route?.endsWith("/check") ? 0 : Number(count)), 0);
    };
    const apply = (directory: string, ...more: string[]) => asProcess(["apply", directory, "--yes", ...more], env);

    /** Applies one object after the other, and does something when some are there. */
    async function interrupted(
      owner: string,
      end: (child: ReturnType<typeof spawn>, directory: string) => unknown,
      token = server.token,
    ): Promise<Ended & { directory: string }> {
      const directory = directoryOf(owner);
      const words = [programFile(), "apply", directory, "--yes", "--parallel", "1"];
      const child = spawn(process.execPath, words, {
        env: { ...env, PATH: "/usr/bin:/bin", TESSERA_TOKEN: token },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const said = { stdout: "", stderr: "" };
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
      const closed = once(child, "close") as Promise<[number | null]>;
      await expect.poll(() => madeOf(owner), { timeout: 30_000, interval: 5 }).toBeGreaterThan(5);
      await end(child, directory);
      const [code] = await closed;
      return { code: code ?? 128, ...said, directory };
    }

    /** The next run makes exactly what is left, and the one after it writes nothing. */
    async function goesOn(owner: string, directory: string): Promise<void> {
      const left = MANY + 1 - (await madeOf(owner));
      const next = await apply(directory);
      // Nobody looks on: each change has its line.
      const lines = next.stderr.split("\n");
      expect([next.code, lines.length, lines.at(-2)]).toEqual([0, left + 2, `Applied ${left} changes.`]);
      for (const [at, line] of lines.slice(0, left).entries())
        expect(line).toMatch(
          new RegExp(`^${at + 1} of ${left}: \\+ (?:policy|role) default/default/${owner}(?:-\\d+)?$`),
        );
      const before = await writes();
      const third = await apply(directory);
      expect(third).toMatchObject({ code: 0, stdout: `No changes. ${MANY + 1} objects match the files.\n` });
      expect(await writes()).toBe(before);
    }

    it("that SIGINT ends says what was done, and the next run goes on from there", async () => {
      const owner = "stopped";
      const { code, stderr, directory } = await interrupted(owner, (child) => child.kill("SIGINT"));
      const made = await madeOf(owner);
      expect(made).toBeLessThan(MANY);
      expect({ code, stderr: withoutSteps(stderr) }).toEqual({
        code: 130,
        stderr: `Applied ${made} of ${MANY + 1} changes. Run apply again to continue.\ntessera: interrupted\n`,
      });
      await goesOn(owner, directory);
    });

    it("that is killed leaves whole objects, which are the directory's, and the next run goes on from there", async () => {
      const owner = "killed";
      const { directory } = await interrupted(owner, (child) => child.kill("SIGKILL"));
      expect(await madeOf(owner)).toBeLessThan(MANY);
      const { body } = await client.request<{ Name: string; Objects: string[] }[]>("listDeclarations");
      const owned = body.find(({ Name }) => Name === owner)?.Objects ?? [];
      expect(owned).toContain(`policy default/default/${owner}-0`);
      await goesOn(owner, directory);
    });

    it("whose token ends meanwhile says what was done and that, and ends with 4", async () => {
      const owner = "expired";
      const { body: token } = await client.request<{ AccessorID: string; SecretID: string }>("createToken", {
        body: { Policies: [{ Name: "global-management" }], ExpirationTTL: "1h" },
      });
      const { code, stderr, directory } = await interrupted(
        owner,
        () => client.request("deleteToken", { path: { accessor: token.AccessorID } }),
        token.SecretID,
      );
      expect(code).toBe(4);
      expect(stderr).toContain(
        `Applied ${await madeOf(owner)} of ${MANY + 1} changes. Run apply again to continue.\nStopped at: + policy `,
      );
      expect(stderr).toMatch(/\ntessera: .*ACL not found\n {2}token from TESSERA_TOKEN; .*has expired\n/);
      await goesOn(owner, directory);
    });

    it("beside another one of the same directory stops with a clear word, and each object is made once", async () => {
      const owner = "twice";
      let other: Ended | undefined;
      const { code, stderr, directory } = await interrupted(owner, async (child, same) => {
        child.kill("SIGSTOP");
        other = await apply(same);
        child.kill("SIGCONT");
      });
      expect(other?.code).toBe(0);
      expect(withoutSteps(other?.stderr ?? "")).toMatch(/^Applied \d+ changes?\.\n$/);
      expect(code).toBe(5);
      expect(withoutSteps(stderr)).toMatch(
        /^Applied \d+ of \d+ changes\. Run apply again to continue\.\n(?:Stopped at: .*\n)?tessera: .*(?:another apply is running|has changed since the plan).*\n {2}run tessera plan again/,
      );
      expect(await madeOf(owner)).toBe(MANY);
      const before = await writes();
      expect((await apply(directory)).code).toBe(0);
      expect(await writes()).toBe(before);
    });

    it("that is interrupted at its question makes nothing", async () => {
      const directory = directoryOf("asked");
      const line = `exec "${process.execPath}" "${programFile()}" apply "${directory}"`;
      // A terminal of its own, in which Ctrl-C is a signal.
      const child = spawn("script", ["-qec", line, "/dev/null"], { env: { ...env, PATH: "/usr/bin:/bin" } });
      let shown = "";
      let isEnded = false;
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        shown += text;
        if (isEnded || !shown.includes("[y/N]")) return;
        isEnded = true;
        child.stdin.write("\u0003");
      });
      const [code] = (await once(child, "close")) as [number];
      expect(shown).toMatch(/Make these 301 changes\? \[y\/N\] [^]*tessera: interrupted\r\n$/);
      expect(code).toBe(130);
      expect(await madeOf("asked")).toBe(0);
    });

    it("a list whose token ends in the middle says after how much, and ends with 4", async () => {
      const { body: token } = await client.request<{ AccessorID: string; SecretID: string }>("createToken", {
        body: { Policies: [{ Name: "global-management" }] },
      });
      for (let n = 0; n < 600; n++)
        await client.request("createPolicy", { body: { Name: `long-${n}`, Description: "x".repeat(1000) } });
      const words = [programFile(), "policy", "list", "-o", "json"];
      const child = spawn(process.execPath, words, { env: { ...env, TESSERA_TOKEN: token.SecretID } });
      let stdout = "";
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const closed = once(child, "close") as Promise<[number]>;
      // It writes no more than a pipe takes before this reads on.
      await once(child.stdout, "readable");
      await client.request("deleteToken", { path: { accessor: token.AccessorID } });
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      const [code] = await closed;
      const shown = stdout.match(/^ {2}\{$/gm)?.length ?? 0;
      expect(shown).toBeGreaterThan(0);
      expect(() => JSON.parse(stdout) as unknown).toThrow();
      const { error } = JSON.parse(stderr) as { error: object };
      expect([code, error]).toMatchObject([
        4,
        {
          exit: 4,
          status: 403,
          hints: [`incomplete output: stopped after ${shown}`, expect.stringContaining("expired"), expect.anything()],
        },
      ]);
    });
  });
});
