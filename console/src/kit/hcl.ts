/** Resources as Terraform writes them. */

export type HclValue =
  | string
  | number
  | boolean
  | undefined
  | readonly HclValue[]
  | { readonly [name: string]: HclValue };

export interface HclResource {
  /** Resource type, such as `consul_acl_token`. */
  readonly type: string;
  /** Text from which the label of the resource in the configuration is made. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, HclValue>>;
  /** Blocks, each as often as there are values. */
  readonly blocks?: readonly HclBlock[];
}

interface HclBlock {
  readonly name: string;
  readonly attributes: Readonly<Record<string, HclValue>>;
  readonly blocks?: readonly HclBlock[];
}

/** The text of a resource. */
export function inHcl({ type, name, attributes, blocks = [] }: HclResource): string {
  const lines = [`resource ${text(type)} ${text(label(name))} {`, ...assignments(attributes, "  ")];
  return [...lines, ...blocks.flatMap((block) => blockLines(block, "  ")), "}"].join("\n");
}

function blockLines({ name, attributes, blocks = [] }: HclBlock, indent: string): string[] {
  const inner = `${indent}  `;
  const nested = blocks.flatMap((block) => blockLines(block, inner));
  return ["", `${indent}${name} {`, ...assignments(attributes, inner), ...nested, `${indent}}`];
}

function assignments(attributes: Readonly<Record<string, HclValue>>, indent: string): string[] {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const longest = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${indent}${name.padEnd(longest)} = ${valueText(value, indent)}`);
}

function valueText(value: HclValue, indent: string): string {
  if (typeof value === "string") return value.includes("\n") ? heredoc(value) : text(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map((each: HclValue) => valueText(each, indent)).join(", ")}]`;
  const inner = `${indent}  `;
  return `{\n${assignments(value as Readonly<Record<string, HclValue>>, inner).join("\n")}\n${indent}}`;
}

function text(value: string): string {
  return JSON.stringify(value).replaceAll("${", "$${").replaceAll("%{", "%%{");
}

/** A text of several lines as it is; its end is a word that no line of it is. */
function heredoc(value: string): string {
  let end = "EOT";
  while (value.split("\n").some((line) => line.trim() === end)) end += "_";
  const body = value.replaceAll("${", "$${").replaceAll("%{", "%%{").replace(/\n$/, "");
  return `<<${end}\n${body}\n${end}`;
}

function label(name: string): string {
  const made = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  return /^[a-z]/.test(made) ? made.slice(0, 40) : `this${made === "" ? "" : `_${made.slice(0, 40)}`}`;
}
