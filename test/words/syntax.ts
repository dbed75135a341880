/** The syntax tree of a source, as the checks of texts walk it. */
import { parseSync } from "rolldown/utils";

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

/** @param file decides by its ending whether the source has JSX */
export function parseTree(file: string, source: string): SyntaxNode {
  return parseSync(file, source).program as unknown as SyntaxNode;
}

/** @returns nodes that a node contains, with the member that holds each of them */
export function childrenOf(node: SyntaxNode): { readonly member: string; readonly child: SyntaxNode }[] {
  return Object.entries(node).flatMap(([member, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((child) =>
      isNode(child) ? [{ member, child }] : [],
    ),
  );
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}

/** @returns text of a string, of JSX or of a template, with `…` for values; undefined for other nodes */
export function textOf(node: SyntaxNode): string | undefined {
  if (node.type === "JSXText") return String(node["value"]).replaceAll(/\s+/g, " ");
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  return (node["quasis"] as { value: { cooked: string | null } }[]).map(({ value }) => value.cooked ?? "").join("…");
}
