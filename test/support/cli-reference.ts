/** The reference of the commands for people, as docs/reference/cli.md has it. `node test/support/cli-reference.ts` writes it there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EVERY_FLAGS } from "../../src/cli/client/every-flags.ts";
import { ENTRIES } from "../../src/cli/client/index.ts";
import type { Flag, Verb } from "../../src/cli/client/spec.ts";
import { VARIABLES } from "../../src/config/client-variables.ts";

const BEGIN = "<!-- reference: npm run docs:cli -->";

/** The page. */
export const PAGE = resolve(import.meta.dirname, "../../docs/reference/cli.md");

/** Text that the page must contain after its mark. */
export async function referenceText(): Promise<string> {
  const parts = [`${BEGIN}\n`, "## Global options\n", table(EVERY_FLAGS), "## Variables\n", variables()];
  for (const entry of ENTRIES) {
    const loaded = await entry.load();
    parts.push(`## \`tessera ${entry.name}\`\n`, `${entry.summary}\n`);
    if ("verb" in loaded) parts.push(...body(entry.name, loaded.verb));
    else
      for (const verb of loaded.noun.verbs)
        if (verb.hidden !== true) parts.push(...section(`${entry.name} ${verb.name}`, verb));
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

/** The page's part before the mark, and the one behind it. */
export function splitPage(): [text: string, reference: string] {
  const text = readFileSync(PAGE, "utf8");
  const index = text.indexOf(BEGIN);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index)];
}

function section(words: string, verb: Verb): string[] {
  const text = verb.description === undefined ? verb.summary : `${verb.summary} ${verb.description}`;
  return [`### \`${usage(words, verb)}\`\n`, `${escaped(text)}\n`, ...details(verb)];
}

function body(words: string, verb: Verb): string[] {
  return [
    `\`${usage(words, verb)}\`\n`,
    ...(verb.description === undefined ? [] : [`${escaped(verb.description)}\n`]),
    ...details(verb),
  ];
}

function details({ args = [], flags = [], examples = [] }: Verb): string[] {
  const told = args.map(({ name, help }) => `- \`${name}\`: ${escaped(help)}\n`).join("");
  return [
    ...(told === "" ? [] : [told]),
    ...(flags.length === 0 ? [] : [table(flags)]),
    ...(examples.length === 0 ? [] : [`\`\`\`text\n${examples.join("\n")}\n\`\`\`\n`]),
  ];
}

function usage(words: string, { args = [] }: Verb): string {
  const told = args.map(({ name, many, optional }) => {
    const word = `${name}${many === true ? "..." : ""}`;
    return optional === true ? `[${word}]` : `<${word}>`;
  });
  return ["tessera", words, ...told].join(" ");
}

function table(flags: readonly Flag[]): string {
  const rows = flags.map(({ name, short, value, help, choices }) => {
    const flag = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
    return `| \`${flag.replaceAll("|", "\\|")}\` | ${escaped(help)}${choices === undefined ? "" : ` One of ${choices.map((each) => `\`${each}\``).join(", ")}.`} |\n`;
  });
  return `| Option | |\n| --- | --- |\n${rows.join("")}`;
}

function variables(): string {
  return `| Variable | |\n| --- | --- |\n${Object.entries(VARIABLES)
    .map(([name, help]) => `| \`${name}\` | ${help} |\n`)
    .join("")}`;
}

/** Escapes characters that have a meaning in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[|*<]/g, String.raw`\$&`);
}

if (process.argv[1] === join(import.meta.dirname, "cli-reference.ts")) {
  const [text] = splitPage();
  writeFileSync(PAGE, text + (await referenceText()));
}
