import { RuleScanner, type Steps, type ScannedMember, type ObjectValue, type ScannedValue } from "./scanner.ts";

const STRING = { plain: /[ !#-[\]-\u{10ffff}]+/uy, escape: /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y };
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[a-z]+/y;
const BLANK = /[ \t\r\n]+/y;

/**
 * Reads rules in their JSON spelling. Repeated keys are kept, each as a member. A comma may stand behind the last element.
 *
 * @throws {RulesError} when it is no JSON object, or nested too deep
 */
export function* parseJson(text: string): Steps<ObjectValue> {
  const scanner = new RuleScanner(text);
  scanner.takeCharacter("\ufeff");
  scanner.take(BLANK);
  const root = yield* parseObject(scanner);
  scanner.take(BLANK);
  if (scanner.next !== "") throw scanner.expected("the end of the text");
  return root;
}

function* parseValue(scanner: RuleScanner): Steps<ScannedValue> {
  const at = scanner.at;
  if (scanner.next === "{") return yield* parseObject(scanner);
  if (scanner.next === "[") return yield* scanner.nested(1, parseList(scanner));
  if (scanner.next === '"') {
    const text = yield* scanner.quoted(STRING);
    return { type: "text", at, end: scanner.at, text };
  }
  const number = scanner.take(NUMBER);
  if (number !== undefined) return { type: "text", at, end: scanner.at, text: number };
  const word = scanner.take(WORD);
  if (word === "null") return { type: "null", at, end: scanner.at };
  if (word === "true" || word === "false") return { type: "text", at, end: scanner.at, text: word };
  scanner.at = at;
  throw scanner.expected("a value");
}

function* parseObject(scanner: RuleScanner): Steps<ObjectValue> {
  const at = scanner.at;
  const members: ScannedMember[] = [];
  if (scanner.next !== "{") throw scanner.expected('"{"');
  yield* scanner.nested(
    1,
    parseElements(scanner, "}", function* () {
      const keyAt = scanner.at;
      if (scanner.next !== '"') throw scanner.expected(members.length === 0 ? 'a quoted name or "}"' : "a quoted name");
      const key = yield* scanner.quoted(STRING);
      scanner.take(BLANK);
      if (!scanner.takeCharacter(":")) throw scanner.expected('":"');
      scanner.take(BLANK);
      members.push({ key, at: keyAt, value: yield* parseValue(scanner) });
    }),
  );
  return { type: "object", at, end: scanner.at, members };
}

function* parseList(scanner: RuleScanner): Steps<ScannedValue> {
  const at = scanner.at;
  const items: ScannedValue[] = [];
  yield* parseElements(scanner, "]", function* () {
    items.push(yield* parseValue(scanner));
  });
  return { type: "list", at, end: scanner.at, items };
}

/** Reads the list between brackets. The next character is the opening bracket. */
function* parseElements(scanner: RuleScanner, end: "}" | "]", parseElement: () => Steps<void>): Steps<void> {
  scanner.at++;
  scanner.take(BLANK);
  if (scanner.takeCharacter(end)) return;
  for (;;) {
    yield* parseElement();
    if (scanner.isDue()) yield;
    scanner.take(BLANK);
    if (scanner.takeCharacter(end)) return;
    if (!scanner.takeCharacter(",")) throw scanner.expected(`"," or "${end}"`);
    scanner.take(BLANK);
    if (scanner.takeCharacter(end)) return;
  }
}
