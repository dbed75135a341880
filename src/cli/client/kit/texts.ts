/** Text members of a kind in commands, by the table of the model. */
import { textMembersOf, type KindWithTexts } from "../../../../packages/model/text-members.ts";
import type { OutputColumn } from "../output/types.ts";
import type { Flag } from "../spec.ts";

/** Returns the flags of the text members of a kind. */
export function textFlags(kind: KindWithTexts): readonly Flag[] {
  return textMembersOf(kind).map(({ wire, flag, help }) => ({ name: flag, value: "TEXT", member: wire, help }));
}

/** Returns the columns of the text members of a kind: the first in each list, the others in wide ones. */
export function textColumns(kind: KindWithTexts): readonly OutputColumn[] {
  return textMembersOf(kind).map(({ wire, label }, index) => ({
    title: label,
    value: wire,
    ...(index > 0 && { wide: true }),
  }));
}
