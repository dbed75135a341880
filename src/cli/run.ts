import { readVersion } from "../config/version.ts";
import { endWithOutput } from "./client/ended-output.ts";

/** Runs one command line and leaves the exit code behind. A failure is one line on standard error. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await runCommand(args);
  } catch (error) {
    // Help and version need none of it.
    const { describeFailure } = await import("./failure.ts");
    const { message, exitCode } = describeFailure(error);
    process.stderr.write(`tessera: ${message}\n`);
    process.exitCode = exitCode;
  }
}

async function runCommand(given: readonly string[]): Promise<void> {
  const [command, ...rest] = await commandFirst(given);
  const isServer = command === "serve" && !rest.includes("--help") && !rest.includes("-h");
  // The server's log has ways of its own.
  if (!isServer) endWithOutput();
  if (command === "--version" || command === "version") {
    process.stdout.write(`tessera ${readVersion()}\n`);
    return;
  }
  if (command === "__complete") {
    const { completeCommand } = await import("./client/completion/command.ts");
    return completeCommand(rest);
  }
  if (command === "options" && rest.some((word) => word === "--help" || word === "-h")) {
    const { globalOptionsHelp } = await import("./client/build.ts");
    process.stdout.write(globalOptionsHelp(process.stdout.columns ?? 100));
    return;
  }
  const { findEntry } = await import("./client/index.ts");
  const entry = findEntry(command);
  // `audit verify` works on the database itself.
  if (entry !== undefined && !(command === "audit" && rest[0] === "verify")) {
    const [{ runEntry }, { processSurroundings }] = await Promise.all([
      import("./client/run.ts"),
      import("./client/surroundings.ts"),
    ]);
    process.exitCode = await runEntry(entry, rest, processSurroundings());
    return;
  }
  if (command !== "serve") {
    const { runProgram, unknownCommand } = await import("./program.ts");
    if (command === undefined) throw unknownCommand(command);
    return runProgram([command, ...rest]);
  }
  if (!isServer) {
    const { helpText } = await import("../config/help.ts");
    process.stdout.write(helpText());
    return;
  }
  // Loaded only now: help and version need none of it.
  const { serve } = await import("./serve.ts");
  await serve(rest);
}

/** The command and what follows it: options may stand before it, and `help` is another word for `--help`. */
async function commandFirst(args: readonly string[]): Promise<readonly string[]> {
  const [first, ...rest] = args;
  if (first === undefined || first === "--version") return args;
  if (first === "help") return [...rest.filter((word) => word !== "help"), "--help"];
  if (!first.startsWith("-") && rest[0]?.startsWith("-") !== true) return args;
  const { orderedWords } = await import("./words.ts");
  return orderedWords(args);
}
