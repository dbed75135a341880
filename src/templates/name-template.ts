/**
 * Templates that make the name of a thing from an ID and properties, as `records/${id}`, and find the ID in such a name. Values
 * come from callers: a value cannot spell a text of the template that follows it, so that two cases never have one name.
 */
import { parseTemplate, TemplateError, type Template } from "./template.ts";

/** Value of a variable; undefined where there is none. */
export type ValueOf = (variable: string) => string | undefined;

/** A name, or the reason why there is none. */
export type MadeName = { readonly name: string } | { readonly fault: string };

/** Position of the ID in the names of a template; plain data. */
export interface IdPlace {
  readonly before: string;
  readonly after: string;
  /** Character that ends the ID; empty at the end of the template. */
  readonly stop: string;
}

/** Variable of the ID. */
export const ID = "id";
/** Beginning of the variables of properties. */
export const PROPERTIES = "properties.";
/** Maximum length of a name, in UTF-16 code units. */
const MAX_NAME = 1024;

/**
 * Reads a template of names: literal text, `${id}` at most once, and `${properties.NAME}`.
 *
 * @throws TemplateError for other variables, for two without a text between them, and what `parseTemplate` rejects
 */
export function readNameTemplate(text: string): Template {
  const template = parseTemplate(text);
  let ids = 0;
  for (const [index, part] of template.parts.entries()) {
    if (typeof part === "string") continue;
    const { name } = part;
    if (part.isSlug === true) throw new TemplateError("slug is not supported here");
    if (name !== ID && !(name.startsWith(PROPERTIES) && name.length > PROPERTIES.length)) {
      throw new TemplateError(`unknown variable ${name}; expected ${ID} or ${PROPERTIES}NAME`);
    }
    if (name === ID && ++ids > 1) throw new TemplateError("${id} can occur only once");
    const next = template.parts[index + 1];
    if (next !== undefined && typeof next !== "string") {
      throw new TemplateError(`expected text between the variables ${name} and ${next.name}`);
    }
  }
  return template;
}

/** Makes a name. Values are taken as they are; one that is missing, empty or spells the text behind it makes none. */
export function makeName({ parts }: Template, valueOf: ValueOf): MadeName {
  let name = "";
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") {
      name += part;
      continue;
    }
    const value = valueOf(part.name) ?? "";
    const stop = stopBehind(parts, index);
    if (value === "") return { fault: `${part.name} is missing or empty` };
    if (!value.isWellFormed() || value.includes("\0")) return { fault: `${part.name} is not valid text` };
    if (stop !== "" && value.includes(stop)) return { fault: `${part.name} contains ${JSON.stringify(stop)}` };
    name += value;
    if (name.length > MAX_NAME) return { fault: `the name is longer than ${MAX_NAME} characters` };
  }
  return name === "" ? { fault: "the name is empty" } : { name };
}

/** Finds where names of a template have the ID. @returns undefined where they have none, or another value is missing */
export function placeOfId({ text, parts }: Template, valueOf: ValueOf): IdPlace | undefined {
  const at = parts.findIndex((part) => typeof part !== "string" && part.name === ID);
  if (at === -1) return undefined;
  const sides = [parts.slice(0, at), parts.slice(at + 1)].map((side) =>
    side.length === 0 ? { name: "" } : makeName({ text, parts: side }, valueOf),
  );
  const [before, after] = sides.map((side) => ("name" in side ? side.name : undefined));
  return before === undefined || after === undefined ? undefined : { before, after, stop: stopBehind(parts, at) };
}

/** Returns the ID in a name; undefined for a name that the template does not make. */
export function idIn({ before, after, stop }: IdPlace, name: string): string | undefined {
  if (name.length <= before.length + after.length || name.length > MAX_NAME) return undefined;
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  const id = name.slice(before.length, name.length - after.length);
  return stop !== "" && id.includes(stop) ? undefined : id;
}

/** Returns the first character of the text behind a part; empty at the end. */
function stopBehind(parts: Template["parts"], index: number): string {
  const next = parts[index + 1];
  const point = typeof next === "string" ? next.codePointAt(0) : undefined;
  return point === undefined ? "" : String.fromCodePoint(point);
}
