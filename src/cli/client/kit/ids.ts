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

/** Candidates that are named. */
const NAMED = 20;
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
  const query = { "id-prefix": text, limit: NAMED + 1 };
  const { body } = await call.read(kind.operations.list, { query });
  const found = Array.isArray(body) ? (body as Item[]) : [];
  const ids = found.map((item) => plain(item[kind.idMember], ""));
  // A server that does not know the parameter answers anything at all.
  const [id] = ids;
  if (id === undefined || !ids.every((each) => isPartOf(text, each))) throw missing(kind.noun, text);
  if (ids.length === 1) return id;
  const named = found.slice(0, NAMED).map((item) => visible(lineOf(item, kind)));
  const more = found.length > NAMED ? ["and more"] : [];
  throw usage(`ambiguous ID ${text}: several ${kind.noun.replaceAll("-", " ")} IDs start with it`, ...named, ...more);
}

/** An object in one line: its name and its whole ID, or its ID and its description. */
export function lineOf(object: Item, { idMember, nameMember }: Pick<Identified, "idMember" | "nameMember">): string {
  const id = plain(object[idMember], "");
  const name = plain(object[nameMember], "");
  if (name !== "" && name !== id) return `${name} (${id})`;
  const description = plain(object["Description"], "");
  return description === "" || idMember === "Name" ? id : `${id} (${description})`;
}
