/** The master key from a command, such as one that asks a key store for it. */
import { spawn } from "node:child_process";
import { parseKey } from "./master-key.ts";
import { StartError } from "../start-error.ts";

/** Maximum run time of the command, in milliseconds: a key store is called over a network. */
const LONGEST_MS = 30_000;
/** Maximum size of the command's output; a key is at most 64 characters long. */
const MOST_BYTES = 4096;
const MOST_REASON = 200;

/**
 * Runs a command by `/bin/sh -c` and takes what it prints for the master key: 32 bytes as base64 or hexadecimal text. It is
 * killed, with all that it started, when it takes too long or prints too much.
 *
 * @param option what it was given by, such as `--key-command`
 * @throws StartError in one line, in which nothing stands that it printed on its standard output
 */
export async function runKeyCommand(command: string, option: string, longestMs = LONGEST_MS): Promise<Buffer> {
  const { output, errors, problem } = await run(command, longestMs);
  if (problem !== undefined) {
    const said = errors.replaceAll(/\s+/g, " ").trim().slice(0, MOST_REASON);
    throw new StartError(`the command of ${option} ${problem}${said === "" ? "" : `: ${said}`}`);
  }
  return parseKey(output.trim(), `what the command of ${option} printed`);
}

interface Outcome {
  output: string;
  errors: string;
  /** Why it does not count. */
  problem: string | undefined;
}

function run(command: string, longestMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    // A group of its own, so that all of a pipeline can be ended.
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"], detached: true });
    const outcome: Outcome = { output: "", errors: "", problem: undefined };
    const end = (problem: string): void => {
      outcome.problem ??= problem;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const settle = (problem?: string): void => {
      clearTimeout(timer);
      outcome.problem ??= problem;
      resolve(outcome);
    };
    const timer = setTimeout(() => end(`did not end within ${longestMs / 1000} s and was killed`), longestMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      outcome.output += text;
      if (outcome.output.length > MOST_BYTES) end(`printed more than ${MOST_BYTES} characters and was killed`);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      outcome.errors = (outcome.errors + text).slice(0, MOST_BYTES);
    });
    child.on("error", (error) => settle(`cannot be run (${error.message})`));
    child.on("close", (code, signal) => {
      settle(code === 0 ? undefined : `failed (${signal === null ? `exit code ${code}` : signal})`);
    });
  });
}
