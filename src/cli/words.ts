/** Command lines whose options stand before the command. */
import { OPTIONS, type OptionName } from "../config/options.ts";
import { EVERY_FLAGS } from "./client/every-flags.ts";
import { splitOptions, takesValueOf } from "./client/words.ts";

/** Commands on a database that have commands below them. */
const WITH_VERBS: ReadonlySet<string> = new Set(["audit", "backup"]);

/** The same command line with its command in front, and behind it the options that stood before; one of options alone stays as it is. */
export function orderedWords(args: readonly string[]): readonly string[] {
  const ofEvery = takesValueOf(EVERY_FLAGS);
  const takesValue = (option: string) => ofEvery(option) ?? takesServerValue(option);
  const { options, words } = splitOptions(args, takesValue);
  const [command, ...rest] = words;
  if (command === undefined) return args;
  if (command === "help") return [...rest, "--help"];
  const behind = splitOptions(rest, takesValue);
  const isVerb = WITH_VERBS.has(command) && behind.words[0] === "verify";
  return isVerb
    ? [command, "verify", ...options, ...behind.options, ...behind.words.slice(1)]
    : [command, ...options, ...rest];
}

function takesServerValue(option: string): boolean | undefined {
  const [name, value] = option.slice(2).split("=", 2);
  const found = OPTIONS.find((each) => each.name === (name as OptionName));
  return !option.startsWith("--") || found === undefined ? undefined : found.type !== "switch" && value === undefined;
}
