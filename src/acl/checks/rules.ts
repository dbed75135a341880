/** Finds parts of a policy's text that do not have the effect that they seem to have. Pure. */
import { fold } from "../../fold.ts";
import { isAllowed, KINDS, lastScalars, parseTree, type RuleForm } from "../../rights/rules/parse.ts";
import { outweighs, type Permission, type Said } from "../../rights/rules/rule.ts";
import {
  type ScannedMember,
  type ObjectValue,
  positionOf,
  RulesError,
  shorten,
  type Steps,
  type ScannedValue,
} from "../../rights/rules/scanner.ts";
import { closest } from "./closest.ts";
import { MOST_FINDINGS, type LintFinding, type WarningCode } from "./finding.ts";
import { rightsTurns } from "../rule-limit.ts";

type Edition = "enterprise" | "community";

const MEMBER = "Rules";

/** Looks through a text, which may not even be one of rules, in turns of the event loop. */
export async function warningsOf(text: string, edition: Edition): Promise<readonly LintFinding[]> {
  const linter = new RuleLinter(text, edition);
  try {
    await rightsTurns.run(linter.look(yieldingTree(text)));
  } catch (error) {
    // Text that cannot be read has its error already.
    if (!(error instanceof RulesError)) throw error;
  }
  return linter.warnings;
}

function yieldingTree(text: string): Steps<ObjectValue> {
  return parseTree(text);
}

type Inside = "" | "namespace" | "partition";

/** A rule that was met, for those that are about the same. */
interface Met extends Said {
  at: number;
  hasIntentions: boolean;
}

/** Members between two pauses. */
const BETWEEN = 16;

class RuleLinter {
  readonly warnings: LintFinding[] = [];
  readonly #text: string;
  readonly #edition: Edition;
  /** By the enclosing blocks, the kind and the label. */
  readonly #met = new Map<string, Met>();
  #looked = 0;

  constructor(text: string, edition: Edition) {
    this.#text = text;
    this.#edition = edition;
  }

  *look(tree: Steps<ObjectValue>): Steps<void> {
    yield* this.#lookAt(yield* tree, "", "");
  }

  *#lookAt(body: ObjectValue, inside: Inside, around: string): Steps<void> {
    const scalars = lastScalars(body);
    for (const member of body.members) {
      if (this.warnings.length >= MOST_FINDINGS) return;
      if (++this.#looked % BETWEEN === 0) yield;
      const name = fold(member.key);
      if (inside !== "" && (name === "policy" || name === "intentions")) continue;
      const kind = KINDS.get(name);
      if (kind === undefined || !this.#knows(kind)) this.#unknownKind(member, inside);
      else if (!isAllowed(kind, inside)) {
        this.#warn("misplaced-kind", member.at, `${quoted(member.key)} has no effect inside a ${inside} block`);
      } else if (kind.form === "scalar") this.#scalar(member, name, around, scalars.get(name));
      else yield* this.#blocks(kind, name, member, around);
    }
  }

  #knows(kind: RuleForm): boolean {
    return kind.form !== "scope" || this.#edition === "enterprise";
  }

  #unknownKind({ key, at }: ScannedMember, inside: Inside): void {
    const names = [...KINDS].flatMap(([name, kind]) => (this.#knows(kind) && isAllowed(kind, inside) ? [name] : []));
    if (inside !== "") names.push("policy", "intentions");
    const didYouMean = closest(key, names);
    this.#warn("unknown-kind", at, `unknown rule type ${quoted(key)}; it has no effect`, didYouMean);
  }

  #scalar(member: ScannedMember, name: string, around: string, last: ScannedMember | undefined): void {
    const { value, at } = member;
    const said = saidIn(value);
    if (said === undefined || this.#isOverruled(member, last)) return;
    if (said.isLoose) {
      const { permission } = said;
      const gives = permission === "deny" ? "denies here, but not on other servers" : "grants nothing";
      const message = `${textOf(value)} ${gives}; write the value of ${name} in lower case`;
      this.#warn("not-lower-case", value.at, message, permission);
      if (permission !== "deny") return;
    }
    this.#meet(`${around}${name}`, { ...said, at, hasIntentions: false });
  }

  /** Whether an argument is said again behind this one, so that this one does not count. */
  #isOverruled(member: ScannedMember, last: ScannedMember | undefined): boolean {
    if (last === undefined || last === member) return false;
    // To find out where it stands takes as long as the text is.
    if (this.warnings.length >= MOST_FINDINGS) return true;
    const { line, column } = positionOf(this.#text, last.at);
    this.#warn(
      "void-rule",
      member.at,
      `no effect: the argument is set again at line ${line}, column ${column}, and the last value applies`,
    );
    return true;
  }

