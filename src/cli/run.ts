import { readVersion } from "../config/version.ts";

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

async function runCommand([command, ...rest]: readonly string[]): Promise<void> {
  if (command === "--version" || command === "version") {
    process.stdout.write(`tessera ${readVersion()}\n`);
    return;
  }
  if (command === "__complete") {
    const { completeCommand } = await import("./client/completion/command.ts");
    return completeCommand(rest);
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
  if (rest.includes("--help") || rest.includes("-h")) {
    const { helpText } = await import("../config/help.ts");
    process.stdout.write(helpText());
    return;
  }
  // Loaded only now: help and version need none of it.
  const { serve } = await import("./serve.ts");
  await serve(rest);
}
