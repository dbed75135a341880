/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the program: a text member of policies, a member of a link, and a made-up kind of
 * access-control object with its command, its declared files, its screens and a made-up kind of rules. The files and lines that
 * the recipes name are all that they take.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { DIRECTORY_VARIABLE } from "../support/directory.ts";
import { temporaryDirectory } from "../support/engines.ts";

const repository = resolve(import.meta.dirname, "../..");

/** Files by where the recipe has them: the file of the test, and its path in the copy. */
type Files = Readonly<Record<string, readonly [from: string, to: string]>>;

/** Lines to add to existing files, each behind a line that is there; one that begins as that line does takes its place. */
type Edits = readonly (readonly [file: string, behind: string, added: string])[];

interface Recipe {
  readonly title: string;
  /** Folder of the test that has the files. */
  readonly folder: string;
  readonly files: Files;
  readonly edits: Edits;
  /** Tests that the copy runs. */
  readonly tests: Files;
}

const MIGRATION = "src/storage/migrations/NNNN-name.ts";

const FIELD: Recipe = {
  title: "## Add a text member",
  folder: "contact",
  files: { [MIGRATION]: ["migration.ts.txt", "src/storage/migrations/0098-contact.ts"] },
  edits: [
    ["src/storage/migrations/migrate.ts", "import { foundation }", 'import { contact } from "./0098-contact.ts";'],
    ["src/storage/migrations/migrate.ts", "  proofsOnly,", "  contact,"],
    ["src/storage/tables/tables.ts", "  policies: {", "    contact: unproven(text),"],
    ["src/storage/tables/tables.ts", "import { TAG_TABLES }", 'import { unproven } from "./column.ts";'],
    ["packages/model/text-members.ts", "  policy: [", "  policy: [DESCRIPTION, CONTACT],"],
    [
      "packages/model/text-members.ts",
      "} as const satisfies TextMember;",
      'const CONTACT = { wire: "Contact", flag: "contact", help: "Contact.", label: "Contact" } as const;',
    ],
  ],
  tests: { test: ["contact.test.ts.txt", "src/acl/policies/contact.test.ts"] },
};

const KIND: Recipe = {
  title: "## Add a kind of access-control object",
  folder: "badges",
  files: {
    [MIGRATION]: ["migration.ts.txt", "src/storage/migrations/0099-badges.ts"],
    "src/acl/<kind>/store.ts": ["store.ts.txt", "src/acl/badges/store.ts"],
    "src/acl/<kind>/service.ts": ["service.ts.txt", "src/acl/badges/service.ts"],
    "src/acl/<kind>/schema.ts": ["schema.ts.txt", "src/acl/badges/schema.ts"],
    "src/acl/<kind>/routes.ts": ["routes.ts.txt", "src/acl/badges/routes.ts"],
    "src/cli/client/nouns/<kind>.ts": ["noun.ts.txt", "src/cli/client/nouns/badge.ts"],
    "console/src/texts/<kind>.ts": ["texts.ts.txt", "console/src/texts/badges.ts"],
    "console/src/screens/<kind>/named.ts": ["named.ts.txt", "console/src/screens/badges/named.ts"],
    "console/src/screens/<kind>/kind.tsx": ["kind.tsx.txt", "console/src/screens/badges/kind.tsx"],
    "console/src/screens/<kind>/pages.tsx": ["pages.tsx.txt", "console/src/screens/badges/pages.tsx"],
    "console/src/screens/<kind>/screen.ts": ["screen.ts.txt", "console/src/screens/badges/screen.ts"],
  },
  edits: [
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
    ["packages/model/text-members.ts", "  role: [", "  badge: [DESCRIPTION],"],
    [
      "src/cli/client/index.ts",
      "export const ENTRIES",
      '  { name: "badge", summary: "Badges: list, create and delete.", group: RIGHTS, load: () => import("./nouns/badge.ts") },',
    ],
    ["src/cli/client/spec.ts", "export type Completion =", '  | "badge"'],
    ["src/cli/client/completion/names.ts", "const SOURCES", '  badge: { operation: "listBadges", value: "Name" },'],
    ["src/declared/kinds.ts", "export type KindName =", '  | "badge"'],
    [
      "src/declared/kinds.ts",
      '  { name: "tag", plural: "tags"',
      `  { name: "badge", plural: "badges", home: "namespace", named: "name", members: { ...textsOf("badge"), colors: member("Colors", "texts") } },`,
    ],
    ["src/declared/live.ts", "  role: { list:", '  badge: { list: "listBadges", id: "ID", parameter: "id" },'],
    ["console/src/screens/all.ts", "import { ROLES }", 'import { BADGES } from "./badges/screen.ts";'],
    ["console/src/screens/all.ts", "  ROLES,", "  BADGES,"],
    ["console/src/app/areas.ts", '      { noun: "roles" },', '      { noun: "badges" },'],
    ["console/src/kit/records.tsx", "const SCOPED:", '  badge: "badges",'],
    ["packages/model/rule-kinds.ts", "export const LABELLED = [", '  "badge",'],
    ["packages/model/rule-kinds.ts", "export const MATRIX_RESOURCES", '  "badge",'],
  ],
  tests: {
    api: ["badges.test.ts.txt", "src/acl/badges/badges.test.ts"],
    programs: ["programs.test.ts.txt", "src/acl/badges/programs.test.ts"],
  },
};

