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

test("npm ci in a checkout warns of nothing, on whatever Node.js npm runs", () => {
  const folder = temporaryDirectory();
  const files = ["package.json", "package-lock.json", ".npmrc", "packages/client/package.json", "packaging/checkout"];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file), { recursive: true });
  }
  // PATH finds the machine's npm: the bundled one has nothing to warn about.
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, npm_config_update_notifier: "false" };
  const { status, stderr } = spawnSync("npm", ["ci", "--dry-run", "--offline"], { cwd: folder, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
