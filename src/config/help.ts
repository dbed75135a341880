import type { Option } from "./option.ts";
import { environmentName, OPTIONS, shownValue } from "./options.ts";

const WIDTH = 96;
const INDENT = "      ";

/** Text of `tessera serve --help`: each option with its default and its environment variable. */
export function helpText(): string {
  const entries = OPTIONS.map((option: Option) => {
    const value = option.type === "switch" ? "" : ` ${shownValue(option)}`;
    const facts = [
      ...(option.default === undefined ? [] : [`default ${option.default}`]),
      `environment ${environmentName(option.name)}`,
    ];
    return [`  --${option.name}${value}`, ...wrap(option.help), `${INDENT}(${facts.join("; ")})`].join("\n");
  });
  return [
    "tessera serve [options]",
    "",
    "Starts the server. Set each option with a flag, an environment variable or a key of",
    "the --config file. Flags override environment variables, which override the file.",
    "",
    ...entries,
    "",
  ].join("\n");
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = INDENT;
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = INDENT;
    }
    line += line === INDENT ? word : ` ${word}`;
  }
  lines.push(line);
  return lines;
}
