import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { findEntry } from "./client/index.ts";
import { buildProgram } from "./program.ts";

const root = resolve(import.meta.dirname, "../..");

/** The executable of this checkout, as a shell finds it that knows nothing of the Node.js that it brings. */
function tessera(args: readonly string[], nodeOptions = "") {
  const env = { PATH: "/usr/bin:/bin", NODE_OPTIONS: nodeOptions, TESSERA_DATA_DIR: temporaryDirectory() };
  const options = { encoding: "utf8", env, cwd: temporaryDirectory(), timeout: 60_000 } as const;
  return spawnSync(join(root, "node_modules/.bin/tessera"), args, options);
}

it("a checkout has the executable, on its own Node.js, wherever it is started", () => {
  expect(tessera(["--version"])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^tessera \d+\.\d+\.\d+\n$/),
  });
});

it("every command is listed, and explains its options", () => {
  const list = tessera(["--help"]);
  expect([list.status, list.stderr]).toEqual([0, ""]);
  for (const command of buildProgram().commands) {
    const name = command.name();
    expect(list.stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    // Commands for people are tested in test/cli.
    if (findEntry(name) !== undefined) continue;
    expect(tessera([name, "--help"])).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining("--data-dir"),
    });
  }
});

it("a command line that says something unknown is refused in one line with exit code 2", () => {
  const cases: [string[], string][] = [
    [["unknown"], 'unknown command "unknown"; run tessera --help'],
    [["--unknown"], 'unknown command "--unknown"'],
    [["reset-bootstrap", "--databse", "x"], "unknown option '--databse' (Did you mean --database?)"],
    [["reset-bootstrap", "x"], "too many arguments for 'reset-bootstrap'"],
    [
      ["reset-bootstrap", "--database"],
      "option '--database <URL>' argument missing; run tessera reset-bootstrap --help",
    ],
    [["reset-bootstrap", "--database", "--config"], "--database requires a value"],
    [["reset-bootstrap", "--data-dir", "a", "--data-dir", "b"], "--data-dir is set twice"],
    [["reset-bootstrap", "--database", "mysql://x"], "is not a database"],
  ];
  for (const [args, text] of cases) {
    const { status, stdout, stderr } = tessera(args);
    expect([args, status, stdout, stderr]).toEqual([args, 2, "", expect.stringContaining(text)]);
    expect(stderr).toMatch(/^tessera: [^\n]+\n$/);
  }
});

it("options of the server that have no value are taken by the commands too", () => {
  for (const args of [
    ["backup", "-", "--allow-insecure"],
    ["audit", "verify", "--allow-insecure"],
  ]) {
    const { status, stderr } = tessera(args);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^tessera: database [^\n]+ not found\. Check --database and --data-dir\n$/),
    ]);
  }
});

it("help and version load nothing of the server", () => {
  const hook = join(temporaryDirectory(), "hook.mjs");
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module";
     registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context); } });`,
  );
  for (const args of [["--help"], ["reset-bootstrap", "--help"], ["tag", "list", "--help"], ["--version"]]) {
    const { stderr, status } = tessera(args, `--import=${hook}`);
    const loaded = stderr.trim().split("\n");
    expect(status).toBe(0);
    expect(loaded).toContainEqual(expect.stringContaining("/src/cli/run.ts"));
    expect(loaded.filter((url) => /fastify|kysely|pino|\/pg\/|app\.ts|storage\/(?!postgres\/hosts)/.test(url))).toEqual(
      [],
    );
  }
});
