import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";

const script = resolve(import.meta.dirname, "../../.ci/run");

/** A checkout in which every step succeeds at once and runs no test. */
function hollowCheckout(): string {
  const directory = temporaryDirectory();
  for (const folder of [".ci", "bin", "test/clients/go-tfe", "node_modules/.bin"]) {
    mkdirSync(join(directory, folder), { recursive: true });
  }
  copyFileSync(script, join(directory, ".ci/run"));
  writeFileSync(join(directory, "test/clients/go-tfe/go.mod"), "module hollow\n\ngo 1.21\n");
  for (const command of ["npm", "go", "strace", "update-ca-certificates", "apt-get"]) {
    const path = join(directory, "bin", command);
    writeFileSync(path, '#!/bin/sh\n[ "$1" = env ] && echo go1.99.0\nexit 0\n');
    chmodSync(path, 0o755);
  }
  const count = join(directory, "node_modules/.bin/node");
  writeFileSync(count, "#!/bin/sh\necho 0 0\n");
  chmodSync(count, 0o755);
  return directory;
}

test("incident 37: a run in which no test ran fails, and its last line says so", () => {
  const directory = hollowCheckout();
  const run = spawnSync("bash", [join(directory, ".ci/run")], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(directory, "bin")}:${process.env["PATH"] ?? ""}` },
  });
  expect(run.status).toBe(1);
  expect(run.stdout.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
});

test("the minimum of .ci/run is near what there is", () => {
  const minimum = Number(/TESSERA_CI_MINIMUM:-(\d+)/.exec(execFileSync("cat", [script], { encoding: "utf8" }))?.[1]);
  expect(minimum).toBeGreaterThanOrEqual(1800);
});
