/** Types of objects to show and of their output, which commands and output share. */

/** A column of a table. */
export interface OutputColumn {
  readonly title: string;
  /** A path of members, `attributes.name`, or what makes the text. */
  readonly value: string | ((item: Item) => unknown);
  /** Shown only by `--output wide`. */
  readonly wide?: boolean;
}

/** An object of the API as it answers it. */
export type Item = Readonly<Record<string, unknown>>;

/** The forms of results. */
export const FORMATS = ["table", "wide", "json", "yaml", "name"] as const;

/** One of them. */
export type Format = (typeof FORMATS)[number];

/** Columns and name of the objects that are shown. */
export interface OutputView {
  readonly columns: readonly OutputColumn[];
  /** Returns the name of an object, for `--output name`. */
  readonly name: (item: Item) => unknown;
}

/** Output of a command. */
export interface Output {
  readonly format: Format;
  /** Whether a program reads the results. */
  readonly isData: boolean;
  readonly isQuiet: boolean;
  /** Shows objects as they come; gives how many there were. */
  list(items: AsyncIterable<Item>, shown: OutputView): Promise<number>;
  /** Shows one object. */
  item(item: Item, shown: OutputView): Promise<void>;
  /** Shows a value that has no columns: JSON or, for people, YAML. */
  value(value: unknown): Promise<void>;
  /** Text as it is. */
  text(text: string | Uint8Array): Promise<void>;
  /** A line of information, unless `--quiet`. */
  note(text: string): Promise<void>;
  /** A line that is said in any case. */
  warn(text: string): Promise<void>;
  /** Shows work in progress, on a terminal only; the next text replaces it. */
  progress(text: string): Promise<void>;
  /** One of many things that were done: on a terminal as progress, elsewhere a line, unless `--quiet`. */
  step(text: string): Promise<void>;
  /** Lines on standard error in their colours; whatever else of them a terminal would obey is written out. */
  warnLines(lines: readonly OutputLine[]): Promise<void>;
  /** The same on standard output. */
  lines(lines: readonly OutputLine[]): Promise<void>;
  bold(text: string): string;
  colour(text: string, code: Colour): string;
}

/** Red, green, yellow and cyan, as terminals number them. */
export type Colour = 31 | 32 | 33 | 36;

/** A line of text, in a colour where it has one. */
export interface OutputLine {
  readonly text: string;
  readonly colour?: Colour;
}
