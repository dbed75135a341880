/**
 * Every command but `serve`, declared: its words, its options, and the module in `commands/` that runs it, which is loaded only
 * then. Cheap to load: nothing of the server is.
 */
import { Command, CommanderError, Option } from "commander";
import { ConfigError } from "../config/given.ts";
import { environmentName, findOption, OPTIONS, shownValue, type OptionName } from "../config/options.ts";

/** What says where the database and its key are. */
const PLACE: readonly OptionName[] = ["data-dir", "database", "key-file", "config", "allow-insecure"];

/**
 * Runs one command line.
 *
 * @param args from the command's name on
 * @throws ConfigError on a command line that says something unknown; what the command throws
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = buildProgram();
  const [name] = args;
  const isKnown = name === undefined || name === "help" || ["-h", "--help"].includes(name);
  if (!isKnown && !program.commands.some((command) => command.name() === name)) throw unknownCommand(name);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // It has shown what it was asked for, and ends the command by this.
    if (error.exitCode === 0) return;
    throw new ConfigError(`${error.message.replace(/^error: /, "").replace(/\.$/, "")}; see tessera ${name} --help`);
  }
}

/** What is said of a command that there is not. */
export function unknownCommand(name: string | undefined): ConfigError {
  const problem = name === undefined ? "a command is missing" : `unknown command ${JSON.stringify(name)}`;
  return new ConfigError(`${problem}; write tessera serve, or tessera --help`);
}

/** All commands, as they are shown by `tessera --help`. */
export function buildProgram(): Command {
  const program = new Command("tessera")
    .usage("<command> [options]")
    .enablePositionalOptions()
    .exitOverride()
    // What it finds wrong is thrown, and told in one line as everything else.
    .configureOutput({ outputError: () => undefined })
    .helpOption("-h, --help", "Show this text, or that of a command.")
    .helpCommand("help [command]", "The same.");
  // For the list alone: it is run by `run.ts`, since it loads what is its own.
  program.command("serve").description("Start the server; tessera serve --help lists its options.");
  addUpkeep(program);
  program.option("--version", "Show the version.");
  return program;
}

function addUpkeep(program: Command): void {
  withServerOptions(program.command("reset-bootstrap"), PLACE)
    .description("Let the server be bootstrapped once more, when every management token is lost.")
    .action(async (_, command: Command) => {
      const { resetBootstrapCommand } = await import("./commands/reset-bootstrap.ts");
      await resetBootstrapCommand(serverArguments(command));
    });
  withServerOptions(program.command("finish-upgrade"), PLACE)
    .description("Finish a rolling upgrade, when no server of the older version runs any more.")
    .action(async (_, command: Command) => {
      const { finishUpgradeCommand } = await import("./commands/finish-upgrade.ts");
      await finishUpgradeCommand(serverArguments(command));
    });
  withServerOptions(program.command("change-settings"), [...PLACE, "edition", "datacenter", "default-policy"])
    .description(
      "Change what all servers of a database must agree on. Takes the options with which they will be started. None may run meanwhile.",
    )
    .action(async (_, command: Command) => {
      const { changeSettingsCommand } = await import("./commands/change-settings.ts");
      await changeSettingsCommand(serverArguments(command));
    });
}

/**
 * Has a command take the options of `serve`, by flag, environment variable and `--config`, as it does.
 *
 * @param shown in its help; the others are taken too, so that the words with which a server is started can be given as they are
 */
function withServerOptions(command: Command, shown: readonly OptionName[]): Command {
  for (const { name } of OPTIONS) command.addOption(serverOption(name, shown.includes(name)));
  return command;
}

function serverOption(name: OptionName, isShown: boolean): Option {
  const option = findOption(name);
  if (option === undefined) throw new Error(`there is no option ${name}`);
  const facts = [...(option.default === undefined ? [] : [`default ${option.default}`]), environmentName(name)];
  const flag = option.type === "switch" ? `--${name}` : `--${name} <${shownValue(option)}>`;
  const made = new Option(flag, `${option.help} (${facts.join("; ")})`).argParser(collect);
  return isShown ? made : made.hideHelp();
}

/** Two of one name are refused where all options are read, as they are in a command line of `serve`. */
function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** The flags of `serve` that a command was given, for `readConfig`. */
function serverArguments(command: Command): string[] {
  return OPTIONS.flatMap(({ name }) => {
    const given = command.getOptionValue(memberOf(name)) as string[] | true | undefined;
    if (given === undefined) return [];
    return given === true ? [`--${name}`] : given.flatMap((value) => [`--${name}`, value]);
  });
}

function memberOf(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
