/**
 * The documents of a file, as plain values with the places of their members. YAML, of which JSON is a part. What a file costs
 * is bounded before it is spent: its bytes, how deep it nests, and how much its aliases make of it.
 */
import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Document,
  type Node,
} from "yaml";
import { wrong, type FilePlace, type Problem } from "./problem.ts";

/** Bytes of one file. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Values of one file, those that aliases repeat counted each time. */
const MAX_VALUES = 1_000_000;
/** How often an alias may stand for something. */
const MAX_ALIASES = 1_000;
const MAX_DEPTH = 64;

export type FileValue = null | string | number | boolean | FileValue[] | { [name: string]: FileValue };
export type Members = Readonly<Record<string, FileValue>>;

/** One object of a file. */
export interface FoundObject {
  readonly members: Members;
  /** Returns the place of the object, or of one of its members. */
  place(member?: string): FilePlace;
}

/**
 * The objects of a file: each document is one, or a list of them. They come one by one, so that a long file of many documents
 * is not held as a whole.
 *
 * @param note takes what is wrong with it; what is wrong with one document does not hide what is wrong with the next
 */
export function* documentsOf(file: string, text: string, note: (problem: Problem) => void): Generator<FoundObject> {
  const lines = new LineCounter();
  const placeOf = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // It cannot be read as text with a mark of its own in front.
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const reading: Reading = { values: 0, aliases: 0, anchors: new Map(), placeOf };
  const documents = new Composer({ uniqueKeys: true, merge: false, version: "1.2" });
  const tokens = shallow(new Parser(lines.addNewLine).parse(plain), (offset) =>
    note({ place: placeOf(offset), message: `nested deeper than ${MAX_DEPTH} levels` }),
  );
  for (const document of documents.compose(tokens)) {
    if (document.errors.length > 0) {
      for (const { message, pos } of document.errors) note({ place: placeOf(pos[0]), message: firstLine(message) });
      continue;
    }
    reading.anchors = new Map();
    for (const node of objectsOf(document)) {
      if (!isMap(node)) {
        note({ place: placeOf(startOf(node)), message: "expected an object with kind and name" });
        continue;
      }
      try {
        yield read(node, reading);
      } catch (error) {
        if (!(error instanceof Error && "problems" in error)) throw error;
        for (const problem of error.problems as readonly Problem[]) note(problem);
      }
    }
  }
}

/** Documents are composed as deep as they are: those that are far too deep for that are told of before, and left out. */
function* shallow(tokens: Iterable<CST.Token>, tell: (offset: number) => void): Generator<CST.Token> {
  try {
    for (const token of tokens) {
      const offset = tooDeepAt(token);
      if (offset === undefined) yield token;
      else tell(offset);
    }
  } catch (error) {
    // The parser itself goes as deep as marks of lists on one line; what stands behind them is not read.
    if (!(error instanceof RangeError)) throw error;
    tell(0);
  }
}

/** Returns the first offset that is deeper than the limit for reads. It does not recurse to that depth itself. */
function tooDeepAt(document: CST.Token): number | undefined {
  let level: CST.Token[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    // A document, and the place of its objects in a list, are no levels of an object.
    if (depth > MAX_DEPTH + 3) return level[0]?.offset;
    level = level.flatMap((token) => {
      if ("items" in token)
        return token.items.flatMap(({ key, value }) =>
          [key, value].filter((each) => each !== null && each !== undefined),
        );
      return token.type === "document" && token.value !== undefined ? [token.value] : [];
    });
  }
  return undefined;
}

interface Reading {
  values: number;
  aliases: number;
  /** Anchors of the document that is being read. */
  anchors: Map<string, unknown>;
  placeOf(offset: number): FilePlace;
}

/** Returns the objects of a document: the document itself, or the items of its list. An empty document has none. */
function objectsOf({ contents }: Document): readonly unknown[] {
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  return isSeq(contents) ? contents.items : [contents];
}

function read(node: Node, reading: Reading): FoundObject {
  const offsets: Record<string, number> = {};
  if (isMap(node)) for (const { key } of node.items) offsets[isScalar(key) ? String(key.value) : ""] = startOf(key);
  const members = plainOf(node, reading, []) as Members;
  const start = startOf(node);
  const { placeOf } = reading;
  return { members, place: (member) => placeOf((member === undefined ? undefined : offsets[member]) ?? start) };
}

/** @param within what it lies in: an alias to one of these would have no end */
function plainOf(node: unknown, reading: Reading, within: readonly unknown[]): FileValue {
  if (++reading.values > MAX_VALUES)
    throw at(node, reading, `the file has more than ${MAX_VALUES} values, including values of aliases`);
  if (within.length > MAX_DEPTH) throw at(node, reading, `nested deeper than ${MAX_DEPTH} levels`);
  if (isAlias(node)) {
    if (++reading.aliases > MAX_ALIASES)
      throw at(node, reading, `the file has more than ${MAX_ALIASES} aliases, including nested aliases`);
    const target = reading.anchors.get(node.source);
    if (target === undefined) throw at(node, reading, `anchor &${node.source} not found`);
    if (within.includes(target))
      throw at(node, reading, `alias *${node.source} is inside its own anchor &${node.source}`);
    return plainOf(target, reading, within);
  }
  noteAnchor(node, reading);
  const inside = [...within, node];
  if (isSeq(node)) return node.items.map((item) => plainOf(item, reading, inside));
  if (isMap(node)) {
    const members = node.items.map(({ key, value }): [string, FileValue] => {
      if (!isScalar(key)) throw at(key, reading, "expected a name");
      return [String(key.value), value === null ? null : plainOf(value, reading, inside)];
    });
    return Object.fromEntries(members);
  }
  return scalarOf(node, reading);
}

/** One name for two things in a document would leave open which of them an alias means. */
function noteAnchor(node: unknown, reading: Reading): void {
  const { anchor } = node as { anchor?: string };
  if (anchor === undefined || anchor === "") return;
  const known = reading.anchors.get(anchor);
  if (known !== undefined && known !== node) throw at(node, reading, `&${anchor} is defined twice`);
  reading.anchors.set(anchor, node);
}

function scalarOf(node: unknown, reading: Reading): FileValue {
  const value: unknown = isScalar(node) ? node.value : null;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  // The source text, where a number would not keep it.
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number")
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : sourceOf(node, value);
  throw at(node, reading, "expected a string, number, boolean or null");
}

function sourceOf(node: unknown, value: number): string {
  return isScalar(node) && typeof node.source === "string" ? node.source : String(value);
}

function at(node: unknown, { placeOf }: Reading, message: string): Error {
  return wrong(message, placeOf(startOf(node)));
}

function startOf(node: unknown): number {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range?.[0] ?? 0;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}
