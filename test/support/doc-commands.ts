/** Whether the command lines of the pages are ones that the program has. */
import type { Command } from "commander";
import { EVERY_FLAGS } from "../../src/cli/client/every-flags.ts";
import { ENTRIES } from "../../src/cli/client/index.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { OPTIONS } from "../../src/config/options.ts";

/** Words and flags that stand behind `tessera` in a line of a shell, or of its grammar. */
function commandsIn(text: string): string[][] {
  const lines = text.replaceAll(/\\\n\s*/g, " ").split("\n");
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:^|[|;&(]|\$ |then|do|! |npx )\s*tessera +(?<rest>[^|;&><#()]*)/g)].map(({ groups = {} }) =>
      (groups["rest"] ?? "")
        .replaceAll(/"[^"]*"|'[^']*'/g, "TEXT")
        .replaceAll(/[[\]`]/g, " ")
        .split(/\s+/)
        .filter(Boolean),
    ),
  );
}

/** Faults in the command lines of a text; empty if there are none. */
export async function faultsOfCommands(text: string): Promise<string[]> {
  const faults: string[] = [];
  for (const words of commandsIn(text)) {
    const known = await flagsOf(words);
    const line = `tessera ${words.join(" ")}`;
    if (known === undefined) faults.push(`there is no such command: ${line}`);
    else {
      const flags = words.flatMap((word) => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? []);
      faults.push(...flags.filter((flag) => !known.has(flag)).map((flag) => `there is no --${flag}: ${line}`));
    }
  }
  return faults;
}

/** The flags that a command takes; undefined for a command that there is not. */
async function flagsOf([name = "", second = ""]: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const always = ["help", "version"];
  if (name.startsWith("-")) return new Set(always);
  if (name === "serve") return new Set([...always, "config", ...OPTIONS.map((each) => each.name)]);
  const program = buildProgram();
  const declared = program.commands.find((each) => each.name() === name);
  const inner = declared?.commands.find((each) => each.name() === second);
  const own = inner ?? declared;
  if (own !== undefined && own.options.length > 0) return new Set([...always, ...longFlags(own)]);
  const loaded = await ENTRIES.find((each) => each.name === name)?.load();
  if (loaded === undefined) return undefined;
  const verb = "verb" in loaded ? loaded.verb : loaded.noun.verbs.find((each) => each.name === second);
  if (verb === undefined) return undefined;
  return new Set([...always, ...[...EVERY_FLAGS, ...(verb.flags ?? [])].map((each) => each.name)]);
}

function longFlags(command: Command): string[] {
  return command.options.flatMap(({ long }) => long?.slice(2) ?? []);
}
