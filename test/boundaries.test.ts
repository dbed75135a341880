import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "./support/engines.ts";

const repository = resolve(import.meta.dirname, "..");

/** A file, what it holds, and the rule that refuses it; without a rule it must pass. */
const cases: readonly [path: string, text: string, rule?: string][] = [
  ["src/tags/store.ts", 'import "../http/server.ts";', "no-restricted-imports"],
  ["src/projects/store.ts", 'import "fastify";', "no-restricted-imports"],
  ["src/runs/store.ts", 'import { insertTag } from "../tags/store.ts"; insertTag();', "no-restricted-imports"],
  ["src/runs/names.ts", 'import { findTag } from "../tags/store.ts"; findTag();'],
  ["src/runs/all.ts", 'import * as tags from "../tags/store.ts"; tags.findTag();', "no-restricted-imports"],
  [
    "src/teams/names.ts",
    'import { deleteLinks } from "../workspaces/list-store.ts"; deleteLinks();',
    "no-restricted-imports",
  ],
  ["src/workspaces/list-store.ts", 'import "fastify";', "no-restricted-imports"],
  ["src/acl/roles/store.ts", 'import type {} from "../../errors.ts";'],
  [
    "src/acl/roles/service.ts",
    'import { updateToken } from "../tokens/store.ts"; updateToken();',
    "no-restricted-imports",
  ],
  ["src/acl/policies/service.ts", 'import { findToken } from "../tokens/store.ts"; findToken();'],
  [
    "src/acl/policies/builtin.ts",
    'import { writeTokens } from "../tokens/store.ts"; writeTokens.insert();',
    "no-restricted-imports",
  ],
  [
    "src/acl/authorize.ts",
    'import { removeTokens } from "./tokens/store.ts"; removeTokens();',
    "no-restricted-imports",
  ],
  ["src/tags/service.ts", 'import type {} from "./store.ts"; import type {} from "../workspaces/service.ts";'],
  ["src/projects/service.ts", 'import type {} from "../http/jsonapi.ts";', "no-restricted-imports"],
  ["src/tags/routes.ts", 'import type {} from "./service.ts"; import type {} from "../http/jsonapi.ts";'],
  ["src/projects/routes.ts", 'import type {} from "./store.ts";', "no-restricted-imports"],
  ["src/teams/routes.ts", 'import type {} from "./list-store.ts";', "no-restricted-imports"],
  ["src/runs/routes.ts", 'import type {} from "../storage/database.ts";', "no-restricted-imports"],
  ["src/tags/names.ts", 'import type {} from "pg";', "no-restricted-imports"],
  ["src/storage/a.ts", 'import type {} from "../tags/service.ts";', "no-restricted-imports"],
  ["src/storage/b.ts", 'import type {} from "../errors.ts"; import type {} from "./sqlite/a.ts";'],
  ["src/storage/sqlite/a.ts", 'import type {} from "../../http/server.ts";', "no-restricted-imports"],
  ["src/storage/sqlite/b.ts", 'import type {} from "../b.ts"; import type {} from "node:sqlite";'],
  ["src/selectors/a.ts", 'import type {} from "node:path";', "no-restricted-imports"],
  ["src/selectors/b.ts", 'import type {} from "../errors.ts";', "no-restricted-imports"],
  ["src/selectors/c.ts", 'import type {} from "./a.ts";'],
  ["packages/client/src/a.ts", 'import type {} from "../errors.ts";', "no-restricted-imports"],
  ["packages/client/src/c.ts", 'import type {} from "node:http";', "no-restricted-imports"],
  ["packages/client/src/b.ts", 'import type {} from "./a.ts";'],
  ["packages/model/a.ts", 'import type {} from "../client/a.ts";', "no-restricted-imports"],
  ["packages/model/b.ts", 'import type {} from "node:path";', "no-restricted-imports"],
  ["packages/model/c.ts", 'import type {} from "./a.ts";'],
  ["console/src/kit/a.ts", 'import type {} from "../../../packages/model/a.ts";'],
  ["console/src/kit/b.ts", 'import type {} from "../../../packages/client/src/a.ts";', "no-restricted-imports"],
  ["src/ids.ts", "console.log(1);", "no-console"],
  ["src/errors.ts", "export default 1;", "no-default-export"],
  ["some.config.ts", "export default 1;"],
  ["src/floating.ts", "async function f(): Promise<void> {}\nf();", "no-floating-promises"],
  ["src/ring-a.ts", 'import { b } from "./ring-b.ts";\nexport const a = (): unknown => b;', "no-cycle"],
  ["src/ring-b.ts", 'import { a } from "./ring-a.ts";\nexport const b = (): unknown => a;', "no-cycle"],
  ["src/types-a.ts", 'import type { B } from "./types-b.ts";\nexport type A = B | 1;', "no-cycle"],
  ["src/types-b.ts", 'import type { A } from "./types-a.ts";\nexport type B = A[];', "no-cycle"],
];

