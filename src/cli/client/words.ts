/** The words of a command line: options may stand anywhere, also before the command that they are for. */
import type { Flag } from "./spec.ts";

/** Whether the word behind an option is its value; undefined for what is no option that is known. */
export type TakesValue = (option: string) => boolean | undefined;

/** What of these options takes a value. An option that comes several times is as it is the first time. */
export function takesValueOf(flags: readonly Flag[]): TakesValue {
  return (option) => {
    if (option === "-h" || option === "--help") return false;
    if (option.startsWith("--")) {
      const [name = "", value] = option.slice(2).split("=", 2);
      const flag = flags.find((each) => each.name === name);
      return flag === undefined ? undefined : flag.value !== undefined && value === undefined;
    }
    // `-q`, `-n team`, `-nteam`, and `-qy` for two of them.
    for (let at = 1; at < option.length; at++) {
      const flag = flags.find(({ short }) => short === option[at]);
      if (flag === undefined) return undefined;
      if (flag.value !== undefined) return at === option.length - 1;
    }
    return false;
  };
}

/**
 * Splits a command line before its first word that is no option.
 *
 * @returns the options in front, with their values, and all from that word on
 */
export function splitOptions(
  args: readonly string[],
  takesValue: TakesValue,
): { options: readonly string[]; words: readonly string[] } {
  let at = 0;
  for (let word = args[at]; word !== undefined && /^-[^-]|^--./.test(word); word = args[at]) {
    const takes = takesValue(word);
    if (takes === undefined) break;
    at += takes ? 2 : 1;
  }
  return { options: args.slice(0, at), words: args.slice(at) };
}
