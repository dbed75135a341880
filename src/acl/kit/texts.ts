/** Text members of stored objects, by the table of the model: what writes take over from a request. */
import { memberOf, textMembersOf, type KindWithTexts, type TextsOf } from "../../../packages/model/text-members.ts";

/** Returns the text members of a new object: all of them empty. */
export function emptyTexts<K extends KindWithTexts>(kind: K): TextsOf<K> {
  return Object.fromEntries(textMembersOf(kind).map((member) => [memberOf(member), ""])) as TextsOf<K>;
}

/** Returns the text members of an object, and nothing else of it. */
export function textsIn<K extends KindWithTexts>(kind: K, object: TextsOf<K>): TextsOf<K> {
  const all = object as Readonly<Record<string, string>>;
  return Object.fromEntries(
    textMembersOf(kind)
      .map(memberOf)
      .map((name) => [name, all[name]]),
  ) as TextsOf<K>;
}
