/** The budgets of the repository: `test/budgets/measure.ts` says how they are lowered and raised. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { amountOf, type Budgets, explain, lowerable, renew, risen, textOf } from "./budgets/budgets.ts";
import { BUDGETS, BYTES, type Figures, measure } from "./budgets/figures.ts";
import { environmentOfGit, treeThatWrote, workingTree } from "./budgets/tree.ts";

const root = resolve(import.meta.dirname, "..");
const RIDDLES = "comments that begin with What, Who, Of, Those, So, Where or That: src";

test("no figure of the repository is above its budget", () => {
  const text = readFileSync(join(root, BUDGETS), "utf8");
  const budgets = JSON.parse(text) as Budgets;
  const figures = measure(workingTree(root));
  expect(figures.size).toBeGreaterThan(50);
  for (const line of lowerable(figures, budgets)) console.log(line);
  const higher = risen(figures, budgets);
  const tree = higher.length === 0 ? undefined : treeThatWrote(BUDGETS, root);
  const before = tree === undefined ? undefined : measure(tree);
  expect(higher.map((name) => explain(name, figures, budgets, before)).join("\n\n")).toBe("");
  expect(textOf(budgets), "the form in which the command writes it").toBe(text);
});

/** Figures of files that are nowhere but here. */
function measured(files: Readonly<Record<string, string>>): Figures {
  const names = Object.keys(files);
  const bytes = new Map(names.map((name) => [name, files[name]?.length ?? 0]));
  return measure({ files: names, bytes, read: (name) => files[name] ?? "" });
}

function amountIn(files: Readonly<Record<string, string>>, figure: string): number {
  const parts = measured(files).get(figure);
  if (parts === undefined) throw new Error(`there is no figure ${figure}`);
  return amountOf(parts);
}

test("lines are counted by the folders of each package, those of tests apart, and of generated code none", () => {
  const files = {
    "src/tags/store.ts": "1;\n2;\n",
    "src/tags/deep/store.ts": "1;\n",
    "src/app.ts": "1;\n",
    "src/tags/tags.test.ts": "1;\n2;\n3;\n",
    "console/src/kit/look.css": "a {}\n",
    "packages/client/src/types.gen.ts": "1;\n",
    "packages/client/src/types.ts": "1;\n",
    "test/support/api.ts": "1;\n2;\n",
  };
  const lines = [...measured(files)].filter(([name]) => name.startsWith("lines of"));
  expect(Object.fromEntries(lines.map(([name, parts]) => [name, amountOf(parts)]))).toEqual({
    "lines of console/src/kit": 1,
    "lines of packages/client": 1,
    "lines of src": 1,
    "lines of src/tags": 3,
    "lines of tests in src": 3,
    "lines of tests in test": 2,
  });
});

test("a function over 60 lines and a file over 300 are counted, one of just as many is not", () => {
  const body = (lines: number) => "1;\n".repeat(lines - 2);
  const functions = [
    `function declared() {\n${body(61)}}\n`,
    `const arrow = () => {\n${body(61)}};\n`,
    `const object = { method() {\n${body(61)}} };\n`,
    `function short() {\n${body(60)}}\n`,
    "1;\n".repeat(57),
  ].join("");
  const name = "functions over 60 lines in src";
  const figures = measured({ "src/tags/long.ts": functions, "src/tags/longer.ts": `${functions}1;\n` });
  expect([...(figures.get(name)?.keys() ?? [])]).toEqual(
    ["long", "longer"].flatMap((file) => ["declared", "arrow", "method"].map((each) => `src/tags/${file}.ts: ${each}`)),
  );
  expect([...(figures.get("files over 300 lines")?.keys() ?? [])]).toEqual(["src/tags/longer.ts"]);
  const component = `export const Look = () => (\n<p>\n${"text\n".repeat(58)}</p>\n);\n`;
  expect(amountIn({ "console/src/kit/look.tsx": component }, "functions over 60 lines in console/src")).toBe(1);
});

