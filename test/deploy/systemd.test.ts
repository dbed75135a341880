import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync, chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { OPTIONS } from "../../src/config/options.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { skipWithout } from "../support/installed.ts";

const unit = resolve(import.meta.dirname, "../../deploy/systemd/tessera.service");
const text = readFileSync(unit, "utf8");
const missing =
  spawnSync("systemd-analyze", ["--version"]).status === 0
    ? undefined
    : "systemd-analyze is not installed; apt-get install systemd";

/** Exposure limit, out of 10; systemd itself calls values up to 4 OK. */
const MOST_EXPOSED = 2.5;

test("the unit is no more exposed than 2.5 of 10, as systemd counts it", (context) => {
  skipWithout(context, missing);
  const asked = spawnSync("systemd-analyze", ["security", "--offline=true", unit], { encoding: "utf8" });
  const score = /Overall exposure level for tessera\.service: ([\d.]+)/.exec(asked.stdout)?.[1];
  process.stderr.write(`systemd-analyze security: ${score} of 10\n`);
  expect(Number(score), asked.stdout + asked.stderr).toBeLessThanOrEqual(MOST_EXPOSED);
});

test("systemd finds nothing wrong with the unit", (context) => {
  skipWithout(context, missing);
  const root = temporaryDirectory();
  for (const folder of ["usr/bin", "bin", "etc/systemd/system"]) mkdirSync(join(root, folder), { recursive: true });
  for (const program of ["usr/bin/tessera", "bin/kill"]) {
    writeFileSync(join(root, program), "#!/bin/sh\n");
    chmodSync(join(root, program), 0o755);
  }
  writeFileSync(join(root, "etc/systemd/system/tessera.service"), text);
  const args = [`--root=${root}`, "--recursive-errors=no", "verify", "tessera.service"];
  const { status, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test("what the unit says on the command line are options of the program, and the key is a credential", () => {
  const [, line = ""] = /^ExecStart=(.*)$/m.exec(text) ?? [];
  const flags = [...line.matchAll(/ --([\w-]+)/g)].map(([, name]) => name);
  expect(flags.length).toBeGreaterThan(1);
  expect(OPTIONS.map(({ name }) => name)).toEqual(expect.arrayContaining(flags));
  const [, credential = ""] = /^LoadCredential=([\w-]+):\/etc\/tessera\/master-key$/m.exec(text) ?? [];
  expect(line).toContain(`--key-file \${CREDENTIALS_DIRECTORY}/${credential}`);
});
