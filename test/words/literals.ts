/** Texts that the console shows and that are not in its catalogue (`console/src/texts`). */
import { childrenOf, parseTree, textOf, type SyntaxNode } from "./syntax.ts";

/** Attributes and members whose text is shown, however short it is. */
const SHOWN =
  /^(?:label|title|aria-label|placeholder|description|hint|about|aboutNew|empty|alt|summary|caption|saveLabel|startLabel|nothingFoundMessage|what|none)$/;
/** Attributes and members that are styles, names and addresses. */
const UNSHOWN =
  /^(?:w|h|width|height|gap|p|m[trblxy]?|p[trblxy]|c|d|id|key|path|to|href|rel|style|size|color|variant|className|class|role|scope|sort|transform|transition|viewBox|grid\w+|font\w*|command|data-\w+)$/;
/** Calls whose arguments are names of members, parameters and queries. */
const NAMES =
  /^(?:RegExp|useQuery|scopedKey|organizationKey|textIn|localOf|textFlag|inScope|inOrganization|usePathParameter)$|querySelector|closest|matches|matchMedia/;
const STYLE = /\b(?:var|calc|minmax|repeat|rgba?|translate)\(|\d(?:px|rem|fr)\b|^[\s[.#>/?-]/;

/** A text of the console: its line, counted from 1, and its words, with `…` for values. */
export interface Literal {
  readonly line: number;
  readonly text: string;
}

/** @param source TypeScript with JSX. @returns what it shows to people in its own words, in the order of the file */
export function literalsIn(file: string, source: string): Literal[] {
  const found: Literal[] = [];
  walk(parseTree(file, source), "", (text, start) =>
    found.push({ line: source.slice(0, start).split("\n").length, text }),
  );
  return found;
}

/** @param name that of the attribute or member which holds the node, empty for children of elements */
function walk(node: SyntaxNode, name: string, found: (text: string, start: number) => void): void {
  if (/^(?:Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(node.type) || UNSHOWN.test(name)) return;
  if (node.type === "BinaryExpression" && node["operator"] !== "+") return;
  if (/^(?:Call|New)Expression$/.test(node.type) && NAMES.test(calleeOf(node["callee"] as SyntaxNode))) return;
  const text = node.type === "JSXText" ? textOf(node)?.trim() : textOf(node);
  if (text !== undefined && isShown(text, node.type === "JSXText" ? "child" : name)) found(text, node.start);
  for (const { member, child } of childrenOf(node)) {
    if (member === "key" || member === "typeArguments" || member === "typeAnnotation") continue;
    walk(child, within(node, name), found);
  }
}

function within(node: SyntaxNode, name: string): string {
  if (node.type === "JSXAttribute") return String((node["name"] as SyntaxNode)["name"]);
  if (node.type === "MemberExpression") return "id";
  if (node.type === "Property") return nameOf(node["key"] as SyntaxNode);
  return /^(?:JSX(?:Element|Fragment)|CallExpression|ArrowFunctionExpression|BlockStatement)$/.test(node.type)
    ? ""
    : name;
}

function isShown(text: string, name: string): boolean {
  if (!/\p{L}/u.test(text)) return false;
  if (name === "child" || SHOWN.test(name)) return true;
  return /\p{L}{2,}[,.:;]? (?:\p{L}{2,}|…)|… \p{L}{2,}/u.test(text) && !STYLE.test(text);
}

function nameOf(node: SyntaxNode): string {
  const name = node["name"] ?? node["value"];
  return typeof name === "string" ? name : "";
}

function calleeOf(node: SyntaxNode): string {
  return node.type === "MemberExpression" ? nameOf(node["property"] as SyntaxNode) : nameOf(node);
}
