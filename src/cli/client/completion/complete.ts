/** Completes a command line that a user is typing. */
import { EVERY_FLAGS } from "../every-flags.ts";
import { ENTRIES, findEntry } from "../index.ts";
import type { GlobalFlags } from "../settings.ts";
import type { Argument, Completion, Flag, Verb } from "../spec.ts";
import { namesOf, type CompletionContext } from "./names.ts";

/** Commands that work on a database, and take files or nothing. */
const SERVER_COMMANDS = [
  "serve",
  "backup",
  "restore",
  "move",
  "rotate-key",
  "reset-bootstrap",
  "finish-upgrade",
  "change-settings",
];

/**
 * The words that fit, each with its meaning behind a tab; `:files` where a file is wanted.
 *
 * @param words what follows `tessera`; the last one is being typed, and may be empty
 */
export async function complete(words: readonly string[], asking: CompletionContext): Promise<string[]> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const fits = (lines: readonly string[]) => lines.filter((line) => line.startsWith(current));
  const [first, second] = before;
  if (first === undefined) {
    return fits([
      ...ENTRIES.map(({ name, summary }) => `${name}\t${summary}`),
      ...SERVER_COMMANDS,
      "help",
      "--version",
    ]);
  }
  const loaded = await findEntry(first)?.load();
  if (loaded === undefined) return SERVER_COMMANDS.includes(first) ? [":files"] : [];
  if ("verb" in loaded) return ofVerb(loaded.verb, before.slice(1), current, asking, fits);
  if (second === undefined)
    return fits(
      loaded.noun.verbs.filter(({ hidden }) => hidden !== true).map(({ name, summary }) => `${name}\t${summary}`),
    );
  const verb = loaded.noun.verbs.find(({ name }) => name === second);
  return verb === undefined ? [] : ofVerb(verb, before.slice(2), current, asking, fits);
}

type Fits = (lines: readonly string[]) => string[];

async function ofVerb(
  verb: Verb,
  before: readonly string[],
  current: string,
  asking: CompletionContext,
  fits: Fits,
): Promise<string[]> {
  const flags = [
    ...(verb.flags ?? []),
    ...EVERY_FLAGS.filter(({ name }) => !(verb.flags ?? []).some((own) => own.name === name)),
  ];
  const { open, position, given } = readWords(before, flags);
  if (open !== undefined) {
    if (open.choices !== undefined) return fits(open.choices);
    return open.complete === undefined ? [] : values(open.complete, given, asking, fits);
  }
  if (current.startsWith("-")) return fits(flags.map(({ name, help }) => `--${name}\t${help}`));
  const args = verb.args ?? [];
  const argument: Argument | undefined = args[position] ?? (args.at(-1)?.many === true ? args.at(-1) : undefined);
  return argument?.complete === undefined ? [] : values(argument.complete, given, asking, fits);
}

async function values(what: Completion, given: GlobalFlags, asking: CompletionContext, fits: Fits): Promise<string[]> {
  if (what === "file") return [":files"];
  return fits(await namesOf(what, given, asking));
}

interface Read {
  /** The flag whose value is being typed. */
  open: Flag | undefined;
  /** How many words that are no flags are there already. */
  position: number;
  /** Flags so far that select the server and the scope. */
  given: GlobalFlags;
}

function readWords(words: readonly string[], flags: readonly Flag[]): Read {
  const given: Record<string, string> = {};
  let position = 0;
  let open: Flag | undefined;
  for (const word of words) {
    if (open !== undefined) {
      given[open.name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())] = word;
      open = undefined;
      continue;
    }
    const name = /^--([a-z][a-z-]*)$/.exec(word)?.[1];
    const short = /^-([A-Za-z])$/.exec(word)?.[1];
    const flag = flags.find(
      (each) => (name !== undefined && each.name === name) || (short !== undefined && each.short === short),
    );
    if (flag?.value !== undefined) open = flag;
    else if (!word.startsWith("-")) position++;
  }
  const { address, context, namespace, partition, organization, caFile, clientCert, clientKey } = given;
  const known = { address, context, namespace, partition, organization, caFile, clientCert, clientKey };
  return {
    open,
    position,
    given: Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}
