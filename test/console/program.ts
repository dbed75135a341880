/** The program that the console's tests start, with the built console beside it as in the package. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { BUILT, CHECKOUT, isFresh } from "../../src/console/build.ts";
import { runDirectory } from "../support/directory.ts";
import { PROGRAM_VARIABLE, programFile } from "../support/program.ts";

const LOOK_MS = 100;

/** Has the servers that this process starts a built console; the first of several processes makes it, and the others wait for it. */
export async function provideConsole(): Promise<void> {
  const program = programFile();
  // A server from the source builds it by itself.
  if (program.endsWith(".ts") || existsSync(join(dirname(program), "console"))) return;
  const home = join(runDirectory(), "program-with-console");
  while (!existsSync(home)) {
    if (isFirst(`${home}-half`)) await make(dirname(dirname(program)), home);
    else await sleep(LOOK_MS);
  }
  process.env[PROGRAM_VARIABLE] = join(home, "dist/main.js");
}

function isFirst(half: string): boolean {
  try {
    mkdirSync(half);
    return true;
  } catch {
    return false;
  }
}

/** Other runs share the program, which is kept, so it is copied. */
async function make(program: string, home: string): Promise<void> {
  const half = `${home}-half`;
  try {
    // The environment of tests would make it as developers have it: slower, and with warnings.
    const env = { ...process.env, NODE_ENV: "production" };
    if (!isFresh(CHECKOUT)) await promisify(execFile)(process.execPath, ["console/build.ts"], { cwd: CHECKOUT, env });
    cpSync(program, half, { recursive: true });
    cpSync(join(CHECKOUT, BUILT), join(half, "dist/console"), { recursive: true });
    renameSync(half, home);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}
