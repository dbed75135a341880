/**
 * Finds parts of a policy from Consul that would silently have another meaning here, or that have no known meaning.
 * They are rejected: the caller must write them in words that both products understand. Pure.
 */
import { fold } from "../../fold.ts";
import { KINDS, parseTree } from "../../rights/rules/parse.ts";
import {
  positionOf,
  RulesError,
  shorten,
  type ScannedMember,
  type ObjectValue,
  type Steps,
} from "../../rights/rules/scanner.ts";
import { MOST_FINDINGS, type LintFinding } from "./finding.ts";
import { objectsIn } from "./rules.ts";

/** Number of members between two pauses. */
const BETWEEN = 64;
const FIELDS: readonly string[] = ["policy", "intentions"];

/** The faults of a text as one from Consul; none where it is no text of rules, which is refused for that. */
export function* faultsFromConsul(text: string): Steps<LintFinding[]> {
  const found: LintFinding[] = [];
  let looked = 0;
  const add = (at: number, message: string, didYouMean: string) => {
    // To find out where it stands takes as long as the text is.
    if (found.length >= MOST_FINDINGS) return;
    found.push({ code: "invalid", message, member: "Rules", at: positionOf(text, at), didYouMean });
  };
  const lookAtName = ({ key, at }: ScannedMember, known: (name: string) => boolean) => {
    const meant = fold(asciiOf(key));
    if (known(fold(key)) || !known(meant)) return;
    add(at, `${quoted(key)} is not ${meant}, but other servers may treat it as such; write it in ASCII letters`, meant);
  };
  const lookAtPermission = ({ value }: ScannedMember) => {
    if (value.type !== "text" || value.text === "deny" || fold(asciiOf(value.text)) !== "deny") return;
    const message = `${quoted(value.text)} may not deny in Consul, but denies here; write deny in lower case, or remove it`;
    add(value.at, message, "deny");
  };
  function* lookAt(body: ObjectValue, isInside: boolean): Steps<void> {
    for (const member of body.members) {
      if (++looked % BETWEEN === 0) yield;
      const name = fold(member.key);
      const kind = KINDS.get(name);
      lookAtName(member, (each) => KINDS.has(each) || (isInside && FIELDS.includes(each)));
      if (kind?.form === "scalar" || (isInside && FIELDS.includes(name))) lookAtPermission(member);
      else if (kind !== undefined)
        for (const labels of objectsIn(member.value))
          for (const label of labels.members)
            for (const fields of objectsIn(label.value)) yield* lookAtBlock(fields, kind.form === "scope");
    }
  }
  function* lookAtBlock(fields: ObjectValue, isScope: boolean): Steps<void> {
    if (isScope) return yield* lookAt(fields, true);
    for (const member of fields.members) {
      if (++looked % BETWEEN === 0) yield;
      lookAtName(member, (each) => FIELDS.includes(each));
      if (FIELDS.includes(fold(member.key))) lookAtPermission(member);
    }
  }
  try {
    yield* lookAt(yield* parseTree(text), false);
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
  }
  return found;
}

/** The letters that fold into ASCII ones where case is that of all of Unicode: the long s and the sign of Kelvin. */
function asciiOf(text: string): string {
  return text.replaceAll("\u017f", "s").replaceAll("\u212a", "k");
}

function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}
