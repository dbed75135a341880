/** A file of TypeScript as the parser reads it: long functions, exported types, imports, comments. */
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

/** Lines that a function may have. */
export const MOST_LINES_OF_A_FUNCTION = 60;

/** First words that make a sentence a riddle: its subject comes after its verb, or in the sentence before. */
const RIDDLES = /^(?:What|Whatever|Who|Whose|Whoever|Of|Those|So|Where|That)\b/;

/** A comment may begin so; a text for which this is false need not be parsed. */
const MAY_HOLD_A_RIDDLE = /(?:\/\/|\/\*)[\s/*]*(?:What|Who|Of|Those|So|Where|That)/;

/** A type, interface, class or enum. */
const DECLARES_A_TYPE = /^(?:declare |abstract |const )*(?:type|interface|class|enum)\b/;

export interface Source {
  /** Names of the functions that are too long; one without a name has that of what holds it. */
  readonly longFunctions: readonly string[];
  /** Names of types, interfaces, classes and enums that it declares and exports. */
  readonly typeNames: readonly string[];
  /** Files from the root of the repository, and packages. */
  readonly imports: readonly string[];
}

/** @param file from the root of the repository */
export function readSource(file: string, text: string): Source {
  const parsed = parseSync(file, text);
  const { staticImports, staticExports } = parsed.module;
  const typeNames = staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest, start }) => moduleRequest === null && DECLARES_A_TYPE.test(text.slice(start, start + 60)))
    .map(({ exportName }) => exportName.name ?? "default");
  const requested = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)].flatMap(
    ({ moduleRequest }) => moduleRequest?.value ?? [],
  );
  const imports = requested.map((path) => (path.startsWith(".") ? join(file, "..", path) : path));
  const isLong = linesOf(text) > MOST_LINES_OF_A_FUNCTION;
  return { longFunctions: isLong ? longFunctionsOf(parsed.program, text) : [], typeNames, imports };
}

/** How many comments of a file begin with a riddle. */
export function riddlesOf(file: string, text: string): number {
  if (!MAY_HOLD_A_RIDDLE.test(text)) return 0;
  return parseSync(file, text).comments.filter(({ value }) => RIDDLES.test(value.replace(/^[\s*]+/, ""))).length;
}

export function linesOf(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function longFunctionsOf(program: object, text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, nameAround: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach((each) => visit(each, nameAround));
    const node = value as Node;
    // All functions in a short node are short.
    if (typeof node.type === "string" && linesOf(text.slice(node.start, node.end)) <= MOST_LINES_OF_A_FUNCTION) return;
    const name = nameOf(node) ?? nameAround;
    if (FUNCTIONS.has(node.type)) found.push(name);
    Object.values(node).forEach((each) => visit(each, name));
  };
  visit(program, "(no name)");
  return found;
}

/** The name of a function, of a variable or of a member. */
function nameOf({ id, key }: Node): string | undefined {
  const { name, value } = (id ?? key ?? {}) as { name?: unknown; value?: unknown };
  const text = name ?? value;
  return typeof text === "string" ? text : undefined;
}
