/** Commands of commander from what `spec.ts` describes. */
import { Argument as CommanderArgument, Command, Help, Option } from "commander";
import type { Parsed } from "./call.ts";
import { EVERY_FLAGS } from "./every-flags.ts";
import type { Argument, Flag, Noun, Verb } from "./spec.ts";

const EVERYWHERE = "Global options:";
const MORE = 'Run "tessera help options" to list the global options.';

/** Has a command line be parsed, and calls `run` with what it says. */
export function buildNoun(noun: Noun, run: (parsed: Parsed) => Promise<void>): Command {
  const command = bare(noun.name).description(noun.summary);
  command.helpCommand("help [command]", "Show the help of a command.");
  command.addHelpText("after", `\n${MORE}`);
  for (const verb of noun.verbs)
    command.addCommand(buildVerb(verb, `${noun.name} ${verb.name}`, run), { hidden: verb.hidden === true });
  return command;
}

/** The same for a command of one word. */
export function buildVerb(verb: Verb, words: string, run: (parsed: Parsed) => Promise<void>): Command {
  const command = bare(verb.name)
    .summary(verb.summary)
    .description(verb.description === undefined ? verb.summary : `${verb.summary}\n\n${verb.description}`);
  for (const argument of verb.args ?? []) command.addArgument(argumentOf(argument));
  for (const flag of verb.flags ?? []) command.addOption(optionOf(flag));
  for (const flag of EVERY_FLAGS) {
    if (!(verb.flags ?? []).some(({ name }) => name === flag.name))
      command.addOption(optionOf(flag).helpGroup(EVERYWHERE));
  }
  if (verb.examples !== undefined)
    command.addHelpText("after", `\nExamples:\n${verb.examples.map((line) => `  ${line}`).join("\n")}`);
  command.addHelpText("after", `\n${MORE}`);
  return command.action(async (...given: unknown[]) => {
    const args = Object.fromEntries(
      (verb.args ?? []).map(({ name }, index) => [name, given[index] as string | string[] | undefined]),
    );
    await run({ verb, words, args, flags: command.opts<Parsed["flags"]>() });
  });
}

/** Text of `tessera help options`: the options that the help of each command leaves out. */
export function globalOptionsHelp(columns: number): string {
  const command = new Command("tessera")
    .usage("<command> [options]")
    .description("Options of all client commands. You can put them before or after the command.")
    .helpOption(false)
    .configureHelp({ helpWidth: columns });
  for (const flag of EVERY_FLAGS) command.addOption(optionOf(flag).helpGroup(EVERYWHERE));
  return command.helpInformation();
}

/** Leaves out the global options. Suggestions for a mistyped option still know them. */
function formatHelp(command: Command, helper: Help): string {
  const all = helper.visibleOptions(command);
  helper.visibleOptions = () => all.filter(({ helpGroupHeading }) => helpGroupHeading !== EVERYWHERE);
  return Help.prototype.formatHelp.call(helper, command, helper);
}

function bare(name: string): Command {
  return new Command(name)
    .configureHelp({ formatHelp })
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .helpOption("-h, --help", "Show this help.")
    .showSuggestionAfterError(true);
}

function argumentOf({ name, help, optional, many }: Argument): CommanderArgument {
  const word = `${name}${many === true ? "..." : ""}`;
  return new CommanderArgument(optional === true ? `[${word}]` : `<${word}>`, help);
}

function optionOf({ name, short, value, many, help, choices }: Flag): Option {
  const dash = short === undefined ? "" : `-${short}, `;
  const option = new Option(`${dash}--${name}${value === undefined ? "" : ` <${value}>`}`, help);
  if (choices !== undefined) option.choices(choices);
  if (many === true)
    option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
  return option;
}
