/** Runs the blocks of a page one after the other, in one shell, as a reader would. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileOf, type Block } from "./doc-blocks.ts";
import { PAGE_SETTINGS, type Ground } from "./doc-pages.ts";
import { programFile } from "./program.ts";

/** Languages whose blocks a shell runs. */
export const SHELL_LANGUAGES: ReadonlySet<string> = new Set(["sh", "bash", "console"]);
const MARKER = "----- next block -----";

/** How a page ended. */
export interface Ran {
  code: number;
  /** Output of each block. */
  printed: string[];
  /** All that was said, for messages. */
  said: string;
}

/** Blocks of a page that a shell runs. */
export function stepsOf(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ language, notRun }) => SHELL_LANGUAGES.has(language) && notRun === undefined);
}

/** Runs the steps of a page. @param blocks all of its blocks: those of data that name a file become that file */
export async function runPage(page: string, blocks: readonly Block[], shell: string, ground: Ground): Promise<Ran> {
  const { folder, server } = ground;
  const { instead, prepare } = PAGE_SETTINGS[page] ?? {};
  const variables = (await prepare?.(ground)) ?? {};
  const others = Object.entries({
    "http://127.0.0.1:8500": server.url,
    "https://tessera.example.com": server.url,
    "https://tessera.example": server.url,
    ...instead?.(ground),
  });
  const here = (text: string): string => others.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const steps = stepsOf(blocks);
  const parts = blocks.map((block, at) => {
    if (steps.includes(block)) return `${strict(shell, here(block.text))}\necho '${MARKER}'\n`;
    return placed(block, join(folder, `.block-${at}`));
  });
  const script = `${shell === "fish" ? "" : "set -e\n"}${parts.join("")}`;
  const { code, stdout, stderr } = await start(shell, script, folder, variables);
  return { code, printed: stdout.split(`${MARKER}\n`).slice(0, steps.length), said: `${stdout}${stderr}` };
}

/** A command that makes a block of data the file that it names. @param kept where it lies until then */
function placed(block: Block, kept: string): string {
  const name = fileOf(block);
  if (name === undefined || block.notRun !== undefined) return "";
  writeFileSync(kept, block.text);
  return `mkdir -p '${dirname(name)}' && cp '${kept}' '${name}'\n`;
}

/** fish goes on after a line that failed. */
function strict(shell: string, text: string): string {
  return shell === "fish" ? text.replaceAll(/^(?!#)(.+)$/gm, "$1\nor exit 1") : text;
}

function start(shell: string, script: string, folder: string, variables: Readonly<Record<string, string>>) {
  const flags: Readonly<Record<string, string[]>> = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] };
  const env = { PATH: `${commands(folder)}:${process.env["PATH"] ?? ""}`, HOME: folder, LANG: "C.UTF-8", ...variables };
  const { promise, resolve: settle } = Promise.withResolvers<{ code: number; stdout: string; stderr: string }>();
  execFile(
    shell,
    [...(flags[shell] ?? []), "-c", script],
    { cwd: folder, env, encoding: "utf8", timeout: 120_000 },
    (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, stdout, stderr });
    },
  );
  return promise;
}

/** `tessera`, as it is installed, and how curl ends. @returns the folder that it is in */
function commands(folder: string): string {
  const bin = join(folder, ".bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "tessera"), `#!/bin/sh\nexec '${process.execPath}' '${resolve(programFile())}' "$@"\n`);
  chmodSync(join(bin, "tessera"), 0o755);
  // An error status of the server ends the page, unless the page expects it.
  writeFileSync(join(folder, ".curlrc"), "fail-with-body\n");
  return bin;
}

/** Replaces values that differ from run to run: addresses, IDs and times. */
export function normal(text: string, url: string): string {
  return text
    .replaceAll(url, "http://127.0.0.1:8500")
    .replaceAll(/\b(tag|ws|org|prj)-[1-9A-HJ-NP-Za-km-z]{16}\b/g, "$1-ID")
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, "UUID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
