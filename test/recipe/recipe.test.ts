/**
 * Follows the recipe of CONTRIBUTING.md for a kind of access-control object with a made-up kind, in a copy of the
 * program: the kind's folder, its table, and the lines elsewhere that the recipe names are all that it takes.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";

const repository = resolve(import.meta.dirname, "../..");
const kind = join(import.meta.dirname, "badges");

/** Files of the kind by where the recipe has them. */
const FILES = {
  "src/storage/migrations/NNNN-name.ts": ["migration.ts.txt", "src/storage/migrations/0099-badges.ts"],
  "src/acl/<kind>/store.ts": ["store.ts.txt", "src/acl/badges/store.ts"],
  "src/acl/<kind>/service.ts": ["service.ts.txt", "src/acl/badges/service.ts"],
  "src/acl/<kind>/schema.ts": ["schema.ts.txt", "src/acl/badges/schema.ts"],
  "src/acl/<kind>/routes.ts": ["routes.ts.txt", "src/acl/badges/routes.ts"],
} as const;

/** Lines to add to existing files, each behind a line that is there. */
const EDITS: readonly [file: string, behind: string, added: string][] = [
  ["src/storage/migrations/migrate.ts", "import { foundation }", 'import { badges } from "./0099-badges.ts";'],
  ["src/storage/migrations/migrate.ts", "  proofsOnly,", "  badges,"],
  [
    "src/storage/tables/tables.ts",
    "export const TABLES = {",
    "  badges: { id: key(text), ...SCOPE, name: text, name_key: made, description: text, colors: list, ...INDEXES, ...PROOF },",
  ],
  ["src/rights/kinds.ts", "export const SCOPED_KINDS", '  { table: "badges", topic: BADGES },'],
  ["src/rights/kinds.ts", "export const TOKENS =", 'export const BADGES = "badges";'],
  ["src/v1-routes.ts", "    roleRoutes(", "    badgeRoutes(renderScope),"],
  ["src/v1-routes.ts", "import { roleRoutes }", 'import { badgeRoutes } from "./acl/badges/routes.ts";'],
];

function copyWithKind(): string {
  const directory = temporaryDirectory();
  for (const part of [
    "src",
    "packaging",
    "test/support",
    "test/run/seconds.json",
    "packages/model",
    "vitest.config.ts",
    "tsconfig.json",
    "package.json",
  ]) {
    cpSync(join(repository, part), join(directory, part), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(directory, "node_modules"));
  mkdirSync(join(directory, "src/acl/badges"));
  for (const [from, to] of [
    ...Object.values(FILES),
    ["badges.test.ts.txt", "src/acl/badges/badges.test.ts"] as const,
  ]) {
    cpSync(join(kind, from), join(directory, to));
  }
  for (const [file, behind, added] of EDITS) {
    const lines = readFileSync(join(directory, file), "utf8").split("\n");
    const at = lines.findIndex((line) => line.startsWith(behind));
    expect(at, `${file}: ${behind}`).toBeGreaterThanOrEqual(0);
    lines.splice(at + 1, 0, added);
    writeFileSync(join(directory, file), lines.join("\n"));
  }
  return directory;
}

test("the recipe names the files that it takes, and no others", () => {
  const text = readFileSync(join(repository, "CONTRIBUTING.md"), "utf8");
  const recipe = text.slice(
    text.indexOf("## Add a kind of access-control object"),
    text.indexOf("## Changing the schema"),
  );
  const steps = recipe.slice(recipe.indexOf("1. "), recipe.indexOf("7. "));
  const named = new Set(Array.from(steps.matchAll(/`([\w/<>.-]+\.ts)`/g), ([, path = ""]) => path));
  const added = [...Object.keys(FILES), ...new Set(EDITS.map(([file]) => file))];
  expect([...named].filter((path) => path !== "src/acl/kit/objects.ts").toSorted()).toEqual(added.toSorted());
});

test("with them, and nothing else, a made-up kind does what a kind does, on both engines", () => {
  const directory = copyWithKind();
  const report = join(directory, "report.json");
  const { status, stdout, stderr } = spawnSync(
    join(repository, "node_modules/.bin/vitest"),
    ["run", "src/acl/badges", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    {
      cwd: directory,
      encoding: "utf8",
      env: { ...process.env, TESSERA_TEST_REPORT: "", TESSERA_TEST_MATRIX: "1", NO_COLOR: "1" },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  const { numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as { numPassedTests: number };
  expect(numPassedTests).toBe(12);
});
