/** A source file as planted bugs look at it: its declarations by their names, and its text without comments. */
import { parseSync } from "rolldown/utils";

/** Range of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A source file. */
export interface Code {
  readonly text: string;
  /** As long as `text`, with blanks in place of comments: prose may change without a bug being renewed. */
  readonly bare: string;
  /**
   * Declarations by their dotted paths, such as `createStore.insert`. A path has the outermost declaration, and each class, member of
   * a class and named function on the way; other constants inside of functions are not part of it, since they come and go.
   */
  readonly declared: ReadonlyMap<string, readonly Span[]>;
}

interface Node extends Span {
  readonly type: string;
  readonly [key: string]: unknown;
}

const FUNCTIONS = new Set(["ArrowFunctionExpression", "FunctionExpression", "ClassExpression"]);
const DECLARATIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
]);
const MEMBERS = new Set(["MethodDefinition", "PropertyDefinition"]);
const STATEMENTS = new Set(["ExportNamedDeclaration", "ExportDefaultDeclaration", "VariableDeclaration"]);

/** Reads a file. @throws Error when it is not TypeScript */
export function readCode(file: string, text: string): Code {
  const parsed = parse(file, text);
  const declared = new Map<string, Span[]>();
  collect(parsed.program as unknown as Node, [], undefined, declared);
  return { text, bare: blanked(text, parsed.comments), declared };
}

/** Only the text without comments: the tree, which is nearly all of the work, is not made. @throws as `readCode` */
export function readBare(file: string, text: string): string {
  return blanked(text, parse(file, text).comments);
}

function parse(file: string, text: string): ReturnType<typeof parseSync> {
  const parsed = parseSync(file, text);
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return parsed;
}

/** The text with blanks in place of these parts; lines stay lines. */
export function blanked(text: string, parts: readonly Span[]): string {
  let [result, at] = ["", 0];
  for (const { start, end } of parts.toSorted((one, other) => one.start - other.start)) {
    if (start < at) continue;
    result += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ");
    at = end;
  }
  return result + text.slice(at);
}

/** @param outer the statement that begins the node, when there is one: `export` is part of what it declares */
function collect(node: Node, path: readonly string[], outer: Span | undefined, declared: Map<string, Span[]>): void {
  const name = nameOf(node, path.length === 0);
  const own = name === undefined ? path : [...path, name];
  if (name !== undefined) {
    const key = own.join(".");
    declared.set(key, [...(declared.get(key) ?? []), outer ?? node]);
  }
  const begins = outer ?? (STATEMENTS.has(node.type) ? node : undefined);
  const children = childrenOf(node);
  const isPassed = STATEMENTS.has(node.type) && children.length === 1;
  for (const child of children) collect(child, own, isPassed ? begins : undefined, declared);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";
}

function nameOf(node: Node, isOutermost: boolean): string | undefined {
  if (DECLARATIONS.has(node.type)) return spelled(node["id"]);
  // The signatures of an overloaded function are no declarations of their own.
  if (MEMBERS.has(node.type))
    return isSignature(node["value"]) || node["computed"] === true ? undefined : spelled(node["key"]);
  if (node.type === "VariableDeclarator")
    return isOutermost || isFunction(node["init"]) ? spelled(node["id"]) : undefined;
  if (node.type === "Property") {
    return isFunction(node["value"]) && node["computed"] !== true ? spelled(node["key"]) : undefined;
  }
  return undefined;
}

function isSignature(value: unknown): boolean {
  return isNode(value) && value.type === "TSEmptyBodyFunctionExpression";
}

function isFunction(value: unknown): boolean {
  return isNode(value) && FUNCTIONS.has(value.type);
}

function spelled(id: unknown): string | undefined {
  if (!isNode(id)) return undefined;
  if (id.type === "Identifier") return String(id["name"]);
  if (id.type === "PrivateIdentifier") return `#${String(id["name"])}`;
  return id.type === "Literal" ? String(id["value"]) : undefined;
}