  *#blocks(
    kind: Exclude<RuleForm, { form: "scalar" }>,
    name: string,
    member: ScannedMember,
    around: string,
  ): Steps<void> {
    for (const labels of objectsIn(member.value)) {
      for (const label of labels.members) {
        this.#label(kind, name, label);
        for (const fields of objectsIn(label.value)) {
          if (this.warnings.length >= MOST_FINDINGS) return;
          if (++this.#looked % BETWEEN === 0) yield;
          const site = `${around}${name} ${spelled(kind, label.key)}`;
          if (kind.form === "scope") yield* this.#lookAt(fields, kind.kind, `${site}\n`);
          else this.#fields(kind.resource, fields);
          const isService = kind.form === "scope" || kind.resource === "service" || kind.resource === "identity";
          this.#meetBlock(site, fields, label.at, isService);
        }
      }
    }
  }

  #label(kind: Exclude<RuleForm, { form: "scalar" }>, name: string, { key, at }: ScannedMember): void {
    if (isUnrendered(key)) {
      const message = `${quoted(key)} looks like an unrendered template; it matches only these characters`;
      this.#warn("unrendered-template", at, message);
    }
    if (key.includes("*")) {
      const other = kind.prefix ? "" : `; use ${name}_prefix to match all names with a prefix`;
      this.#warn("star-in-label", at, `the * in ${quoted(key)} is not a wildcard${other}`);
    }
    if (kind.form !== "labelled" || kind.resource !== "workspace" || key.includes("/")) return;
    if (kind.prefix && key === "") return;
    const message = kind.prefix
      ? `${quoted(key)} matches workspaces of every organization with this name prefix`
      : `${quoted(key)} is not a workspace label; write organization/workspace`;
    this.#warn("without-slash", at, message, kind.prefix ? `${key}/` : undefined);
  }

  #fields(resource: string, { members }: ObjectValue): void {
    const known = resource === "service" || resource === "identity" ? ["policy", "intentions"] : ["policy"];
    for (const { key, at } of members) {
      if (known.includes(fold(key))) continue;
      this.#warn("unknown-field", at, `a ${resource} rule has no field ${quoted(key)}`, closest(key, known));
    }
  }

  /** @param isService whether its rules are also about intentions */
  #meetBlock(site: string, { members }: ObjectValue, at: number, isService: boolean): void {
    const said = this.#said(members, "policy", isService);
    const intentions = this.#said(members, "intentions", isService);
    if (said !== undefined) this.#meet(site, { ...said, at, hasIntentions: intentions !== undefined });
  }

  /** Value of this field in a block: the last one applies. */
  #said(members: readonly ScannedMember[], field: "policy" | "intentions", isService: boolean): Said | undefined {
    const all = members.filter(({ key }) => fold(key) === field);
    const last = all.at(-1);
    for (const member of all) this.#isOverruled(member, last);
    const said = last && saidIn(last.value);
    if (last === undefined || said?.isLoose !== true) return said;
    const least = isService && field === "policy" ? " and does not set intentions" : "";
    const effect =
      said.permission === "deny" ? "it still denies" : `every other rule for the same name overrides it${least}`;
    const message = `write ${textOf(last.value)} in lower case: ${effect}`;
    this.#warn("not-lower-case", last.value.at, message, said.permission);
    return said;
  }

  /** The stronger of two rules about one thing applies, wherever they are. */
  #meet(site: string, rule: Met): void {
    const before = this.#met.get(site);
    const wins = before === undefined || outweighs(rule, before) ? rule : before;
    this.#met.set(site, wins);
    if (before === undefined) return;
    const other = wins === before ? rule : before;
    if (other.hasIntentions) return;
    const { line, column } = positionOf(this.#text, wins.at);
    const says = wins.permission === other.permission ? "has equal effect" : `overrides it with ${wins.permission}`;
    this.#warn("void-rule", other.at, `no effect: the rule at line ${line}, column ${column} ${says}`);
  }

  #warn(code: WarningCode, at: number, message: string, didYouMean?: string): void {
    if (this.warnings.length >= MOST_FINDINGS) return;
    this.warnings.push({ code, message, member: MEMBER, at: positionOf(this.#text, at), didYouMean });
  }
}

function spelled(kind: Exclude<RuleForm, { form: "scalar" }>, label: string): string {
  const isFolded = kind.form === "scope" || kind.resource === "organization" || kind.resource === "workspace";
  return JSON.stringify(isFolded ? fold(label) : label);
}

/** The objects that a value is, or that it lists. */
export function* objectsIn(value: ScannedValue): Generator<ObjectValue> {
  for (const one of value.type === "list" ? value.items : [value]) if (one.type === "object") yield one;
}

function saidIn(value: ScannedValue): Said | undefined {
  if (value.type !== "text") return undefined;
  const permission = fold(value.text);
  return isPermission(permission) ? { permission, isLoose: permission !== value.text } : undefined;
}

function isPermission(text: string): text is Permission {
  return text === "read" || text === "write" || text === "deny" || text === "list";
}

function textOf(value: ScannedValue): string {
  return value.type === "text" ? quoted(value.text) : value.type;
}

/** Whether a label has `${…}` or `{{…}}` in it, as templates of other tools do before they are filled in. */
function isUnrendered(label: string): boolean {
  return [
    ["${", "}"],
    ["{{", "}}"],
  ].some(([open = "", close = ""]) => {
    const start = label.indexOf(open);
    return start >= 0 && label.includes(close, start + open.length);
  });
}

function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}