const LINK: Recipe = {
  title: "## Add a member of a link",
  folder: "rack",
  files: {},
  edits: [
    ["src/acl/grants.ts", "export interface NodeIdentity {", "  rack?: string;"],
    [
      "src/acl/kit/schema.ts",
      "      Type.Object({ NodeName: optionalText,",
      '      Type.Object({ NodeName: optionalText, Datacenter: optionalText, Rack: optionalText }, { title: "NodeIdentityBody" }),',
    ],
    [
      "src/acl/kit/schema.ts",
      "    nodeIdentities: (body.NodeIdentities ?? []).map(({",
      '    nodeIdentities: (body.NodeIdentities ?? []).map(({ NodeName = "", Datacenter = "", Rack = "" }) => ({',
    ],
    ["src/acl/kit/schema.ts", "      nodeName: NodeName,", '      ...(Rack !== "" && { rack: Rack }),'],
    [
      "src/acl/kit/render.ts",
      "      nodeIdentities.map(({",
      "      nodeIdentities.map(({ nodeName, datacenter, rack }) => ({ NodeName: nodeName, Datacenter: datacenter, Rack: rack })),",
    ],
    [
      "src/acl/kit/answer-schema.ts",
      "    Type.Array(Type.Object({ NodeName: text,",
      '    Type.Array(Type.Object({ NodeName: text, Datacenter: text, Rack: Type.Optional(text) }, { title: "NodeIdentity" })),',
    ],
    [
      "src/declared/kinds.ts",
      '    list: { "node-name": text(',
      '    list: { "node-name": text("NodeName"), datacenter: text("Datacenter"), rack: text("Rack") },',
    ],
  ],
  tests: { test: ["rack.test.ts.txt", "src/acl/roles/rack.test.ts"] },
};

const RECIPES = [FIELD, LINK, KIND];

/** The parts of vitest's report that are read. */
interface Report {
  readonly testResults: readonly { name: string; assertionResults: readonly { status: string }[] }[];
}

