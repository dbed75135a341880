/** Bodies of requests: from a file, from flags, and from `--set`, in this order. */
import { plain } from "./output/values.ts";
import { readFileSync } from "node:fs";
import { memberOf } from "./member.ts";
import type { Call } from "./spec.ts";
import { usage } from "./exit.ts";
import type { Flag } from "./spec.ts";

type Members = Record<string, unknown>;

/** How much of a file is read; the server takes no more than 1 MiB. */
const LONGEST = 4 * 1024 * 1024;

/** Flags of every command that sends a body. */
export const BODY_FLAGS: readonly Flag[] = [
  {
    name: "file",
    short: "f",
    value: "PATH",
    help: "JSON or YAML file with the fields of the object. Use - to read stdin.",
    complete: "file",
  },
  {
    name: "set",
    value: "MEMBER=VALUE",
    many: true,
    help: "Set a field. Values that are valid JSON are parsed as JSON. Repeatable.",
  },
];

/**
 * The members that a command line gives.
 *
 * @throws CliError on what the command needs and is not given, on a file that cannot be read, and on values that cannot be meant so
 */
export async function membersOf(call: Call): Promise<Members> {
  const members: Members = { ...(await membersOfFile(call)) };
  for (const flag of call.verb.flags ?? []) {
    if (flag.member === undefined) continue;
    const value = valueOf(call, flag);
    if (value !== undefined) setAt(members, flag.member, value);
  }
  for (const pair of call.flagList("set")) {
    const index = pair.indexOf("=");
    if (index < 1) throw usage(`invalid --set: expected MEMBER=VALUE, got ${JSON.stringify(pair)}`);
    setAt(members, pair.slice(0, index), looseValue(pair.slice(index + 1)));
  }
  checkNeeded(call, members);
  return members;
}

/** Said here, where the flag is known by which it is given. A whole document of a file is left to the server. */
function checkNeeded({ verb, words }: Call, members: Members): void {
  const given = new Set(Object.keys(members).map((name) => name.toLowerCase()));
  if (given.has("data")) return;
  const missing = (verb.needs ?? []).filter((name) => !given.has(name.toLowerCase()));
  if (missing.length === 0) return;
  const flags = missing.map((member) => {
    const flag = verb.flags?.find((each) => each.member === member);
    return flag === undefined ? `--set ${member}=VALUE` : `--${flag.name} ${flag.value ?? ""}`.trimEnd();
  });
  throw usage(`${words} requires ${flags.join(" and ")}`, "or set these fields with --file or --set");
}

function valueOf(call: Call, { name, many, value, read }: Flag): unknown {
  const given = call.flags[memberOf(name)];
  if (given === undefined) return undefined;
  if (value === undefined) return given;
  const texts = Array.isArray(given) ? (given as string[]) : [plain(given)];
  const values = texts.map((text) => (read === undefined ? text : read(text, call)));
  return many === true ? values : values[0];
}

async function membersOfFile(call: Call): Promise<Members> {
  const path = call.flag("file");
  if (path === undefined) return {};
  const content = await parseText(await textOfFile(call, path), path);
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw usage(`${path} does not contain an object`);
  return content as Members;
}

/** The text of a file, or of standard input. @throws CliError when it cannot be read or is too long */
export async function textOfFile({ io, words }: Call, path: string): Promise<string> {
  if (path !== "-") {
    try {
      return checkedLength(readFileSync(path, "utf8"), path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      throw usage(`${words} cannot read ${path} (${String(error.code)})`);
    }
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of io.stdin) {
    parts.push(part);
    length += part.length;
    if (length > LONGEST) break;
  }
  return checkedLength(Buffer.concat(parts).toString("utf8"), "stdin");
}

/** The same of a file in which something is looked for: of an empty one nothing that is found says anything. @throws CliError also when it is empty */
export async function fullTextOfFile(call: Call, path: string): Promise<string> {
  const text = await textOfFile(call, path);
  if (text.trim() === "") throw usage(`${path === "-" ? "stdin" : path} is empty`);
  return text;
}

function checkedLength(text: string, from: string): string {
  if (text.length > LONGEST) throw usage(`${from} is longer than ${LONGEST / 1024 / 1024} MiB`);
  return text;
}

/** JSON or YAML. Aliases that grow beyond measure, and keys that come twice, are refused. @throws CliError on neither */
export async function parseText(text: string, from: string): Promise<unknown> {
  try {
    if (/^\s*[[{]/.test(text)) return JSON.parse(text);
    const { parse } = await import("yaml");
    return parse(text, { maxAliasCount: 100, prettyErrors: true });
  } catch (error) {
    // What follows the first line is a picture of the place, which a message of one line tears apart.
    const [said = ""] = (error as Error).message.split("\n");
    throw usage(`${from === "-" ? "stdin" : from} is not valid YAML or JSON: ${said.replace(/:$/, "")}`);
  }
}

/** Returns the content of the file for `@FILE`, or else the text itself. */
export function textOrFile(text: string, call: Call): string {
  if (!text.startsWith("@")) return text;
  const path = text.slice(1);
  try {
    return checkedLength(readFileSync(path === "-" ? 0 : path, "utf8"), path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw usage(`${call.words} cannot read ${path} (${String(error.code)})`);
  }
}

/** A link by ID or by name. */
export function link(text: string): Members {
  return isUuid(text) ? { ID: text } : { Name: text };
}

/** `KEY=VALUE` pairs as one object. */
export function pairs(texts: readonly string[], flag: string): Record<string, string> {
  const made: Record<string, string> = {};
  for (const text of texts) {
    const index = text.indexOf("=");
    if (index < 1) throw usage(`invalid ${flag}: expected KEY=VALUE, got ${JSON.stringify(text)}`);
    made[text.slice(0, index)] = text.slice(index + 1);
  }
  return made;
}

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** A number. @throws CliError on what is none */
export function number(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw usage(`${JSON.stringify(text)} is not an integer`);
  return Number(text);
}

/** yes or no. @throws CliError on what is neither */
export function yesOrNo(text: string): boolean {
  if (["true", "yes", "on", "1"].includes(text)) return true;
  if (["false", "no", "off", "0"].includes(text)) return false;
  throw usage(`${JSON.stringify(text)} is not a boolean: expected true or false`);
}

/** Reads a value of `--set`: JSON where it is valid JSON, otherwise text. */
export function looseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sets a member by its path. Names that mean something to JavaScript are only names. */
function setAt(members: Members, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? path;
  let at = members;
  for (const name of names) {
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    const made = typeof next === "object" && next !== null && !Array.isArray(next) ? { ...(next as Members) } : {};
    define(at, name, made);
    at = made;
  }
  define(at, last, value);
}

function define(members: Members, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}
