import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "./support/engines.ts";
import { startServer } from "./support/server.ts";

const repository = resolve(import.meta.dirname, "..");

/** Installs what `npm pack` would ship below a node_modules, where Node strips no types. */
function installBuiltPackage(): string {
  const modules = join(temporaryDirectory(), "node_modules");
  const installed = join(modules, "tessera");
  mkdirSync(installed, { recursive: true });
  for (const name of readdirSync(join(repository, "node_modules"))) {
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  }
  const tsc = join(repository, "node_modules/.bin/tsc");
  const options = ["-p", join(repository, "tsconfig.build.json"), "--outDir", join(installed, "dist")];
  const build = spawnSync(tsc, options, { encoding: "utf8" });
  expect(build.stdout + build.stderr).toBe("");
  copyFileSync(join(repository, "package.json"), join(installed, "package.json"));
  return installed;
}

test("the package starts from built JavaScript, workers included, and ships no tests", async () => {
  const installed = installBuiltPackage();
  const server = await startServer({ entry: join(installed, "dist/main.js") });
  const answer = await fetch(`${server.url}/readyz`);
  expect(answer.status).toBe(200);
  await answer.text();
  expect(await server.stop()).toBe(0);
  const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => file.includes(".test.") || file.endsWith(".ts"))).toEqual([]);
  expect(existsSync(join(installed, "dist/main.js"))).toBe(true);
}, 60_000);
