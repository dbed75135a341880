/** IDs that are written in part, as `git` takes them: the server says which of those that the caller may see begin so. */
import type { Call } from "../spec.ts";
import { isUuid } from "../body.ts";
import { usage } from "../exit.ts";
import type { Item } from "../output/types.ts";
import { plain, visible } from "../output/values.ts";
import { missing } from "./answers.ts";

/** A kind whose objects have UUIDs. */
export interface Identified {
  readonly noun: string;
  readonly idMember: string;
  readonly nameMember: string;
  readonly operations: { readonly list: string };
}

/** Objects that are asked for: the candidates that are named, and one more. */
export const FOUND = 21;
const PART = /^[0-9a-f][0-9a-f-]{3,34}$/i;

/** Whether a text is the beginning of this ID, and not all of it. */
export function isPartOf(text: string, id: string): boolean {
  return text.length < id.length && PART.test(text) && id.startsWith(text.toLowerCase());
}

/**
 * The ID that begins as a text does; a text that is no beginning of one is given back as it is.
 *
 * @throws CliError when none begins so, and with the candidates when several do
 */
export async function wholeId(call: Call, kind: Identified, text: string): Promise<string> {
  if (isUuid(text) || !PART.test(text)) return text;
  const query = { "id-prefix": text, limit: FOUND };
  const { body } = await call.read(kind.operations.list, { query });
  const found = Array.isArray(body) ? (body as Item[]) : [];
  const id = onlyId(
    kind.noun,
    text,
    found.map((item) => ({ id: plain(item[kind.idMember], ""), line: lineOf(item, kind) })),
  );
  if (id === undefined) throw missing(kind.noun, text);
  return id;
}

/**
 * The ID of the only object that a server finds by the beginning of its ID; undefined where it finds none.
 *
 * @param found the first `FOUND` objects, each with its line for a reader
 * @throws CliError with the candidates when there are several
 */
export function onlyId(
  noun: string,
  text: string,
  found: readonly { readonly id: string; readonly line: string }[],
): string | undefined {
  const [first] = found;
  // A server that does not know the parameter answers anything at all.
  const begins = (id: string) => id.toLowerCase().startsWith(text.toLowerCase());
  if (first === undefined || !found.every(({ id }) => begins(id))) return undefined;
  if (found.length === 1) return first.id;
  const named = found.slice(0, FOUND - 1).map(({ line }) => visible(line));
  const more = found.length < FOUND ? [] : ["and more"];
  throw usage(`ambiguous ID ${text}: several ${noun.replaceAll("-", " ")} IDs start with it`, ...named, ...more);
}

/** An object in one line: its name and its whole ID, or its ID and its description. */
export function lineOf(object: Item, { idMember, nameMember }: Pick<Identified, "idMember" | "nameMember">): string {
  const id = plain(object[idMember], "");
  const name = plain(object[nameMember], "");
  if (name !== "" && name !== id) return `${name} (${id})`;
  const description = plain(object["Description"], "");
  return description === "" || idMember === "Name" ? id : `${id} (${description})`;
}
