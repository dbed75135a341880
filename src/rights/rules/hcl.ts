import {
  RulesError,
  RuleScanner,
  type Steps,
  type ScannedMember,
  type ObjectValue,
  type ScannedValue,
} from "./scanner.ts";

const STRING = {
  plain: /[^"\\\n]+/y,
  escape: /\\(?:["\\abfnrtv]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y,
};
const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const NUMBER = /-?(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/y;
const BLANK = /(?:[ \t\r\n]+|#[^\n]*|\/\/[^\n]*)+/y;
const LINE = /[^\n]*/y;
const HEREDOC = /<<-?[\p{L}\p{N}_.-]+\r?\n/uy;

/**
 * Reads rules written in HCL, version 1. A block with labels becomes objects in
 * each other, so `node "a" { … }` and `node = { a = { … } }` are the same.
 *
 * @param mayRepeat whether a block may have an argument (`name = …`) several times
 * @throws {RulesError} when it is not HCL, or nested too deep
 */
export function* parseHcl(text: string, mayRepeat: boolean): Steps<ObjectValue> {
  const scanner = new HclScanner(text, mayRepeat);
  scanner.takeCharacter("\ufeff");
  const members = yield* parseMembers(scanner, "");
  return { type: "object", at: 0, end: scanner.at, members };
}

class HclScanner extends RuleScanner {
  readonly #mayRepeat: boolean;

  constructor(text: string, mayRepeat: boolean) {
    super(text);
    this.#mayRepeat = mayRepeat;
  }

  /** Notes an argument of a block. @throws {RulesError} when the block has it already */
  noteArgument({ key, at }: ScannedMember, names: Set<string>): void {
    if (this.#mayRepeat) return;
    if (names.has(key)) throw RulesError.repeated(this.text, at, key);
    names.add(key);
  }
}

/** Members up to the closing brace, or to the end of the text where `end` is empty. */
function* parseMembers(scanner: HclScanner, end: "}" | ""): Steps<ScannedMember[]> {
  const members: ScannedMember[] = [];
  const names = new Set<string>();
  for (;;) {
    skipBlank(scanner);
    if (scanner.next === end) return members;
    members.push(yield* parseMember(scanner, end, names));
    if (scanner.isDue()) yield;
    skipBlank(scanner);
    scanner.takeCharacter(",");
  }
}

/** @param names of the arguments that the block has already */
function* parseMember(scanner: HclScanner, end: "}" | "", names: Set<string>): Steps<ScannedMember> {
  const keys: { key: string; at: number }[] = [];
  for (let key = yield* parseKey(scanner); key !== undefined; key = yield* parseKey(scanner)) keys.push(key);
  const [first, ...labels] = keys;
  if (first === undefined) throw scanner.expected(end === "" ? "a name" : 'a name or "}"');
  if (labels.length === 0 && scanner.takeCharacter("=")) {
    skipBlank(scanner);
    const argument = { ...first, value: yield* parseValue(scanner) };
    scanner.noteArgument(argument, names);
    return argument;
  }
  if (scanner.next !== "{") throw scanner.expected(labels.length === 0 ? '"=", "{" or a label' : '"{"');
  let value: ScannedValue = yield* scanner.nested(labels.length, parseObject(scanner));
  const { end: behind } = value;
  for (const label of labels.reverse())
    value = { type: "object", at: label.at, end: behind, members: [{ ...label, value }] };
  return { ...first, value };
}

function* parseKey(scanner: HclScanner): Steps<{ key: string; at: number } | undefined> {
  const at = scanner.at;
  const key = scanner.next === '"' ? yield* scanner.quoted(STRING) : scanner.take(NAME);
  if (key === undefined) return undefined;
  skipBlank(scanner);
  return { key, at };
}

function* parseValue(scanner: HclScanner): Steps<ScannedValue> {
  const at = scanner.at;
  if (scanner.next === "{") return yield* parseObject(scanner);
  if (scanner.next === "[") return yield* scanner.nested(1, parseList(scanner));
  if (scanner.next === '"' || scanner.next === "<") {
    const text = scanner.next === "<" ? yield* parseHeredoc(scanner) : yield* scanner.quoted(STRING);
    return { type: "text", at, end: scanner.at, text };
  }
  const word = scanner.take(NUMBER) ?? scanner.take(NAME);
  if (word !== undefined && (word === "true" || word === "false" || /^[-0-9]/.test(word))) {
    return { type: "text", at, end: scanner.at, text: word };
  }
  scanner.at = at;
  throw scanner.expected("a quoted string, a number, true, false, a list or an object");
}

function* parseObject(scanner: HclScanner): Steps<ObjectValue> {
  return yield* scanner.nested(1, parseBraces(scanner));
}

function* parseBraces(scanner: HclScanner): Steps<ObjectValue> {
  const at = scanner.at++;
  const members = yield* parseMembers(scanner, "}");
  scanner.at++;
  return { type: "object", at, end: scanner.at, members };
}

function* parseList(scanner: HclScanner): Steps<ScannedValue> {
  const at = scanner.at++;
  const items: ScannedValue[] = [];
  skipBlank(scanner);
  while (!scanner.takeCharacter("]")) {
    items.push(yield* parseValue(scanner));
    if (scanner.isDue()) yield;
    skipBlank(scanner);
    const comma = scanner.takeCharacter(",");
    skipBlank(scanner);
    if (!comma && scanner.next !== "]") throw scanner.expected('"," or "]"');
  }
  return { type: "list", at, end: scanner.at, items };
}

/**
 * Lines up to one that holds the marker alone, indented or not. Lines keep their
 * indentation, after `<<-` too: no permission is written so, and nothing else is read.
 */
function* parseHeredoc(scanner: HclScanner): Steps<string> {
  const start = scanner.at;
  const opening = scanner.take(HEREDOC);
  if (opening === undefined) throw scanner.error("expected a marker and the end of the line after <<");
  const marker = opening.replace(/^<<-?/, "").trimEnd();
  const { at: begin } = scanner;
  for (;;) {
    const { at: end } = scanner;
    const line = scanner.take(LINE) ?? "";
    if (line.trim() === marker) return scanner.text.slice(begin, end);
    if (!scanner.takeCharacter("\n")) throw scanner.error(`expected a line ${marker} that ends this text`, start);
    if (scanner.isDue()) yield;
  }
}

function skipBlank(scanner: RuleScanner): void {
  for (;;) {
    scanner.take(BLANK);
    if (!scanner.text.startsWith("/*", scanner.at)) return;
    const end = scanner.text.indexOf("*/", scanner.at + 2);
    if (end < 0) throw scanner.error('expected "*/" that ends this comment');
    scanner.at = end + 2;
  }
}