test("folders that import each other are counted once, by types and by imports on demand too", () => {
  const files = {
    "src/tags/store.ts": 'import { a } from "../acl/a.ts"; import { s } from "./other.ts";',
    "src/acl/a.ts": 'export type { T } from "../tags/store.ts";',
    "src/acl/b.ts": 'import type { J } from "../jobs/job.ts"; import { app } from "../app.ts";',
    "src/jobs/job.ts": 'export const job = 1; // import "../acl/b.ts"',
    "src/app.ts": 'import "./acl/a.ts"; import "@tessera-server/client";',
    "packages/client/src/index.ts": "export {};",
  };
  const figures = measured(files);
  const pairs = figures.get("pairs of folders of src that import each other");
  expect([...(pairs?.entries() ?? [])]).toEqual([
    ["src/acl and src/tags", { amount: 1, note: expect.stringContaining("imports src/") as string }],
  ]);
  expect(amountIn(files, "packages of which each imports the other")).toBe(0);
  const client = { "packages/client/src/index.ts": 'import "../../../src/app.ts";' };
  expect(amountIn({ ...files, ...client }, "packages of which each imports the other")).toBe(1);
});

test("each exported type is counted whose name another one of its package has", () => {
  const files = {
    "src/a.ts": "export interface Twice { a: 1 }\nexport class Once {}\ninterface Hidden { a: 1 }",
    "src/b.ts": "export type Twice = 1;\nexport abstract class Third {}\nexport type { Once } from './a.ts';",
    "src/c.ts": "export class Third {}\nexport const Twice = 1;\nexport interface Hidden { a: 1 }",
    "console/src/main.tsx": "export type Once = 1;",
  };
  const name = "exported types of src that share their name";
  expect([...(measured(files).get(name)?.keys() ?? [])].toSorted()).toEqual([
    "src/a.ts: Twice",
    "src/b.ts: Third",
    "src/b.ts: Twice",
    "src/c.ts: Third",
  ]);
});

test("comments that begin with a riddle are counted, texts and other comments are not", () => {
  const riddles = [
    "/** What it is. */",
    "// So it is.",
    "/*\n * Of it. */",
    "/** @param a */ // Those.",
    "/**\n *\n * Who. */",
    "// Where it is, and that.",
  ];
  const others = [
    "/** Thatched, whosoever. */",
    "// It is what: What.",
    'const a = "// So";',
    "`/** Who */`;",
    "// so it goes on",
  ];
  expect(amountIn({ "src/a.ts": riddles.join("\n") }, RIDDLES)).toBe(6);
  expect(amountIn({ "src/a.ts": others.join("\n") }, RIDDLES)).toBe(0);
});

test("tests, and what they start, are counted by calls", () => {
  const text = [
    "forEachEngine((engine, makeUrl) => { const api = useApi(makeUrl); const other = useV1(makeUrl, {}); });",
    'it("starts", async () => { await startServer({}); /a/.test("it("); });',
    'test.each([1])("%d", () => {}); it.runIf(true)("is", () => {}); // useApi() is not called',
    "// test(), useApi()",
    "function startServer() {} object.useApi();",
  ].join("\n");
  const files = { "src/tags/tags.test.ts": text, "test/support/open.ts": "openShell(); makeDatabaseUrl();" };
  const started = [...measured(files)].filter(([name]) => /^(?:applications|servers|databases) /.test(name));
  const byPlace = started.map(([name, parts]) => [name.replace(/in project \w+$/, "in its project"), amountOf(parts)]);
  expect(Object.fromEntries(byPlace)).toEqual({
    "applications started in its project": 2,
    "applications started in helpers of tests": 1,
    "databases made in its project": 1,
    "databases made in helpers of tests": 1,
    "servers started in its project": 1,
    "servers started in helpers of tests": 0,
  });
  expect(amountIn(files, "tests")).toBe(3);
  expect(amountIn(files, "files of tests")).toBe(1);
});

