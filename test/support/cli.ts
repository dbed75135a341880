/** The commands for people, as a test gives them: in this process, or as a process of their own. */
import { spawn } from "node:child_process";
import { OPERATIONS } from "@tessera-server/client";
import { findEntry } from "../../src/cli/client/index.ts";
import { createNodeFetch } from "../../src/cli/client/node-fetch.ts";
import { runEntry } from "../../src/cli/client/run.ts";
import type { Surroundings } from "../../src/cli/client/surroundings.ts";
import { programFile } from "./program.ts";

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

/** Runs the program with a command, as a shell does. `stdin` is what it is given; nothing is a terminal. */
export async function asProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin = "",
): Promise<Ended> {
  const child = spawn(process.execPath, [programFile(), ...args], { env: { PATH: "/usr/bin:/bin", ...env } });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const code = await new Promise<number>((resolve) => {
    child.on("close", (status, signal) => resolve(status ?? (signal === null ? -1 : 128)));
  });
  return { code, ...said };
}

/** A `fetch` that notes which operations are asked. */
export function notingFetch(asked: Set<string>): typeof fetch {
  const send = createNodeFetch();
  const patterns = Object.entries(OPERATIONS).map(([id, text]) => {
    const [method, path = ""] = text.split(" ");
    const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, "[^/]+");
    return { id, method, path: new RegExp(`^${escaped}$`), literal: path.replaceAll(/\{[^}]+\}/g, "").length };
  });
  // The pattern with more literal text wins when two match, such as /token/self and /token/{accessor}.
  patterns.sort((a, b) => b.literal - a.literal);
  return (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const found = patterns.find(({ method, path }) => method === (init?.method ?? "GET") && path.test(pathname));
    if (found !== undefined) asked.add(found.id);
    return send(input, init);
  };
}
