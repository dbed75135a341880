/** Texts that people read: paragraphs of documents, and strings of the program. */
import type { Text } from "./patterns.ts";
import { childrenOf, parseTree, textOf, type SyntaxNode } from "./syntax.ts";

/** A comment with it, and a reason behind it, excuses the line that it stands on and the next one. */
const EXCUSED = /words-ok: \S/;

/** @param source Markdown. @returns paragraphs, items and rows, each as one line, without code */
export function textsOfDocument(source: string): Text[] {
  const texts: Text[] = [];
  let parts: string[] = [];
  let start = 0;
  const end = (): void => {
    const text = parts.join(" ");
    parts = [];
    if (/[a-z]/i.test(text)) texts.push({ text, line: start, isShort: false });
  };
  const lines = withoutBlocks(source).split("\n");
  const excused = new Set(lines.flatMap((line, at) => (EXCUSED.test(line) ? [at, at + 1] : [])));
  for (const [at, line] of lines.entries()) {
    const text = excused.has(at) ? "" : shownOf(line);
    if (text === "" || /^(?:[-*+] |\d+\. |#|\||>)/.test(text)) end();
    if (text === "") continue;
    if (parts.length === 0) start = at + 1;
    parts.push(text.replace(/^(?:[-*+] |\d+\. |#+ |> ?)+/, ""));
    if (/^[#|]/.test(text)) end();
  }
  end();
  return texts;
}

/** Blanks what is no text and longer than a line: front matter, code. Lines keep their numbers. */
function withoutBlocks(source: string): string {
  const blank = (block: string) => block.replaceAll(/[^\n]/g, "");
  return source
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replaceAll(/^[ ]*(```|~~~)[\s\S]*?^[ ]*\1[^\n]*$/gm, blank)
    .replaceAll(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, blank)
    .replaceAll(/^\[[^\]\n]+\]: \S+$/gm, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, (comment) => (EXCUSED.test(comment) ? comment : blank(comment)));
}

function shownOf(line: string): string {
  return line
    .replaceAll(/`+[^`]*`+/g, "`code`")
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\*\*|__/g, "")
    .replace(/^\|\s*/, "| ")
    .trim();
}

/** Strings in these are names, not texts. */
const NAMES = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "TSLiteralType",
  "ImportExpression",
]);
/** Texts in these tags and calls are for machines. */
const MACHINES = /^(?:sql|String\.raw|RegExp)$/;
const CODE =
  /^(?:select|insert|update|delete|create|alter|drop|with|pragma|begin|commit|set|listen|notify|vacuum)\s.*(?:from|into|set|table|index|where|trigger|schema|function|=|\()|^(?:begin (?:immediate|exclusive|isolation level)\b|do \$\$)/is;

/** @param source TypeScript. @returns its strings of two words and more, with `…` for values */
export function textsOfProgram(file: string, source: string): Text[] {
  const lines = lineStarts(source);
  const excused = new Set(source.split("\n").flatMap((line, at) => (EXCUSED.test(line) ? [at + 1, at + 2] : [])));
  const texts: Text[] = [];
  walk(parseTree(file, source), (text, start) => {
    const line = lineAt(lines, start);
    if (!excused.has(line) && isText(text)) texts.push({ text: text.trim(), line, isShort: true });
  });
  return texts;
}

function isText(text: string): boolean {
  return /\p{L}{2,}[,;:]? \p{L}+/u.test(text) && !CODE.test(text.trim());
}

function walk(node: SyntaxNode, found: (text: string, start: number) => void): void {
  if (node.type === "ExportNamedDeclaration" ? node["source"] !== null : NAMES.has(node.type)) return;
  const text = textOf(node);
  if (text !== undefined) found(text, node.start);
  if (node.type === "TaggedTemplateExpression" && MACHINES.test(nameOf(node["tag"] as SyntaxNode))) return;
  for (const { member, child } of childrenOf(node)) {
    if (member !== "key" || node["computed"] === true) walk(child, found);
  }
}

function nameOf(node: SyntaxNode): string {
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type !== "MemberExpression") return "";
  return `${nameOf(node["object"] as SyntaxNode)}.${nameOf(node["property"] as SyntaxNode)}`;
}

function lineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
}

function lineAt(starts: readonly number[], at: number): number {
  const behind = starts.findIndex((start) => start > at);
  return behind < 0 ? starts.length : behind;
}
