import { TEXT_MEMBERS, type KindWithTexts } from "../../../../packages/model/text-members.ts";
import type { Flag } from "../spec.ts";

/** Returns the flags of the text members of a kind. */
export function textFlags(kind: KindWithTexts): readonly Flag[] {
  return TEXT_MEMBERS[kind].map(({ wire, flag, help }) => ({ name: flag, value: "TEXT", member: wire, help }));
}
