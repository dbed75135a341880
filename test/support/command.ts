/** The commands for people, run in the process of a test. */
import { findEntry } from "../../src/cli/client/index.ts";
import { runEntry } from "../../src/cli/client/run.ts";
import type { Surroundings } from "../../src/cli/client/surroundings.ts";

/** How a command ended, and what it said. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Environment of a command. */
export interface Around {
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** Whether the streams are a terminal. */
  isTerminal?: boolean;
  columns?: number;
  fetch?: typeof fetch;
  signal?: AbortSignal;
}

/** Runs a command in this process. */
export async function command(args: readonly string[], around: Around = {}): Promise<Ended> {
  const [name, ...rest] = args;
  const entry = findEntry(name);
  if (entry === undefined) throw new Error(`there is no command ${name}`);
  const said = { stdout: "", stderr: "" };
  const sink = (stream: "stdout" | "stderr") => ({
    isTerminal: around.isTerminal === true,
    columns: around.columns,
    write(text: string | Uint8Array) {
      said[stream] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
      return Promise.resolve();
    },
  });
  const io: Surroundings = {
    env: around.env ?? {},
    stdin: Object.assign(chunks(around.stdin ?? ""), { isTTY: around.isTerminal === true }),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    signal: around.signal ?? new AbortController().signal,
    now: Date.now,
    ...(around.fetch === undefined ? {} : { fetch: around.fetch }),
  };
  return { code: await runEntry(entry, rest, io), ...said };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text);
}