const refusals = new Map<string, string[]>();

beforeAll(() => {
  const directory = temporaryDirectory();
  for (const file of [".oxlintrc.json", "tsconfig.json"]) copyFileSync(join(repository, file), join(directory, file));
  symlinkSync(join(repository, "node_modules"), join(directory, "node_modules"));
  for (const [path, text] of cases) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), `${text}\n`);
  }
  const oxlint = join(repository, "node_modules/.bin/oxlint");
  const run = spawnSync(oxlint, ["--format", "json"], { cwd: directory, encoding: "utf8" });
  const report = JSON.parse(run.stdout) as { diagnostics: { code: string; filename: string }[] };
  for (const { code, filename } of report.diagnostics) {
    refusals.set(filename, [...(refusals.get(filename) ?? []), code]);
  }
});

test.each(cases)("%s with %s", (path, _text, rule) => {
  const found = refusals.get(path) ?? [];
  const boundaries = found.filter((code) =>
    /no-restricted-imports|no-console|no-default-export|no-cycle|floating/.test(code),
  );
  if (rule === undefined) expect(boundaries).toEqual([]);
  else expect(boundaries.join()).toContain(rule);
});

test("rights are asked in one place", () => {
  const files = globSync("src/**/*.ts", { cwd: repository }).filter(
    (path) => !/\.test\.ts$|^src\/rights\/rules\//.test(path),
  );
  const asking = files.filter((path) =>
    /\brights\.(in|sees|visible|aclNamespaces)/.test(readFileSync(join(repository, path), "utf8")),
  );
  expect(asking).toEqual(["src/rights/authorize.ts"]);
});

/** Writes of a store that other features make: what they add or take away is counted, or noted, where it belongs. */
const WRITES_FOR_OTHERS = [
  "addToOrganizationCounts",
  "addToWorkspaceCount",
  "addUses",
  "bearTags",
  "discardNamespace",
  "dropUses",
  "noteBindingRulesChange",
  "noteDeletedLink",
  "unnoteDeletedLink",
];

test("each write of a store is refused to other features by its name, or is one of those that are for them", () => {
  const [banned = ""] =
    /(?<="importNamePattern": ")[^"]+/.exec(readFileSync(join(repository, ".oxlintrc.json"), "utf8")) ?? [];
  const writes = globSync("src/**/*store.ts", { cwd: repository }).flatMap((path) =>
    Array.from(
      readFileSync(join(repository, path), "utf8").matchAll(/^export (?:async )?function (\w+)\(\s*tx: Transaction/gm),
      ([, name = ""]) => name,
    ),
  );
  expect(writes.length).toBeGreaterThan(30);
  expect(writes.filter((name) => !new RegExp(banned).test(name)).toSorted()).toEqual(WRITES_FOR_OTHERS);
});

test("files that comments and documents name are there", () => {
  const all = globSync(["{src,test,bench,packaging}/**/*.ts", "packages/*/{*,src/**/*}.ts"], { cwd: repository });
  const files = [...all, ...globSync("console/src/**/*.ts", { cwd: repository })];
  const texts = [
    ...globSync("docs/**/*.md", { cwd: repository, exclude: ["**/node_modules/**"] }),
    "CONTRIBUTING.md",
    "README.md",
    ...all,
  ];
  const missing = texts.flatMap((path) =>
    Array.from(
      readFileSync(join(repository, path), "utf8").matchAll(/`((?:[\w-]+\/)*[\w-]+(?:\.test)?\.ts)`/g),
      ([, name = ""]) => name,
    )
      .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`) || name.includes("NNNN")))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
