/** Results, on standard output and nowhere else; notes, questions and progress, on standard error. */
import { CutShort, usage } from "../exit.ts";
import {
  FORMATS,
  type Colour,
  type OutputColumn,
  type Format,
  type Item,
  type OutputLine,
  type Output,
  type OutputView,
} from "./types.ts";
import type { TextSink, Surroundings } from "../surroundings.ts";
import { cellOf, tableFor, type Table } from "./table.ts";
import { brokenLines, jsonText, visible, visibleLines, plain } from "./values.ts";

/** How many rows settle the widths of a table. */
const FIRST_ROWS = 200;

/** Flags of every command that control its output. */
export interface OutputFlags {
  readonly output?: string;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

/** The form that is asked for. @throws CliError on one that there is not */
export function formatOf(flags: OutputFlags, env: Surroundings["env"]): Format {
  const text = flags.output ?? (env["TESSERA_OUTPUT"] || "table");
  const format = FORMATS.find((each) => each === text);
  if (format === undefined) throw usage(`unknown output format ${JSON.stringify(text)}; choose ${FORMATS.join(", ")}`);
  return format;
}

/** Makes the output of a command. */
export function createOutput({ stdout, stderr, env }: Surroundings, flags: OutputFlags): Output {
  const format = formatOf(flags, env);
  const isQuiet = flags.quiet === true;
  const hasColour = flags.color !== false && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  let isProgressShown = false;
  const clear = () => (isProgressShown ? "\r\u001b[K" : "");
  const tell = async (text: string) => {
    const before = clear();
    isProgressShown = false;
    await stderr.write(`${before}${visibleLines(text)}\n`);
  };
  const print = async (text: string) => {
    if (isProgressShown) await stderr.write(clear());
    isProgressShown = false;
    await stdout.write(text);
  };
  const painter = (sink: TextSink) => (text: string, code: number) =>
    hasColour && sink.isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text;
  const paint = painter(stdout);
  const output: Output = {
    format,
    isQuiet,
    isData: format === "json" || format === "yaml",
    list: (items, shown) => orCutShort(items, (counted) => listTo(output, counted, shown, print, stdout.columns)),
    item: async (item, shown) => itemTo(output, item, shown, print, stdout.columns),
    async value(value) {
      await print(format === "json" ? `${jsonText(value, 2)}\n` : await yamlOf(value));
    },
    async text(text) {
      if (isProgressShown) await stderr.write(clear());
      isProgressShown = false;
      await stdout.write(text);
    },
    note: async (text) => (isQuiet ? undefined : tell(text)),
    warn: tell,
    step: async (text) => (stderr.isTerminal ? output.progress(text) : output.note(visible(text))),
    warnLines: async (lines) => {
      const before = clear();
      isProgressShown = false;
      await stderr.write(before + paintedLines(lines, painter(stderr)));
    },
    lines: async (lines) => print(paintedLines(lines, paint)),
    async progress(text) {
      if (isQuiet || !stderr.isTerminal) return;
      isProgressShown = true;
      await stderr.write(`\r${visible(text).slice(0, (stderr.columns ?? 80) - 1)}\u001b[K`);
    },
    bold: (text) => paint(text, 1),
    colour: paint,
  };
  return output;
}

/** Writes a list. @throws CutShort of one that breaks off after some of it was written */
async function orCutShort<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  write: (counted: AsyncGenerator<T>) => Promise<R>,
): Promise<R> {
  let count = 0;
  const counted = async function* () {
    for await (const item of items) {
      yield item;
      count++;
    }
  };
  try {
    return await write(counted());
  } catch (error) {
    throw count === 0 ? error : new CutShort(count, { cause: error });
  }
}

function paintedLines(lines: readonly OutputLine[], paint: (text: string, code: Colour) => string): string {
  return lines
    .map(({ text, colour }) => `${colour === undefined ? visibleLines(text) : paint(visibleLines(text), colour)}\n`)
    .join("");
}

type Print = (text: string) => Promise<void>;

async function listTo(
  output: Output,
  items: AsyncIterable<Item>,
  shown: OutputView,
  print: Print,
  room: number | undefined,
): Promise<number> {
  if (output.format === "json") return jsonList(items, print);
  let count = 0;
  if (output.format === "table" || output.format === "wide") return tableList(output, items, shown, print, room);
  for await (const item of items) {
    count++;
    await print(output.format === "name" ? `${visible(plain(shown.name(item), ""))}\n` : await yamlOf([item]));
  }
  if (count === 0 && output.format === "yaml") await print("[]\n");
  return count;
}

/** One array, written as its objects come, so that a reader may begin and a list may be long. */
async function jsonList(items: AsyncIterable<Item>, print: Print): Promise<number> {
  let count = 0;
  for await (const item of items) {
    const text = jsonText(item, 2).replaceAll("\n", "\n  ");
    await print(count === 0 ? `[\n  ${text}` : `,\n  ${text}`);
    count++;
  }
  await print(count === 0 ? "[]\n" : "\n]\n");
  return count;
}

async function tableList(
  output: Output,
  items: AsyncIterable<Item>,
  { columns }: OutputView,
  print: Print,
  room: number | undefined,
): Promise<number> {
  const chosen = columns.filter(({ wide }) => output.format === "wide" || wide !== true);
  const waiting: Item[] = [];
  let table: Table | undefined;
  let count = 0;
  const begin = async () => {
    table = tableFor(chosen, waiting, room);
    await print(`${output.bold(table.header)}\n${waiting.map((item) => `${table?.row(item) ?? ""}\n`).join("")}`);
  };
  for await (const item of items) {
    count++;
    if (table !== undefined) await print(`${table.row(item)}\n`);
    else if (waiting.push(item) === FIRST_ROWS) await begin();
  }
  if (table === undefined && count > 0) await begin();
  if (count === 0) await output.note("No results.");
  const left = table?.left ?? [];
  if (left.length > 0) await output.note(`Columns not shown: ${left.join(", ")}. Use -o yaml to show all.`);
  return count;
}

async function itemTo(
  output: Output,
  item: Item,
  { columns, name }: OutputView,
  print: Print,
  room: number | undefined,
): Promise<void> {
  if (output.isData) return output.value(item);
  if (output.format === "name") return print(`${visible(plain(name(item), ""))}\n`);
  const width = Math.max(...columns.map(({ title }) => title.length));
  for (const column of columns) {
    const title = `${column.title}:`;
    const text = fullText(item, column);
    const isOfLines = text.startsWith("\n");
    const line = isOfLines ? title + text : `${title.padEnd(width + 1)} ${text}`;
    const shown = isOfLines ? line : brokenLines(line, room ?? Infinity, 2).join("\n");
    await print(`${output.bold(title)}${shown.slice(title.length)}\n`);
  }
}

/** Text of several lines stays so, below its title. */
function fullText(item: Item, column: OutputColumn): string {
  const value = typeof column.value === "string" ? undefined : column.value(item);
  const text = value ?? (typeof column.value === "string" ? item[column.value] : undefined);
  if (typeof text !== "string" || !text.includes("\n")) return cellOf(item, column);
  return `\n${visibleLines(text.trimEnd()).replaceAll(/^/gm, "  ")}`;
}

/** A value as YAML, of which a terminal obeys nothing. */
export async function yamlOf(value: unknown): Promise<string> {
  const { Document, visit } = await import("yaml");
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      // Only between these quotes is an escape what it stands for.
      if (typeof node.value === "string" && visibleLines(node.value) !== node.value) node.type = "QUOTE_DOUBLE";
    },
  });
  return visibleLines(document.toString({ lineWidth: 0 }));
}