/** Parts of the repository that the copy has. */
const PARTS = [
  "src",
  "console",
  "packaging",
  "packages",
  "test/support",
  "test/run/seconds.json",
  "vitest.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/** A copy of the program. */
function copyProgram(): string {
  const directory = temporaryDirectory();
  for (const part of PARTS) cpSync(join(repository, part), join(directory, part), { recursive: true });
  linkPackages(directory);
  return directory;
}

/** Adds the files and lines of a recipe to a copy. */
function follow(directory: string, { folder, files, edits, tests }: Recipe): void {
  for (const [from, to] of [...Object.values(files), ...Object.values(tests)]) {
    mkdirSync(dirname(join(directory, to)), { recursive: true });
    cpSync(join(import.meta.dirname, folder, from), join(directory, to));
  }
  for (const [file, behind, added] of edits) {
    const lines = readFileSync(join(directory, file), "utf8").split("\n");
    const at = lines.findIndex((line) => line.startsWith(behind));
    expect(at, `${file}: ${behind}`).toBeGreaterThanOrEqual(0);
    if (added.startsWith(behind)) lines[at] = added;
    else lines.splice(at + 1, 0, added);
    writeFileSync(join(directory, file), lines.join("\n"));
  }
}

/** The packages of the repository; the client is that of the copy, whose operations are its own. */
function linkPackages(directory: string): void {
  const [from, to] = [join(repository, "node_modules"), join(directory, "node_modules")];
  mkdirSync(join(to, "@tessera-server"), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== "@tessera-server" && name !== ".cache") symlinkSync(join(from, name), join(to, name));
  }
  symlinkSync(join(directory, "packages/client"), join(to, "@tessera-server/client"));
}

/** Runs a program of the copy. @returns its output, for a failure */
function run(directory: string, program: string, args: readonly string[]): string {
  // The document and the empty databases of this run are not those of the copy.
  const { [DIRECTORY_VARIABLE]: _directory, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(join(repository, "node_modules/.bin", program), args, {
    cwd: directory,
    encoding: "utf8",
    env: { ...environment, TESSERA_TEST_REPORT: "", TESSERA_TEST_MATRIX: "1", NO_COLOR: "1" },
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

/** Number of passed tests of each recipe, by its title. */
const passed = new Map<string, number>();
let directory: string;

/** One copy and one run for all recipes: no two of them change the same line. The client is generated for the kind alone. */
beforeAll(() => {
  directory = copyProgram();
  follow(directory, KIND);
  run(directory, "node", ["packages/client/generate.ts"]);
  for (const recipe of [FIELD, LINK]) follow(directory, recipe);
  const report = join(directory, "report.json");
  const pathsOf = ({ tests }: Recipe) => Object.values(tests).map(([, path]) => path);
  const files = RECIPES.flatMap(pathsOf);
  run(directory, "vitest", ["run", ...files, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  for (const recipe of RECIPES) {
    const own = testResults.filter(({ name }) => pathsOf(recipe).some((path) => name.endsWith(path)));
    const statuses = own.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
    passed.set(recipe.title, statuses.filter((status) => status === "passed").length);
  }
}, 600_000);

test.each(RECIPES)("$title of CONTRIBUTING names the files that it takes, and no others", (recipe) => {
  const text = readFileSync(join(repository, "CONTRIBUTING.md"), "utf8");
  const [, after = ""] = text.split(`${recipe.title}\n`);
  const steps = after.split("\n## ")[0] ?? "";
  const ofSteps = steps.slice(steps.indexOf("1. ")).split("Not counted")[0] ?? "";
  const named = new Set(Array.from(ofSteps.matchAll(/`([\w/<>.-]+\.tsx?)`/g), ([, path = ""]) => path));
  const taken = [...Object.keys(recipe.files), ...new Set(recipe.edits.map(([file]) => file))];
  expect([...named].toSorted()).toEqual(taken.toSorted());
});

test("with four files, a text member of policies is in API, documents, commands and declared files, on both engines", () => {
  expect(new Set([...Object.keys(FIELD.files), ...FIELD.edits.map(([file]) => file)]).size).toBe(4);
  expect(passed.get(FIELD.title)).toBe(8);
});

test("with five files, a member of a link is in API, document, history, commands and declared files, on both engines", () => {
  expect(new Set(LINK.edits.map(([file]) => file)).size).toBe(5);
  expect(passed.get(LINK.title)).toBe(10);
});

test("with its files, and nothing else, a made-up kind does what a kind does, in all programs", () => {
  expect(passed.get(KIND.title)).toBe(22);
  run(directory, "tsc", ["-p", "console"]);
});
