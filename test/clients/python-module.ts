/** Runs the tests of a published Python client, which a virtual environment of their own has from PyPI, on each engine. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "./outcome.ts";

const root = resolve(import.meta.dirname, "../..");
/** The oldest Python that the client takes. */
const OLDEST = [3, 10] as const;
const STARTED_IN = 60_000;

/** Says in one line why the tests cannot run with the Python at hand, or nothing. */
export function checkPython(): string | undefined {
  const advice = `install Python ${OLDEST.join(".")} or later with venv`;
  const { stdout, error } = spawnSync("python3", ["--version"], { encoding: "utf8" });
  if (error !== undefined) return `The client tests need Python, and there is no "python3" in PATH: ${advice}.`;
  const [, major = "", minor = ""] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  return isOld ? `The client tests need a newer Python than ${stdout.trim()}: ${advice}.` : undefined;
}

/**
 * Runs the tests of a folder against a server on each engine.
 *
 * @param database an empty PostgreSQL database
 * @returns outcomes by `ENGINE/CLASS/TEST`
 * @throws Error when the environment cannot be made or a server does not start
 */
export async function runPython(directory: string, database: string): Promise<Map<string, Outcome>> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-python-"));
  const outcomes = new Map<string, Outcome>();
  try {
    must("python3", "-m", "venv", join(folder, "venv"));
    const python = join(folder, "venv/bin/python");
    const requirements = join(directory, "requirements.txt");
    must(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements);
    for (const engine of ["sqlite", "postgres"] as const) {
      const output = await withServer(join(folder, engine), engine === "postgres" ? database : undefined, (env) =>
        unittest(python, directory, env),
      );
      readOutcomes(outcomes, engine, directory, output);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;
}

function must(program: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")}: exit status ${status}\n${stdout}${stderr}`);
}

async function withServer<T>(
  data: string,
  database: string | undefined,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const addressFile = `${data}.address`;
  const args = ["--listen", "127.0.0.1:0", "--data-dir", data, "--address-file", addressFile];
  if (database !== undefined) args.push("--database", database);
  const server = spawn(process.execPath, [join(root, "src/main.ts"), "serve", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "close");
  try {
    const until = performance.now() + STARTED_IN;
    while (!existsSync(addressFile) || !readFileSync(addressFile, "utf8").endsWith("\n")) {
      if (performance.now() > until || server.exitCode !== null) throw new Error("the server did not start");
      await sleep(50);
    }
    return await work({
      TESSERA_ADDRESS: readFileSync(addressFile, "utf8").trim(),
      TESSERA_TOKEN: readFileSync(join(data, "management-token"), "utf8").trim(),
    });
  } finally {
    server.kill();
    await ended;
  }
}

/** What the tests of a folder print, a line for each and then the failures. */
async function unittest(python: string, directory: string, env: Record<string, string>): Promise<string> {
  const run = spawn(python, ["-B", "-W", "ignore", "-m", "unittest", "discover", "-v"], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const pieces: string[] = [];
  run.stderr.setEncoding("utf8").on("data", (piece: string) => void pieces.push(piece));
  await once(run, "close");
  return pieces.join("");
}

/** Of each test that a file declares: one that is not told of did not run. */
function readOutcomes(outcomes: Map<string, Outcome>, engine: string, directory: string, output: string): void {
  for (const file of globSync("test_*.py", { cwd: directory }).toSorted()) {
    const text = readFileSync(join(directory, file), "utf8");
    const [, group = ""] = /^class (\w+)\(/m.exec(text) ?? [];
    for (const [, name = ""] of text.matchAll(/^ {4}def (test_\w+)\(/gm)) {
      const said = new RegExp(String.raw`^${name} \([\w.]*\b${group}\b[\w.]*\)(?:\n.*)? \.\.\. (\w+)`, "m").exec(
        output,
      );
      const action = { ok: "pass", skipped: "skip", FAIL: "fail", ERROR: "fail" }[said?.[1] ?? ""] ?? "unfinished";
      const shown = action === "pass" ? "" : detailOf(output, name);
      outcomes.set(`${engine}/${group}/${name}`, { action: action as Outcome["action"], output: shown });
    }
  }
}

/** What is told of the failure of a test; all where that is not found. */
function detailOf(output: string, name: string): string {
  const parts = output.split(/^={70}\n/m);
  return parts.find((part) => part.includes(`: ${name} (`)) ?? output;
}
