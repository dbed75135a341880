import { helpText } from "../config/help.ts";
import { readVersion } from "../config/version.ts";
import { ConfigError } from "../config.ts";

const USAGE = `tessera <command> [options]

Commands:
  serve            Start the server; tessera serve --help lists its options.
  reset-bootstrap  Let the server be bootstrapped once more, when every management token is lost. Takes the options of
                   serve that say where the database and its key are.
  finish-upgrade   Finish a rolling upgrade, when no server of the older version runs any more. Takes --database as
                   serve does.
  change-settings  Change what all servers of a database must agree on: --edition, --datacenter, --default-policy. Takes
                   the options with which they will be started. None may run meanwhile.

Options:
  --help      Show this text.
  --version   Show the version.
`;

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
  if (command === "--help" || command === "-h" || command === "help") {
    process.stdout.write(USAGE);
    return;
  }
  if (command === "reset-bootstrap") return (await import("./commands.ts")).resetBootstrapCommand(rest);
  if (command === "change-settings") return (await import("./commands.ts")).changeSettingsCommand(rest);
  if (command === "finish-upgrade") return (await import("./commands.ts")).finishUpgradeCommand(rest);
  if (command !== "serve") {
    const problem = command === undefined ? "a command is missing" : `unknown command ${JSON.stringify(command)}`;
    throw new ConfigError(`${problem}; write tessera serve, or tessera --help`);
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(helpText());
    return;
  }
  // Loaded only now: help and version need none of it.
  const { serve } = await import("./serve.ts");
  await serve(rest);
}
