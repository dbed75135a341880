/**
 * Every command but `serve`, declared: its words, its options, and the module in `commands/` that runs it, which is loaded only
 * then. Cheap to load: nothing of the server is.
 */
import { Command, CommanderError, Option } from "commander";
import { ConfigError } from "../config/given.ts";
import { ENTRIES } from "./client/index.ts";
import type { AuditVerifyFlags } from "./commands/audit-verify.ts";
import type { HealthcheckFlags } from "./commands/healthcheck.ts";
import type { MoveFlags } from "./commands/move.ts";
import type { RotateFlags } from "./commands/rotate-key.ts";
import type { RestoreFlags } from "./commands/restore.ts";
import { didYouMean } from "../declared/shape.ts";
import { environmentName, findOption, OPTIONS, shownValue, type OptionName } from "../config/options.ts";

/** Options that locate the database and its key. */
const PLACE: readonly OptionName[] = ["data-dir", "database", "key-file", "key-command", "config", "allow-insecure"];

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
  const names = program.commands.map((command) => command.name());
  if (!isKnown && !names.includes(name)) throw unknownCommand(name, names);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // It has shown what it was asked for, and ends the command by this.
    if (error.exitCode === 0) return;
    throw new ConfigError(`${error.message.replace(/^error: /, "").replace(/\.$/, "")}; see tessera ${name} --help`);
  }
}

/** The refusal of a command that there is not. @param names of those that there are */
export function unknownCommand(name: string | undefined, names: readonly string[] = []): ConfigError {
  if (name === undefined) return new ConfigError("a command is missing; write tessera serve, or tessera --help");
  const near = didYouMean(name, names);
  const problem = `unknown command ${JSON.stringify(name)}${near}`;
  return new ConfigError(
    near === "" ? `${problem}; write tessera serve, or tessera --help` : `${problem} See tessera --help`,
  );
}

/** All commands, as they are shown by `tessera --help`. */
export function buildProgram(): Command {
  const program = new Command("tessera")
    .usage("<command> [options]")
    .enablePositionalOptions()
    .exitOverride()
    // Errors of the parser are thrown, and shown in one line like all others.
    .configureOutput({ outputError: () => undefined })
    .helpOption("-h, --help", "Show this text, or that of a command.")
    .helpCommand("help [command...]", "Show this text, or that of a command.");
  // For the list alone: it is run by `run.ts`, since it loads what is its own.
  program.command("serve").description("Start the server; tessera serve --help lists its options.");
  addHealthcheck(program);
  addUpkeep(program);
  addPeople(program);
  addAudit(program);
  addBackups(program);
  addMove(program);
  program.option("--version", "Show the version.");
  return program;
}

function addHealthcheck(program: Command): void {
  const shown: readonly OptionName[] = ["listen", "address-file", "tls-cert", "tls-key", "config", "allow-insecure"];
  withServerOptions(program.command("healthcheck"), [...shown, "data-dir"])
    .description(
      "Ask the server that was started here with the same options whether it can be used; the exit code is 1 when it cannot. For images without a shell.",
    )
    .option("--live", "Ask only whether it lives.")
    .action(async (flags: HealthcheckFlags, command: Command) => {
      const { healthcheckCommand } = await import("./commands/healthcheck.ts");
      await healthcheckCommand(flags, serverArguments(command));
    });
}

/** For the list alone: each is run by `run.ts`, since it loads what is its own. */
function addPeople(program: Command): void {
  for (const { name, summary, group } of ENTRIES) {
    if (name !== "audit") program.command(name).description(summary).helpGroup(group);
  }
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
  withServerOptions(program.command("upgrade"), [...PLACE, "edition", "datacenter", "default-policy"])
    .description("Say what this version would change of a database, and whether it and these options can follow.")
    .requiredOption(
      "--check",
      "Only look: nothing is changed, and servers may run. An upgrade itself is the start of this version.",
    )
    .action(async (_, command: Command) => {
      const { upgradeCheckCommand } = await import("./commands/upgrade-check.ts");
      await upgradeCheckCommand(serverArguments(command));
    });
  withServerOptions(program.command("change-settings"), [...PLACE, "edition", "datacenter", "default-policy"])
    .description(
      "Change what all servers of a database must agree on. Takes the options with which they will be started. None may run meanwhile.",
    )
    .action(async (_, command: Command) => {
      const { changeSettingsCommand } = await import("./commands/change-settings.ts");
      await changeSettingsCommand(serverArguments(command));
    });
  withServerOptions(program.command("rotate-key"), PLACE)
    .description(
      "Replace the master key while servers run: first --new-key-file, then every server with the new key, then --finish.",
    )
    .option("--new-key-file <PATH>", "Begin to replace it by the one in this file.")
    .option("--new-key-command <CMD>", "The same with the key that a command prints.")
    .option("--finish", "End it: only the new key, which --key-file gives now, opens the database from then on.")
    .option("--abandon", "Take it back: only the old key, which --key-file gives, opens the database from then on.")
    .option("--verify", "Open every sealed value, and name those that do not open.")
    .option("--reseal", "Have the servers seal all that is sealed anew, under other data keys.")
    .action(async (flags: RotateFlags, command: Command) => {
      const { rotateKeyCommand } = await import("./commands/rotate-key.ts");
      await rotateKeyCommand(flags, serverArguments(command));
    });
}

