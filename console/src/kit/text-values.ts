/** Text members of a kind in the values of a form, by the table of the model. */
import { memberOf, textMembersOf, type KindWithTexts, type TextsOf } from "../../../packages/model/text-members.ts";
import { type Members, textIn } from "./plan.ts";

/** Returns the values of an empty form. */
export function emptyTexts<K extends KindWithTexts>(kind: K): TextsOf<K> {
  return textValues(kind, {});
}

/** Returns the values for an object; a member that its answer lacks is empty. */
export function textValues<K extends KindWithTexts>(kind: K, object: object): TextsOf<K> {
  const members: Members = { ...object };
  const values = textMembersOf(kind).map((member) => [memberOf(member), textIn(members, member.wire) ?? ""]);
  return Object.fromEntries(values) as TextsOf<K>;
}

/** Returns the members of a body for the values of a form. */
export function textBody<K extends KindWithTexts>(kind: K, values: TextsOf<K>): Members {
  const texts: Readonly<Record<string, string>> = values;
  return Object.fromEntries(textMembersOf(kind).map((member) => [member.wire, texts[memberOf(member)]]));
}
