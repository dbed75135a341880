/** What of the text of a policy does not do what it seems to. Pure. */
import { fold } from "../rules/fold.ts";
import { isAllowed, KINDS, parseTree, type Kind } from "../rules/parse.ts";
import { type Permission, stronger } from "../rules/rule.ts";
import {
  type Member,
  type ObjectValue,
  positionOf,
  RulesError,
  shorten,
  type Steps,
  type Value,
} from "../rules/scanner.ts";
import { closest } from "./closest.ts";
import { MOST_FINDINGS, type Finding, type WarningCode } from "./finding.ts";
import { rightsTurns } from "../rule-limit.ts";

type Edition = "enterprise" | "community";

const MEMBER = "Rules";

/** Looks through a text, which may not even be one of rules, in turns of the event loop. */
export async function warningsOf(text: string, edition: Edition): Promise<readonly Finding[]> {
  const linter = new RuleLinter(text, edition);
  try {
    await rightsTurns.run(linter.look(yieldingTree(text)));
  } catch (error) {
    // What cannot be read has its error already.
    if (!(error instanceof RulesError)) throw error;
  }
  return linter.warnings;
}

function yieldingTree(text: string): Steps<ObjectValue> {
  return parseTree(text);
}

type Inside = "" | "namespace" | "partition";

/** A rule that was met, for those that are about the same. */
interface Met {
  permission: Permission;
  at: number;
  hasIntentions: boolean;
}

/** Members between two pauses. */
const BETWEEN = 16;

class RuleLinter {
  readonly warnings: Finding[] = [];
  readonly #text: string;
  readonly #edition: Edition;
  /** By the blocks around, the kind and the label. */
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
    for (const member of body.members) {
      if (this.warnings.length >= MOST_FINDINGS) return;
      if (++this.#looked % BETWEEN === 0) yield;
      const name = fold(member.key);
      if (inside !== "" && (name === "policy" || name === "intentions")) continue;
      const kind = KINDS.get(name);
      if (kind === undefined || !this.#knows(kind)) this.#unknownKind(member, inside);
      else if (!isAllowed(kind, inside)) {
        this.#warn("misplaced-kind", member.at, `${quoted(member.key)} means nothing inside a ${inside} block`);
      } else if (kind.form === "scalar") this.#scalar(member, `${around}${name}`);
      else yield* this.#blocks(kind, name, member, around);
    }
  }

  #knows(kind: Kind): boolean {
    return kind.form !== "scope" || this.#edition === "enterprise";
  }

  #unknownKind({ key, at }: Member, inside: Inside): void {
    const names = [...KINDS].flatMap(([name, kind]) => (this.#knows(kind) && isAllowed(kind, inside) ? [name] : []));
    if (inside !== "") names.push("policy", "intentions");
    const didYouMean = closest(key, names);
    this.#warn("unknown-kind", at, `there is no kind of rule ${quoted(key)}, so this has no effect`, didYouMean);
  }

  #scalar({ value, at }: Member, site: string): void {
    const permission = permissionIn(value);
    if (permission !== undefined) this.#meet(site, { permission, at, hasIntentions: false });
  }

  *#blocks(kind: Exclude<Kind, { form: "scalar" }>, name: string, member: Member, around: string): Steps<void> {
    for (const labels of objectsIn(member.value)) {
      for (const label of labels.members) {
        this.#label(kind, name, label);
        for (const fields of objectsIn(label.value)) {
          if (this.warnings.length >= MOST_FINDINGS) return;
          if (++this.#looked % BETWEEN === 0) yield;
          const site = `${around}${name} ${spelled(kind, label.key)}`;
          if (kind.form === "scope") yield* this.#lookAt(fields, kind.kind, `${site}\n`);
          else this.#fields(kind.resource, fields);
          this.#meetBlock(site, fields, label.at);
        }
      }
    }
  }

  #label(kind: Exclude<Kind, { form: "scalar" }>, name: string, { key, at }: Member): void {
    if (key.includes("*")) {
      const other = kind.prefix ? "" : `; ${name}_prefix is for all names that begin with its label`;
      this.#warn("star-in-label", at, `the * in ${quoted(key)} stands for itself alone${other}`);
    }
    if (kind.form !== "labelled" || kind.resource !== "workspace" || key.includes("/")) return;
    if (kind.prefix && key === "") return;
    const message = kind.prefix
      ? `${quoted(key)} is about workspaces of every organization whose name begins so`
      : `${quoted(key)} names no workspace: labels are organization/workspace`;
    this.#warn("without-slash", at, message, kind.prefix ? `${key}/` : undefined);
  }

  #fields(resource: string, { members }: ObjectValue): void {
    const known = resource === "service" || resource === "identity" ? ["policy", "intentions"] : ["policy"];
    for (const { key, at } of members) {
      if (known.includes(fold(key))) continue;
      this.#warn("unknown-field", at, `a rule about ${resource} has no field ${quoted(key)}`, closest(key, known));
    }
  }

  #meetBlock(site: string, { members }: ObjectValue, at: number): void {
    const values = members.filter(({ key }) => fold(key) === "policy").map(({ value }) => permissionIn(value));
    const hasIntentions = members.some(({ key }) => fold(key) === "intentions");
    const permission = values.reduce((one, other) => (one && other ? stronger(one, other) : (one ?? other)), undefined);
    if (permission !== undefined) this.#meet(site, { permission, at, hasIntentions });
  }

  /** Of two rules about the same the stronger counts, wherever they stand. */
  #meet(site: string, rule: Met): void {
    const before = this.#met.get(site);
    this.#met.set(
      site,
      before === undefined || stronger(before.permission, rule.permission) !== before.permission ? rule : before,
    );
    if (before === undefined) return;
    const wins = stronger(before.permission, rule.permission) === before.permission ? before : rule;
    const other = wins === before ? rule : before;
    if (other.hasIntentions) return;
    const { line, column } = positionOf(this.#text, wins.at);
    const says = wins.permission === other.permission ? "says the same" : `says ${wins.permission}, which counts`;
    this.#warn("void-rule", other.at, `this has no effect: the rule at line ${line}, column ${column} ${says}`);
  }

  #warn(code: WarningCode, at: number, message: string, didYouMean?: string): void {
    if (this.warnings.length >= MOST_FINDINGS) return;
    this.warnings.push({ code, message, member: MEMBER, at: positionOf(this.#text, at), didYouMean });
  }
}

function spelled(kind: Exclude<Kind, { form: "scalar" }>, label: string): string {
  const isFolded = kind.form === "scope" || kind.resource === "organization" || kind.resource === "workspace";
  return JSON.stringify(isFolded ? fold(label) : label);
}

function* objectsIn(value: Value): Generator<ObjectValue> {
  for (const one of value.type === "list" ? value.items : [value]) if (one.type === "object") yield one;
}

function permissionIn(value: Value): Permission | undefined {
  const text = value.type === "text" ? fold(value.text) : "";
  return text === "read" || text === "write" || text === "deny" || text === "list" ? text : undefined;
}

function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}
