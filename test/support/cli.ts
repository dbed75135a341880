/** The commands for people, as a process of their own, or in the process of a test (command.ts). */
import { spawn } from "node:child_process";
import { OPERATIONS } from "@tessera-server/client";
import { createNodeFetch } from "../../src/cli/client/node-fetch.ts";
import type { Ended } from "./command.ts";
import { programFile } from "./program.ts";

export { command, type Around, type Ended } from "./command.ts";

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