test("bytes are those of all files but of the budgets, which a figure more or less would change", () => {
  expect(amountIn({ "docs/a.png": "12345", [BUDGETS]: "123" }, BYTES)).toBe(5);
});

test("a budget falls by itself and rises, or begins, only with a reason", () => {
  const figures = measured({ "src/tags/store.ts": "1;\n2;\n", "src/acl/a.ts": "1;\n", "src/new/a.ts": "1;\n" });
  const before = { "lines of src/tags": { most: 1 }, "lines of src/acl": { most: 5, reason: "roles" } };
  expect(risen(figures, { ...before, [BYTES]: { most: 99 } })).toEqual(["lines of src/new", "lines of src/tags"]);
  expect(renew(figures, before)).toMatchObject({
    "lines of src/tags": { most: 1 },
    "lines of src/acl": { most: 1, reason: "roles" },
  });
  expect(renew(figures, before)).not.toHaveProperty(["lines of src/new"]);
  expect(renew(figures, before, "new things")).toMatchObject({
    "lines of src/tags": { most: 2, reason: "new things" },
    "lines of src/acl": { most: 1, reason: "roles" },
    "lines of src/new": { most: 1, reason: "new things" },
  });
  expect(risen(figures, renew(figures, before, "new things"))).toEqual([]);
  expect(lowerable(figures, { ...before, "lines of src/gone": { most: 9 } })).toEqual([
    "lines of src/acl: may be lowered from 5 to 1",
    "lines of src/gone: is gone",
  ]);
});

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-budgets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("without git the figures of code are the same, and that of bytes is passed over and kept", () => {
  const files = { "src/tags/store.ts": "1;\n2;\n", "src/node_modules/a/a.ts": "1;\n", "docs/a.md": "a" };
  const figures = measure(workingTree(folderOf(files)));
  expect(amountOf(figures.get("lines of src/tags") ?? new Map())).toBe(2);
  expect([...figures.keys()].filter((name) => name === BYTES || name.includes("node_modules"))).toEqual([]);
  const budgets = { [BYTES]: { most: 9 } };
  expect(lowerable(figures, budgets)).toEqual([`${BYTES}: passed over, git says of none here`]);
  expect(renew(figures, budgets)).toMatchObject(budgets);
});

test("with git a figure that rose is explained by the files that rose since the budgets were written", () => {
  const folder = folderOf({
    ".gitignore": "dist\n",
    "src/tags/a.ts": "1;\n",
    "src/tags/b.ts": "1;\n",
    [BUDGETS]: "{}",
  });
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgSign=false"];
    const options = { cwd: folder, env: environmentOfGit(), encoding: "utf8" } as const;
    expect(spawnSync("git", [...identity, ...args], options)).toMatchObject({ status: 0 });
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "budgets");
  writeFileSync(join(folder, "src/tags/b.ts"), "1;\n2;\n3;\n");
  git("commit", "--quiet", "--all", "--message", "later");
  writeFileSync(join(folder, "src/tags/new.ts"), "1;\n");
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/ignored.ts"), "1;\n");
  const now = workingTree(folder);
  expect(now.files).not.toContain("dist/ignored.ts");
  const before = treeThatWrote(BUDGETS, folder);
  expect(before).toBeDefined();
  const budgets = { "lines of src/tags": { most: 2 } };
  const [figures, old] = [measure(now), before === undefined ? undefined : measure(before)];
  expect(explain("lines of src/tags", figures, budgets, old).split("\n")).toEqual([
    "lines of src/tags: 5, and 2 at most (3 too many).",
    "Since the budgets were written last it rose in:",
    "  +2 src/tags/b.ts",
    "  +1 src/tags/new.ts",
    expect.stringContaining("npm run budgets -- --update --raise"),
  ]);
});
