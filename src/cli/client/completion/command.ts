/** `tessera __complete`, which the scripts of shells ask. */
import process from "node:process";
import type { GlobalFlags } from "../settings.ts";
import type { Completion } from "../spec.ts";

/** When an answer has to be there, in milliseconds since the process began. */
const DEADLINE = 90;

/** Answers a shell; never fails, since nobody could see it. */
export async function completeCommand(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === "--fill") {
    const { fillNames } = await import("./names.ts");
    await fillNames(rest[0] as Completion, JSON.parse(rest[1] ?? "{}") as GlobalFlags, process.env);
    return;
  }
  const { complete } = await import("./complete.ts");
  const lines = await complete(first === "--" ? rest : args, { env: process.env, deadline: DEADLINE }).catch(() => []);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""), () => {
    // A request that is too late would keep the process.
    process.exit(0);
  });
}
