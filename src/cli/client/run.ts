/** Runs one command line of the commands for people. */
import { CommanderError } from "commander";
import { createCall, type Parsed } from "./call.ts";
import type { Call, EveryFlags, Noun } from "./spec.ts";
import { buildNoun, buildVerb } from "./build.ts";
import { EVERY_FLAGS } from "./every-flags.ts";
import { CliError, EXIT, usage, type ExitCode } from "./exit.ts";
import type { NounEntry } from "./index.ts";
import { createOutput, formatOf } from "./output/output.ts";
import { jsonText, visibleLines } from "./output/values.ts";
import type { ClientSettings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";
import { splitOptions, takesValueOf } from "./words.ts";

/**
 * Runs a command line; what went wrong is on standard error.
 *
 * @param args what follows the word of `entry`
 * @returns the exit code
 */
export async function runEntry(entry: NounEntry, args: readonly string[], io: Surroundings): Promise<ExitCode> {
  let flags: EveryFlags = {};
  let call: Call | undefined;
  const run = async (parsed: Parsed) => {
    flags = parsed.flags;
    call = createCall(io, createOutput(io, flags), parsed);
    await parsed.verb.run(call);
  };
  try {
    const loaded = await entry.load();
    const words = "noun" in loaded ? await verbFirst(loaded.noun, args) : args;
    const command = "noun" in loaded ? buildNoun(loaded.noun, run) : buildVerb(loaded.verb, loaded.verb.name, run);
    const texts: string[] = [];
    command.name(`tessera ${entry.name}`);
    for (const each of [command, ...command.commands])
      each.configureOutput({
        writeOut: (text) => texts.push(text),
        writeErr: (text) => texts.push(text),
        getOutHelpWidth: () => io.stdout.columns ?? 100,
      });
    try {
      await command.parseAsync(words, { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      await io.stdout.write(texts.join(""));
      if (error.exitCode === 0) return EXIT.done;
      // A noun without a verb shows what verbs there are.
      if (error.code === "commander.help") return EXIT.usage;
      throw usageOf(error, entry, words);
    }
    await io.stdout.write(texts.join(""));
    return EXIT.done;
  } catch (error) {
    return fail(error, { flags, args, io, settings: call?.settingsIfRead() ?? {} });
  }
}

/** Verbs of other command-line programs, with those that mean them here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  add: "create",
  describe: "get",
  destroy: "delete",
  ls: "list",
  new: "create",
  patch: "update",
  read: "get",
  remove: "delete",
  rm: "delete",
  set: "update",
  show: "get",
};

/** The word of the command in front, and options that stood before it behind. @throws CliError when there is no such command */
async function verbFirst({ name, verbs }: Noun, args: readonly string[]): Promise<readonly string[]> {
  const flags = [...EVERY_FLAGS, ...verbs.flatMap((verb) => verb.flags ?? [])];
  const { options, words } = splitOptions(args, takesValueOf(flags));
  const [verb, ...rest] = words;
  if (verb === undefined || verb.startsWith("-")) return args;
  if (verb === "help") return [...rest, ...options, "--help"];
  if (verbs.some((each) => each.name === verb)) return [verb, ...options, ...rest];
  const { didYouMean } = await import("../../declared/shape.ts");
  const names = verbs.flatMap((each) => (each.hidden === true ? [] : [each.name]));
  const meant = names.find((each) => each === ELSEWHERE[verb]);
  throw usage(
    `${name} has no command ${JSON.stringify(verb)}${meant === undefined ? didYouMean(verb, names) : `; did you mean ${meant}?`}`,
    `run tessera ${name} --help`,
  );
}

function usageOf({ message }: CommanderError, { name }: NounEntry, args: readonly string[]): CliError {
  const verb = args.find((each) => /^[a-z]/.test(each));
  const text = message
    .replace(/^error: /, "")
    .replace(/\.?$/, "")
    .replaceAll("\n", " ");
  return new CliError(EXIT.usage, text, `run tessera ${name}${verb === undefined ? "" : ` ${verb}`} --help`);
}

interface Failed {
  flags: EveryFlags;
  args: readonly string[];
  io: Surroundings;
  settings: Partial<ClientSettings>;
}

async function fail(error: unknown, { flags, args, io, settings }: Failed): Promise<ExitCode> {
  // It knows the client's errors, which nobody needs before one is met.
  const { tellFailure } = await import("./failure.ts");
  const told = tellFailure(error, settings, io.signal);
  if (isJson(flags, args, io)) {
    const { hints, ...rest } = told;
    await io.stderr.write(`${jsonText({ error: { ...rest, ...(hints.length === 0 ? {} : { hints }) } })}\n`);
    return told.exit;
  }
  const line = visibleLines(told.message)
    .trim()
    .replaceAll(/\s*\n\s*/g, "; ");
  await io.stderr.write(`tessera: ${line}\n${told.hints.map((hint) => `  ${visibleLines(hint)}\n`).join("")}`);
  return told.exit;
}

/** Also of a command line that could not be parsed: whoever asked for JSON reads JSON. */
function isJson(flags: EveryFlags, args: readonly string[], io: Surroundings): boolean {
  try {
    if (flags.output !== undefined) return formatOf(flags, io.env) === "json";
    const index = args.findIndex((each) => each === "-o" || each === "--output");
    if (index !== -1) return args[index + 1] === "json";
    if (args.some((each) => each === "--output=json" || each === "-ojson")) return true;
    return io.env["TESSERA_OUTPUT"] === "json";
  } catch {
    return false;
  }
}
