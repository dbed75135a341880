/**
 * Spells the texts of the product by cspell, in US English and the words of words.txt: `npm run check:spelling`. Documents
 * are read as they are; of programs the strings that people read, each in the line where it is.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { textsOfProgram } from "../words/texts.ts";

const root = resolve(import.meta.dirname, "../..");
const cspell = join(import.meta.dirname, "node_modules/cspell/bin.mjs");
const DOCUMENTS = ["*.md", "docs/**/*.md", "packages/*/README.md", "console/README.md"];
const PROGRAMS = ["src/**/*.ts", "console/src/**/*.{ts,tsx}", "packages/client/src/*.ts", "packages/model/*.ts"];
const WITHOUT = [
  "**/*.test.ts",
  "**/node_modules/**",
  "**/*.gen.ts",
  "docs/site/**",
  "packages/client/src/operations.ts",
];

const folder = mkdtempSync(join(tmpdir(), "tessera-spelling-"));
try {
  process.exitCode = check();
} finally {
  rmSync(folder, { recursive: true });
}

function check(): number {
  if (!existsSync(cspell)) {
    console.error("cspell is not installed: npm ci --prefix test/spelling");
    return 2;
  }
  for (const file of globSync(DOCUMENTS, { cwd: root, exclude: WITHOUT })) copy(file, read(file));
  for (const file of globSync(PROGRAMS, { cwd: root, exclude: WITHOUT })) copy(`${file}.txt`, textsIn(file));
  const config = join(import.meta.dirname, "cspell.json");
  const args = [
    "lint",
    "--config",
    config,
    "--root",
    folder,
    "--relative",
    "--no-progress",
    "--no-must-find-files",
    "**",
  ];
  return spawnSync(process.execPath, [cspell, ...args], { cwd: folder, stdio: "inherit" }).status ?? 1;
}

/** @returns each text of the file in its own line */
function textsIn(file: string): string {
  const lines: string[] = [];
  for (const { text, line } of textsOfProgram(file, read(file))) {
    lines[line - 1] = `${lines[line - 1] ?? ""} ${text.replaceAll("\n", " ")}`;
  }
  return Array.from(lines, (line) => line ?? "").join("\n");
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function copy(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
