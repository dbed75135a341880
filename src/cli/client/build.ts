/** Commands of commander from what `spec.ts` describes. */
import { Argument as CommanderArgument, Command, Option } from "commander";
import type { Parsed } from "./call.ts";
import { FORMATS } from "./output/types.ts";
import type { Argument, Flag, Noun, Verb } from "./spec.ts";

const EVERYWHERE = "Options of every command:";

/** What every command takes. */
export const EVERY_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "FORMAT",
    choices: FORMATS,
    help: "The form of results; table unless TESSERA_OUTPUT says another.",
  },
  { name: "quiet", short: "q", help: "Say nothing on standard error but errors and questions." },
  { name: "no-color", help: "No colours; so does NO_COLOR." },
  { name: "yes", short: "y", help: "Do not ask before something goes." },
  { name: "dry-run", help: "Show what would be sent, and change nothing." },
  { name: "take-over", help: "Also change what a directory of files owns." },
  {
    name: "context",
    value: "NAME",
    help: "Another context than the one in use (TESSERA_CONTEXT).",
    complete: "context",
  },
  { name: "address", value: "URL", help: "The server (TESSERA_ADDR)." },
  {
    name: "token-file",
    value: "PATH",
    help: "A file that holds the token; - is standard input (TESSERA_TOKEN_FILE, TESSERA_TOKEN).",
    complete: "file",
  },
  {
    name: "namespace",
    short: "n",
    value: "NAME",
    help: "The namespace, under /v1 (TESSERA_NAMESPACE).",
    complete: "namespace",
  },
  { name: "partition", value: "NAME", help: "The partition, under /v1 (TESSERA_PARTITION).", complete: "partition" },
  {
    name: "organization",
    short: "O",
    value: "NAME",
    help: "The organization, under /api/v2 (TESSERA_ORGANIZATION).",
    complete: "organization",
  },
  {
    name: "ca-file",
    value: "PATH",
    help: "Certificates of authorities in PEM, beside the system's (TESSERA_CA_FILE).",
    complete: "file",
  },
  { name: "client-cert", value: "PATH", help: "A client certificate in PEM (TESSERA_CLIENT_CERT).", complete: "file" },
  { name: "client-key", value: "PATH", help: "Its private key (TESSERA_CLIENT_KEY).", complete: "file" },
  { name: "timeout", value: "SECONDS", help: "How long one answer may take; 60 unless set." },
];

/** Has a command line be parsed, and calls `run` with what it says. */
export function buildNoun(noun: Noun, run: (parsed: Parsed) => Promise<void>): Command {
  const command = bare(noun.name).description(noun.summary);
  command.helpCommand("help [command]", "Show the help of a command.");
  for (const verb of noun.verbs)
    command.addCommand(buildVerb(verb, `${noun.name} ${verb.name}`, run), { hidden: verb.hidden === true });
  return command;
}

/** The same for a command of one word. */
export function buildVerb(verb: Verb, words: string, run: (parsed: Parsed) => Promise<void>): Command {
  const command = bare(verb.name)
    .summary(verb.summary)
    .description(verb.description ?? verb.summary);
  for (const argument of verb.args ?? []) command.addArgument(argumentOf(argument));
  for (const flag of verb.flags ?? []) command.addOption(optionOf(flag));
  for (const flag of EVERY_FLAGS) {
    if (!(verb.flags ?? []).some(({ name }) => name === flag.name))
      command.addOption(optionOf(flag).helpGroup(EVERYWHERE));
  }
  if (verb.examples !== undefined)
    command.addHelpText("after", `\nExamples:\n${verb.examples.map((line) => `  ${line}`).join("\n")}`);
  return command.action(async (...given: unknown[]) => {
    const args = Object.fromEntries(
      (verb.args ?? []).map(({ name }, index) => [name, given[index] as string | string[] | undefined]),
    );
    await run({ verb, words, args, flags: command.opts<Parsed["flags"]>() });
  });
}

function bare(name: string): Command {
  return new Command(name)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .helpOption("-h, --help", "Show this text.")
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