function addAudit(program: Command): void {
  const audit = program
    .command("audit")
    .description(
      "The records of what was done: audit list; audit verify, which takes --data-dir and --database as serve does.",
    );
  withServerOptions(audit.command("verify"), PLACE)
    .description(
      "Walk all chains of audit records, and name the first record of each that was changed, taken out or put in; then the exit code is 1. A server may be at work meanwhile.",
    )
    .option(
      "--file <PATH>",
      "Verify this file of records instead, as serve --audit-file or an export wrote it; several times for its parts, the oldest first.",
      collect,
    )
    .option(
      "--head <PATH>",
      "Compare with the heads in this file, which were kept elsewhere; may be given several times.",
      collect,
    )
    .option("--save-heads <PATH>", "Write the newest head of each chain to this file, when all is right.")
    .action(async (flags: AuditVerifyFlags, command: Command) => {
      const { auditVerifyCommand } = await import("./commands/audit-verify.ts");
      await auditVerifyCommand(flags, serverArguments(command));
    });
}

function addBackups(program: Command): void {
  const backup = withPlace(program.command("backup").argument("<file>", "Where to; - is standard output."))
    .description("Write all of a database into a file, while its server runs. It holds no master key, and needs none.")
    .action(async (file: string, _, command: Command) => {
      const { backupCommand } = await import("./commands/backup.ts");
      await backupCommand(file, serverArguments(command));
    });
  withPlace(backup.command("verify").argument("<file>", "The backup; - is standard input."))
    .description(
      "Read all of a backup: whether it is what was written, and with --key-file whether that key is its own.",
    )
    .action(async (file: string, _, command: Command) => {
      const { verifyCommand } = await import("./commands/backup.ts");
      await verifyCommand(file, serverArguments(command));
    });
  withPlace(program.command("restore").argument("<file>", "The backup; - is standard input."))
    .description("Make an empty database, of either engine, what a backup holds.")
    .option("--with-logins", "Bring back tokens that logins have made, too.")
    .option(
      "--audit-file <PATH>",
      "Audit records as serve --audit-file writes them: what they say was ended later stays ended; several times for its parts.",
      collect,
    )
    .action(async (file: string, flags: RestoreFlags, command: Command) => {
      const { restoreCommand } = await import("./commands/restore.ts");
      await restoreCommand(file, flags, serverArguments(command, ["audit-file"]));
    });
}

function addMove(program: Command): void {
  const place = PLACE.filter((name) => name !== "database");
  withServerOptions(program.command("move"), place)
    .description(
      "Make an empty database, of either engine, what another one is, compare both, and leave the other: no server starts on it any more. --key-file or --data-dir say where the master key is, which stays the same.",
    )
    .requiredOption("--from <URL>", "The database that is moved: sqlite:PATH or postgres://user:password@host/database")
    .requiredOption("--to <URL>", "The empty one that it is moved to.")
    .option(
      "--cutover",
      "Move it though servers use it: they refuse writes meanwhile, for 30 s at most, and for good when it was moved.",
    )
    .action(async (flags: MoveFlags, command: Command) => {
      const { moveCommand } = await import("./commands/move.ts");
      await moveCommand(flags, serverArguments(command, ["database"]));
    });
}

/** Has a command take the options of `serve` that say where the database and its key are. */
function withPlace(command: Command): Command {
  for (const name of PLACE) command.addOption(serverOption(name, true));
  return command;
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
  const made = new Option(flag, `${option.help} (${facts.join("; ")})`);
  // A switch has no value that could be collected.
  if (option.type !== "switch") made.argParser(collect);
  return isShown ? made : made.hideHelp();
}

/** Two of one name are refused where all options are read, as they are in a command line of `serve`. */
function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** The flags of `serve` that a command was given, for `readConfig`. @param except those that it says itself */
function serverArguments(command: Command, except: readonly OptionName[] = []): string[] {
  return OPTIONS.flatMap(({ name }) => {
    if (except.includes(name)) return [];
    const given = command.getOptionValue(memberOf(name)) as string[] | string | true | undefined;
    // A text is of an option that the command has itself, such as --audit-file of restore.
    if (given === undefined || typeof given === "string") return [];
    return given === true ? [`--${name}`] : given.flatMap((value) => [`--${name}`, value]);
  });
}

function memberOf(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
