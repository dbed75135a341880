/** The commands for people as processes, beside a real server. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pageOf } from "../../src/cli/client/nouns/dev.ts";
import { asProcess, command } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { programFile } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const source = resolve(import.meta.dirname, "../../src");

forEachEngine((_engine, makeUrl) => {
  describe("a command", () => {
    let server: RunningServer;
    let client: Client;
    let env: Record<string, string>;

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl(), args: ["--impact-reason", "1"] });
      client = createClient({ address: server.url, token: server.token });
      env = {
        HOME: temporaryDirectory(),
        PATH: "/usr/bin:/bin",
        TESSERA_ADDR: server.url,
        TESSERA_TOKEN: server.token,
        TESSERA_ORGANIZATION: "acme",
      };
      const attributes = { name: "acme", email: "a@example.com" };
      await client.request("createOrganization", { body: { data: { type: "organizations", attributes } } });
    });
    afterAll(async () => server.stop());

    it("that loses a race while it edits writes nothing, shows both changes, and keeps what was written", async () => {
      const { body } = await client.request<{ ID: string }>("createPolicy", {
        body: { Name: "raced", Description: "base" },
      });
      const theirs = join(temporaryDirectory(), "theirs.json");
      writeFileSync(theirs, JSON.stringify({ Description: "theirs" }));
      // While the editor is open, somebody else writes.
      const patch = `${process.execPath} -e "fetch('${server.url}/v1/acl/policy/${body.ID}',{method:'PATCH',headers:{authorization:'Bearer ${server.token}','content-type':'application/json'},body:require('fs').readFileSync('${theirs}')}).then(r=>process.exit(r.ok?0:1))"`;
      const EDITOR = `f() { ${patch} && sed -i 's/^Description: .*/Description: mine/' "$1"; }; f`;
      const ended = await command(["policy", "edit", "raced", "--yes"], { env: { ...env, EDITOR } });
      expect(ended).toMatchObject({ code: 5, stdout: "" });
      expect(ended.stderr).toMatch(
        /Other change:\n[^]*-Description: base\n\+Description: theirs\n[^]*Your change:\n[^]*-Description: base\n\+Description: mine\n/,
      );
      const kept = /your edit was saved to (\S+)/.exec(ended.stderr)?.[1] ?? "";
      expect(readFileSync(kept, "utf8")).toContain("Description: mine");
      expect((await client.request("readPolicy", { path: { id: body.ID } })).body).toMatchObject({
        Description: "theirs",
      });
    });

    it("says before a policy is written or deleted who gains and loses what, and writes nothing to say it", async () => {
      const rules = 'key "shown" {\n  policy = "write"\n}\n';
      const { body } = await client.request<{ ID: string }>("createPolicy", { body: { Name: "shown", Rules: rules } });
      const { body: token } = await client.request<{ AccessorID: string }>("createToken", {
        body: { Description: "a reader", Policies: [{ ID: body.ID }] },
      });
      const lost = `  key shown: write → read (1 token)\n    token ${token.AccessorID} (a reader)\n`;
      const EDITOR = `sed -i 's/policy = "write"/policy = "read"/'`;
      const edited = await command(["policy", "edit", "shown", "--dry-run"], { env: { ...env, EDITOR } });
      expect(edited.code).toBe(0);
      expect(edited.stderr).toContain(`tokens: 1 lose and 0 gain permissions\n${lost}`);
      const updated = await command(["policy", "update", "shown", "--set", "Rules=", "--dry-run"], { env });
      expect(updated.stderr).toContain("  key shown: write → deny (1 token)\n");
      const deleted = await command(["policy", "delete", "shown"], { env });
      expect([deleted.code, deleted.stderr]).toEqual([
        2,
        expect.stringContaining("tokens: 1 lose and 0 gain permissions"),
      ]);
      expect((await client.request("readPolicy", { path: { id: body.ID } })).body).toMatchObject({ Rules: rules });
      const same = await command(["policy", "update", "shown", "--description", "x", "--dry-run"], { env });
      expect(same.stderr).toContain("no permissions change");
    });

    it("prompts for a reason where many lose permissions, and the audit log contains the reason", async () => {
      const rules = 'key "reasoned" {\n  policy = "write"\n}\n';
      const make = async (Name: string) => client.request("createPolicy", { body: { Name, Rules: rules } });
      const hold = async (Name: string) => client.request("createToken", { body: { Policies: [{ Name }] } });
      for (const name of ["reasoned", "stated"]) {
        await make(name);
        for (let holders = 0; holders < 2; holders++) await hold(name);
      }
      const terminal = { env, isTerminal: true };
      const canceled = await command(["policy", "delete", "reasoned"], { ...terminal, stdin: "\n" });
      expect([canceled.code, canceled.stderr]).toEqual([1, expect.stringContaining("canceled: nothing was changed")]);
      const asked = await command(["policy", "delete", "reasoned"], { ...terminal, stdin: "nötig: 42%\n" });
      expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining("Enter the reason for the audit log")]);
      const stated = ["policy", "delete", "stated", "--yes", "--reason", "cleanup"];
      expect((await command(stated, { env })).code).toBe(0);
      const query = { kind: "policy", action: "delete" };
      const records = await client.request<{ Name: string; ChangeReason?: string }[]>("listAudit", { query });
      expect(records.body.map(({ Name, ChangeReason }) => [Name, ChangeReason])).toEqual([
        ["stated", "cleanup"],
        ["reasoned", "nötig: 42%"],
      ]);
    });

    it("leaves without an error when nobody reads on", async () => {
      for (let at = 0; at < 20; at++)
        await client.request("createPolicy", {
          body: { Name: `many-${at}`, Rules: `key "${"x".repeat(100)}" { policy = "read" }` },
        });
      const line = `"${process.execPath}" "${programFile()}" api listPolicies | head -n 1; echo "$\{PIPESTATUS[0]}"`;
      const { stdout, stderr } = spawnSync("/bin/bash", ["-c", line], { env, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(stdout.trim().split("\n").at(-1)).toBe("0");
    });

    it("streams events of both families, each a line of JSON", async () => {
      const streams = [
        {
          words: ["event", "stream", "--count", "1"],
          act: () => client.request("createPolicy", { body: { Name: `event-${Math.random()}`.replace(".", "") } }),
        },
        {
          words: ["event", "organization", "--count", "1"],
          act: () =>
            client.request("createTags", {
              path: { organization_name: "acme" },
              body: { data: [{ type: "tags", attributes: { name: `t${Math.random()}`.replace(".", "") } }] },
            }),
        },
      ];
      for (const { words, act } of streams) {
        const ended = command(words, { env });
        let isOver = false;
        void ended.finally(() => (isOver = true));
        // Repeat the act: the command does not get events from before it listens.
        while (!isOver) {
          await act();
          await new Promise((next) => void setTimeout(next, 100));
        }
        expect(await ended).toMatchObject({ code: 0, stderr: "" });
        expect(JSON.parse((await ended).stdout)).toMatchObject({ data: expect.anything() });
      }
    });

    it("for support writes a bundle that holds no secret of any kind", async () => {
      const HOME = temporaryDirectory();
      const secrets = {
        context: "b1946ac9-2492-4d23-9c6f-0f1c9f1a7b11",
        jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        password: "hunter2-of-postgres",
        secret: "a-client-secret-77",
        pem: "MIGHAgEAMBMGByqGSM49",
      };
      await command(["context", "add", "other", "http://other:8500", "--token-stdin"], {
        env: { HOME },
        stdin: secrets.context,
      });
      const log = join(HOME, "server.log");
      writeFileSync(
        log,
        [
          `{"level":"info","msg":"login with ${server.token} and ${secrets.context}"}`,
          `{"authorization":"Bearer ${secrets.jwt}","database":"postgres://tessera:${secrets.password}@db/x"}`,
          `client_secret=${secrets.secret} x-token: "${secrets.secret}"`,
          `-----BEGIN PRIVATE KEY-----\n${secrets.pem}\n-----END PRIVATE KEY-----`,
          "the last line stays",
        ].join("\n"),
      );
      const file = join(HOME, "bundle.tar.gz");
      const ended = await command(["debug", file, "--log-file", log], { env: { ...env, HOME } });
      expect(ended).toMatchObject({ code: 0, stdout: `${file}\n` });
      const text = gunzipSync(readFileSync(file)).toString("utf8");
      for (const secret of [server.token, ...Object.values(secrets)]) expect(text).not.toContain(secret);
      for (const wanted of ["the last line stays", "tessera_", "TesseraVersion", '"isAnonymous": false'])
        expect(text).toContain(wanted);
      const listed = spawnSync("tar", ["-tzf", file], { encoding: "utf8" }).stdout.trim().split("\n");
      expect(listed).toEqual(
        expect.arrayContaining(["tessera-debug/settings.json", "tessera-debug/metrics.txt", "tessera-debug/log.txt"]),
      );
      expect((await command(["debug", file], { env: { ...env, HOME } })).code).toBe(2);
    });

    it("reports what everybody holds and through what, without secrets", async () => {
      await client.request("createPolicy", { body: { Name: "held", Description: "x" } });
      await client.request("createRole", { body: { Name: "holders", Policies: [{ Name: "held" }] } });
      const token = await client.request<{ AccessorID: string; SecretID: string }>("createToken", {
        body: { Description: "=cmd|calc", Roles: [{ Name: "holders" }], ServiceIdentities: [{ ServiceName: "web" }] },
      });
      const { code, stdout } = await command(["access", "report", "--csv"], { env });
      expect(code).toBe(0);
      const rows = stdout.split("\r\n").filter((row) => row.includes(token.body.AccessorID));
      expect(rows).toEqual([
        `token,${token.body.AccessorID},'=cmd|calc,default,service identity web,itself,never,never`,
        `token,${token.body.AccessorID},'=cmd|calc,default,policy held,role holders,never,never`,
      ]);
      expect(stdout).not.toContain(token.body.SecretID);
    });

    it("is completed with words, flags and names of the server, and silently without one", async () => {
      const complete = async (...words: string[]) =>
        (await asProcess(["__complete", "--", ...words], { ...env, HOME: env["HOME"] ?? "" })).stdout;
      expect(await complete("tok")).toMatch(/^token\t[^\n]+\n$/);
      expect(await complete("tag", "mer")).toMatch(/^merge\t/);
      expect(await complete("tag", "list", "--un")).toMatch(/^--unused\t/);
      expect(await complete("tag", "list", "-o", "j")).toBe("json\n");
      expect(await complete("tag", "import", "")).toBe(":files\n");
      // A machine that is busy answers the first time with nothing, and fetches for the next.
      await expect.poll(() => complete("policy", "get", "builtin/")).toBe("builtin/global-read-only\n");
      const away = await asProcess(["__complete", "--", "role", "get", ""], {
        ...env,
        TESSERA_ADDR: "http://127.0.0.1:1",
      });
      expect(away).toEqual({ code: 0, stdout: "", stderr: "" });
      for (const shell of ["bash", "zsh", "fish"])
        expect((await command(["completion", shell], { env })).stdout).toContain("tessera __complete");
    });
  });
});

