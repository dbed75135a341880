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
    throw new ConfigError(`${problemOf(error, program, name)} tessera ${name} --help`);
  }
}

/** The parser's words, up to `run` what helps. One word too many can be a mistyped command below this one. */
function problemOf({ code, message }: CommanderError, program: Command, name: string | undefined): string {
  const command = program.commands.find((each) => each.name() === name);
  const verbs = command?.commands.map((each) => each.name()) ?? [];
  const near = code === "commander.excessArguments" ? didYouMean(command?.args[0] ?? "", verbs) : "";
  const problem = message.replace(/^error: /, "").replace(/\.$/, "");
  return near === "" ? `${problem}; run` : `${problem}${near} Run`;
}

/** The refusal of a command that there is not. @param names of those that there are */
export function unknownCommand(name: string | undefined, names: readonly string[] = []): ConfigError {
  if (name === undefined) return new ConfigError("missing command; run tessera serve, or tessera --help");
  const near = didYouMean(name, names);
  const problem = `unknown command ${JSON.stringify(name)}${near}`;
  return new ConfigError(near === "" ? `${problem}; run tessera --help` : `${problem} Run tessera --help`);
}

/** All commands, as they are shown by `tessera --help`. */
export function buildProgram(): Command {
  const program = new Command("tessera")
    .usage("<command> [options]")
    .enablePositionalOptions()
    .exitOverride()
    // Errors of the parser are thrown, and shown in one line like all others.
    .configureOutput({ outputError: () => undefined })
    .helpOption("-h, --help", "Show this help, or the help of a command.")
    .helpCommand("help [command...]", "Show this help, or the help of a command.");
  // For the list alone: it is run by `run.ts`, since it loads what is its own.
  program.command("serve").description("Start the server. tessera serve --help lists the options.");
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
      "Check whether the local server is ready. Pass the options that you pass to `tessera serve`. Exit code 1: not ready. Useful in images without a shell.",
    )
    .option("--live", "Check only whether the process is up.")
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
    .description("Allow a new bootstrap after all management tokens have been lost.")
    .action(async (_, command: Command) => {
      const { resetBootstrapCommand } = await import("./commands/reset-bootstrap.ts");
      await resetBootstrapCommand(serverArguments(command));
    });
  withServerOptions(program.command("finish-upgrade"), PLACE)
    .description("Finish a rolling upgrade after the last server of the older version has stopped.")
    .action(async (_, command: Command) => {
      const { finishUpgradeCommand } = await import("./commands/finish-upgrade.ts");
      await finishUpgradeCommand(serverArguments(command));
    });
  withServerOptions(program.command("upgrade"), [...PLACE, "edition", "datacenter", "default-policy"])
    .description("Check whether this version can upgrade the database, and list the schema changes. Read-only.")
    .requiredOption("--check", "Check only. Safe while servers are running. To upgrade, start this version.")
    .action(async (_, command: Command) => {
      const { upgradeCheckCommand } = await import("./commands/upgrade-check.ts");
      await upgradeCheckCommand(serverArguments(command));
    });
  withServerOptions(program.command("change-settings"), [...PLACE, "edition", "datacenter", "default-policy"])
    .description(
      "Change settings that all servers of a database share. First stop all servers. Run this command with the new options, and start the servers with the same options.",
    )
    .action(async (_, command: Command) => {
      const { changeSettingsCommand } = await import("./commands/change-settings.ts");
      await changeSettingsCommand(serverArguments(command));
    });
  withServerOptions(program.command("rotate-key"), PLACE)
    .description(
      "Rotate the master key without downtime: run it with --new-key-file, restart every server with the new key, then run it with --finish.",
    )
    .option("--new-key-file <PATH>", "Start the rotation to the master key in this file.")
    .option("--new-key-command <CMD>", "Start the rotation to the master key that this command prints.")
    .option("--finish", "Finish the rotation. Set --key-file to the new key, which then is the only valid key.")
    .option("--abandon", "Cancel the rotation. Set --key-file to the old key, which then is the only valid key.")
    .option("--verify", "Decrypt every encrypted value and list the values that fail.")
    .option("--reseal", "Re-encrypt all secrets with new data keys. Servers do this in the background.")
    .action(async (flags: RotateFlags, command: Command) => {
      const { rotateKeyCommand } = await import("./commands/rotate-key.ts");
      await rotateKeyCommand(flags, serverArguments(command));
    });
}

function addAudit(program: Command): void {
  const audit = program.command("audit").description("Audit log: list records and verify the hash chains.");
  withServerOptions(audit.command("verify"), PLACE)
    .description(
      "Verify the hash chains of the audit log. Reports the first modified, missing or inserted record of each chain and exits with 1. Safe while a server is running.",
    )
    .option(
      "--file <PATH>",
      "Verify this file of serve --audit-file or an export instead of a database. Repeatable for parts, oldest first.",
      collect,
    )
    .option("--head <PATH>", "File with chain heads from --save-heads to compare with. Repeatable.", collect)
    .option("--save-heads <PATH>", "Write the newest head of each chain to this file if the verification succeeds.")
    .action(async (flags: AuditVerifyFlags, command: Command) => {
      const { auditVerifyCommand } = await import("./commands/audit-verify.ts");
      await auditVerifyCommand(flags, serverArguments(command));
    });
}

function addBackups(program: Command): void {
  const backup = withPlace(program.command("backup").argument("<file>", "Output file. - writes to stdout."))
    .description("Back up a database online. The backup does not contain the master key and does not require it.")
    .action(async (file: string, _, command: Command) => {
      const { backupCommand } = await import("./commands/backup.ts");
      await backupCommand(file, serverArguments(command));
    });
  withPlace(backup.command("verify").argument("<file>", "Backup file. Use - to read stdin."))
    .description("Verify the integrity of a backup. With --key-file, also check that the master key matches.")
    .action(async (file: string, _, command: Command) => {
      const { verifyCommand } = await import("./commands/backup.ts");
      await verifyCommand(file, serverArguments(command));
    });
  withPlace(program.command("restore").argument("<file>", "Backup file. Use - to read stdin."))
    .description("Restore a backup into an empty SQLite or PostgreSQL database.")
    .option("--with-logins", "Also restore tokens created by logins.")
    .option(
      "--audit-file <PATH>",
      "Audit file of serve --audit-file. Objects deleted or revoked after the backup are not restored. Repeatable for parts.",
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
      "Copy the database to an empty one, verify the copy and retire the source. Servers no longer start on the source. The master key does not change: pass --key-file or --data-dir.",
    )
    .requiredOption("--from <URL>", "Source database: sqlite:PATH or postgres://user:password@host/database")
    .requiredOption("--to <URL>", "Target database, which must be empty.")
    .option(
      "--cutover",
      "Move while servers are running. Writes fail for at most 30 s. After the move, the source rejects all writes.",
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
  if (option === undefined) throw new Error(`unknown option ${name}`);
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
