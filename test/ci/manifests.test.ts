/** Manifests, and an installation in a checkout, as people see them. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";

const repository = resolve(import.meta.dirname, "../..");

test.each(["packaging/manifest.json", "packages/client/package.json"])(
  "%s says where its source, its home and its issues are, and in which folder it lies",
  (path) => {
    const manifest = JSON.parse(readFileSync(join(repository, path), "utf8")) as Record<string, unknown>;
    const isClient = path.startsWith("packages/");
    expect(manifest).toMatchObject({
      homepage: expect.stringMatching(/^https:\/\/.+#readme$/),
      bugs: expect.stringMatching(/^https:\/\/.+\/issues$/),
      repository: { type: "git", url: expect.stringMatching(/^git\+https:\/\/.+\.git$/) },
    });
    expect((manifest["repository"] as { directory?: string }).directory).toBe(isClient ? dirname(path) : undefined);
  },
);

/** Files that a folder needs for its own `npm ci`, by the command that the documents name. */
const INSTALLATIONS: Readonly<Record<string, readonly string[]>> = {
  ".": ["package.json", "package-lock.json", ".npmrc", "packages/client/package.json", "packaging/checkout"],
  "docs/site": ["package.json", "package-lock.json", ".npmrc"],
  "test/postgres-14": ["package.json", "package-lock.json", ".npmrc"],
  "test/spelling": ["package.json", "package-lock.json", ".npmrc"],
};

test.each(Object.keys(INSTALLATIONS))("npm ci of %s in a checkout warns of nothing, on Node.js 20 too", (place) => {
  const folder = temporaryDirectory();
  for (const file of INSTALLATIONS[place] ?? []) {
    mkdirSync(dirname(join(folder, place, file)), { recursive: true });
    cpSync(join(repository, place, file), join(folder, place, file), { recursive: true });
  }
  // PATH finds the machine's npm: the bundled one has nothing to warn about.
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, npm_config_update_notifier: "false" };
  const args = ["ci", "--dry-run", "--offline", "--prefix", join(folder, place)];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