it("a command for people loads nothing of the server, and of itself only what it needs", async () => {
  const hook = join(temporaryDirectory(), "hook.mjs");
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module"; import { writeSync } from "node:fs";
     registerHooks({ load: (url, context, next) => { writeSync(2, url + "\\n"); return next(url, context); } });`,
  );
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: temporaryDirectory(),
    TESSERA_ADDR: "http://127.0.0.1:1",
    NODE_OPTIONS: `--import=${hook}`,
  };
  const { stderr, status } = spawnSync(process.execPath, [join(source, "main.ts"), "tag", "list", "-O", "acme"], {
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(status).toBe(6);
  const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
  const own = loaded
    .filter((url) => url.includes("/src/") && !url.includes("/packages/client/"))
    .map((url) => url.slice(url.indexOf("/src/") + 5));
  expect(
    own.filter(
      (path) =>
        !/^(?:main\.ts|cli\/(?:run|bundled-node)\.ts|cli\/client\/|config\/version\.ts|declared\/rights\.ts)/.test(
          path,
        ),
    ),
  ).toEqual([]);
  expect(
    own.filter((path) => path.startsWith("cli/client/nouns/") && !path.startsWith("cli/client/nouns/tag")),
  ).toEqual([]);
  expect(loaded.filter((url) => /node_modules\/(?!commander|@tessera-server)/.test(url))).toEqual([]);
});

it("tessera dev opens the console, also while it is being built, and the reference where there is none", async () => {
  let answer: readonly [status: number, headers?: Record<string, string>] = [200];
  const server = createServer((_, response) => response.writeHead(...answer).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await pageOf(address)).toBe(`${address}/ui/`);
  answer = [503, { refresh: "2" }];
  expect(await pageOf(address)).toBe(`${address}/ui/`);
  for (const status of [503, 404]) {
    answer = [status];
    expect(await pageOf(address)).toBe(`${address}/docs`);
  }
});

it("tessera dev serves samples until it is interrupted, and leaves nothing behind", async () => {
  const env = { PATH: "/usr/bin:/bin", HOME: temporaryDirectory(), TMPDIR: temporaryDirectory() };
  const child = spawn(process.execPath, [programFile(), "dev"], { env });
  const closed = once(child, "close");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  await expect.poll(() => said).toMatch(/TESSERA_TOKEN_FILE=\S+/);
  const TESSERA_TOKEN_FILE = /TESSERA_TOKEN_FILE=(\S+)/.exec(said)?.[1] ?? "";
  const list = await asProcess(["workspace", "list", "-o", "name"], {
    HOME: env.HOME,
    TESSERA_ADDR: first.trim(),
    TESSERA_TOKEN_FILE,
    TESSERA_ORGANIZATION: "acme",
  });
  expect(list.stdout.split("\n")).toContain("prod-payments");
  child.kill("SIGINT");
  expect((await closed)[0]).toBe(0);
  expect(existsSync(TESSERA_TOKEN_FILE)).toBe(false);
});
