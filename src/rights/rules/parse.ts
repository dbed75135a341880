/** From the text of a policy to its rules: which names mean what, and which permissions each kind has. */
import { fold } from "../../fold.ts";
import { atOnce } from "../../turns.ts";
import { INERT, permissionsOf, PLAIN_PERMISSIONS } from "../../../packages/model/rule-kinds.ts";
import { parseHcl } from "./hcl.ts";
import { parseJson } from "./json.ts";
import {
  LABELLED,
  SCALARS,
  SCOPES,
  stronger,
  said,
  type Said,
  type Permission,
  type ResourceRule,
  type Rule,
  type RuleResource,
} from "./rule.ts";
import {
  RulesError,
  type WrongValue,
  type Steps,
  describe,
  shorten,
  type ScannedMember,
  type ObjectValue,
  type ScannedValue,
} from "./scanner.ts";

/** Longest text of rules, in bytes. */
export const MAX_RULES_BYTES = 512 * 1024;

/**
 * Reads rules in either spelling: JSON when the first character is `{`, else
 * HCL. Empty text has no rules. Names that mean nothing are passed over; names
 * may be written in any case, and permissions of blocks too, though they give less then.
 *
 * @param text at most 512 KiB in UTF-8
 * @param edition the community edition does not know the blocks `namespace` and `partition`, so that they mean nothing
 * @throws {RulesError} `Failed to parse ACL rules: …` with line, column and what
 * was expected, or `Invalid <kind> policy: …` for a permission that the kind does not have
 */
export function parseRules(text: string, edition: Edition = "enterprise"): Rule[] {
  return atOnce(parseInSteps(text, edition));
}

type Edition = "enterprise" | "community";

/**
 * Grammar of texts that can be read in two ways. `earlier` is the grammar of servers from before an argument could
 * occur only once: of a repeated argument the stronger applies, and case means nothing. A text from then is read so
 * until it is written again.
 */
export type Grammar = "earlier" | "present";

/** The same as work that can pause: half a megabyte takes a tenth of a second. */
export function* parseInSteps(text: string, edition: Edition, keep: ParseOptions = {}): Steps<Rule[]> {
  const { grammar = "present", places = false } = keep;
  const root = yield* parseTree(text, grammar);
  return yield* new RuleReader(text, edition === "enterprise", places, grammar).readRules(root, "");
}

/**
 * The same of a policy as it is stored. A community server takes anything for a block that it does not know: what cannot be one
 * then has no effect.
 */
export function* parseStoredInSteps(text: string, edition: Edition, keep: ParseOptions = {}): Steps<Rule[]> {
  try {
    return yield* parseInSteps(text, edition, keep);
  } catch (error) {
    if (edition === "community" || !(error instanceof RulesError)) throw error;
    return yield* parseInSteps(text, "community", keep);
  }
}

/** How a text is read, and what of it its rules keep. */
export interface ParseOptions {
  /** Default: `present`. */
  grammar?: Grammar;
  /** Whether each rule keeps its position; see `ResourceRule.at`. */
  places?: boolean;
}

/** Reads either spelling into a tree, whatever its names mean. @throws {RulesError} as `parseRules` does */
export function* parseTree(text: string, grammar: Grammar = "present"): Steps<ObjectValue> {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RULES_BYTES) {
    throw RulesError.syntax("", 0, `the text has ${bytes} bytes, expected at most ${MAX_RULES_BYTES}`);
  }
  const unstorable = text.search(/\p{Surrogate}|\0/u);
  if (unstorable >= 0) throw RulesError.syntax(text, unstorable, "the text contains NUL or an unpaired surrogate");
  return /^\ufeff?[ \t\r\n]*\{/.test(text) ? yield* parseJson(text) : yield* parseHcl(text, grammar === "earlier");
}

export type RuleForm =
  | { readonly form: "scalar"; readonly resource: RuleResource }
  | { readonly form: "labelled"; readonly resource: RuleResource | "identity"; readonly prefix: boolean }
  | { readonly form: "scope"; readonly kind: "namespace" | "partition"; readonly prefix: boolean };

/** Kinds of rules by their name in the text. */
export const KINDS: ReadonlyMap<string, RuleForm> = new Map<string, RuleForm>([
  ...SCALARS.map((resource) => [resource, { form: "scalar", resource }] as const),
  ...[false, true].flatMap((prefix) => [
    ...[...LABELLED, ...INERT].map(
      (resource) => [prefix ? `${resource}_prefix` : resource, { form: "labelled", resource, prefix }] as const,
    ),
    ...SCOPES.map((kind) => [prefix ? `${kind}_prefix` : kind, { form: "scope", kind, prefix }] as const),
  ]),
]);

/** Kinds that are valid at the top only; inside a block their names mean nothing. */
const TOP_ONLY: readonly string[] = ["keyring", "operator", "organization", "workspace", "partition"];
/** Further kinds that a namespace block cannot contain. */
const NOT_IN_NAMESPACE: readonly string[] = ["agent", "event", "identity", "mesh", "namespace", "peering", "query"];

/** A block: `service "label" { fields }`. */
interface Block {
  kindName: string;
  label: string;
  at: number;
  fields: ObjectValue;
}

/** Rules between two pauses. */
const RULES_BETWEEN = 16;

class RuleReader {
  readonly #text: string;
  readonly #knowsScopes: boolean;
  readonly #keepsPlaces: boolean;
  readonly #isEarlier: boolean;

  constructor(text: string, knowsScopes: boolean, keepsPlaces: boolean, grammar: Grammar) {
    this.#text = text;
    this.#knowsScopes = knowsScopes;
    this.#keepsPlaces = keepsPlaces;
    this.#isEarlier = grammar === "earlier";
  }

  /** @param inside the block that the members stand in; empty at the top */
  *readRules(body: ObjectValue, inside: "" | "namespace" | "partition"): Steps<Rule[]> {
    const rules: Rule[] = [];
    const scalars = lastScalars(body);
    for (const member of body.members) {
      const kindName = fold(member.key);
      const kind = KINDS.get(kindName);
      if (kind === undefined || !isAllowed(kind, inside)) continue;
      if (kind.form === "scope" && !this.#knowsScopes) continue;
      if (kind.form === "scalar") {
        const found = this.#readScalar(kind.resource, member);
        if (this.#isEarlier || scalars.get(kindName) === member) rules.push(...found);
      } else {
        for (const block of this.#blocks(kindName, member)) {
          for (const rule of yield* this.#readBlock(kind, block)) rules.push(rule);
          if (rules.length % RULES_BETWEEN === 0) yield;
        }
      }
    }
    return rules;
  }

  #readScalar(resource: RuleResource, member: ScannedMember): ResourceRule[] {
    const text = this.#textOf(member.value, resource);
    if (text === "") return [];
    const policy = permissionOf(text, PLAIN_PERMISSIONS);
    if (policy === undefined) {
      const message = `Invalid ${resource} policy: ${quote(text)}`;
      throw RulesError.invalid(this.#text, member.value.at, message, {
        field: resource,
        value: text,
        expected: PLAIN_PERMISSIONS,
      });
    }
    // A permission that is not in lower case grants nothing. A denial still applies.
    if (!this.#isEarlier && policy !== "deny" && policy !== text) return [];
    return [{ resource, prefix: false, segment: "", policy, ...this.#placed(member.at) }];
  }

  *#readBlock(kind: Exclude<RuleForm, { form: "scalar" }>, block: Block): Steps<Rule[]> {
    const segment = detach(block.label);
    const { prefix } = kind;
    if (kind.form === "scope") {
      const policy = this.#readPermission(block, "policy", PLAIN_PERMISSIONS);
      const intentions = this.#readPermission(block, "intentions", PLAIN_PERMISSIONS);
      const rules = yield* this.readRules(block.fields, kind.kind);
      return [{ kind: kind.kind, prefix, segment, ...said(policy, intentions), rules, ...this.#placed(block.at) }];
    }
    const { resource } = kind;
    const allowed = permissionsOf(resource);
    const policy = this.#readPermission(block, "policy", allowed);
    if (policy === undefined) throw this.#invalidBlock(block, { field: "policy", value: "", expected: allowed });
    const withIntentions = resource === "service" || resource === "identity";
    const intentions = withIntentions ? this.#readPermission(block, "intentions", PLAIN_PERMISSIONS) : undefined;
    // Rules about identities are known to the language and have no effect.
    if (resource === "identity") return [];
    const permissions = { policy: policy.permission, ...said(policy, intentions) };
    return [{ resource, prefix, segment, ...permissions, ...this.#placed(block.at) }];
  }

  #placed(at: number): { at?: number } {
    return this.#keepsPlaces ? { at } : {};
  }

  /** Each label with each of its blocks: a list of objects is as good as a repeated block. */
  *#blocks(kindName: string, member: ScannedMember): Generator<Block> {
    const wanted = `a block with a label, such as ${kindName} "name" { … }`;
    for (const labels of this.#objects(member.value, wanted)) {
      for (const { key: label, at, value } of labels.members) {
        for (const fields of this.#objects(value, wanted)) yield { kindName, label, at, fields };
      }
    }
  }

  *#objects(value: ScannedValue, wanted: string): Generator<ObjectValue> {
    for (const one of value.type === "list" ? value.items : [value]) {
      if (one.type !== "object") throw this.#unexpected(one, wanted);
      yield one;
    }
  }

  /** A permission of a block, of several the last; empty counts as absent. In the earlier grammar twice in one block counts like two blocks. */
  #readPermission(block: Block, field: string, allowed: readonly Permission[]): Said | undefined {
    let result: Said | undefined;
    for (const { text, at } of this.#fieldTexts(block, field)) {
      if (text === "") {
        if (!this.#isEarlier) result = undefined;
        continue;
      }
      const permission = permissionOf(text, allowed);
      if (permission === undefined) throw this.#invalidBlock(block, { field, value: text, expected: allowed }, at);
      if (!this.#isEarlier) result = { permission, isLoose: permission !== text };
      else result = { permission: result === undefined ? permission : stronger(result.permission, permission) };
    }
    return result;
  }

  #fieldTexts(block: Block, field: string): { text: string; at: number }[] {
    return block.fields.members
      .filter(({ key }) => fold(key) === field)
      .map(({ value }) => ({ text: this.#textOf(value, field), at: value.at }));
  }

  /** The text of a value; empty for null. */
  #textOf(value: ScannedValue, field: string): string {
    if (value.type === "null") return "";
    if (value.type !== "text") throw this.#unexpected(value, `a string for ${field}`);
    return value.text;
  }

  #unexpected(value: ScannedValue, wanted: string): RulesError {
    return RulesError.syntax(this.#text, value.at, `expected ${wanted}, found ${describe(value)}`);
  }

  /** @param at of the value, or of the block where there is none */
  #invalidBlock(block: Block, wrong: WrongValue, at = block.at): RulesError {
    const intentions = this.#fieldTexts(block, "intentions").at(-1)?.text;
    const shown = [
      `Name: ${quote(block.label)}`,
      `Policy: ${quote(this.#fieldTexts(block, "policy").at(-1)?.text ?? "")}`,
      ...(intentions === undefined ? [] : [`Intentions: ${quote(intentions)}`]),
    ];
    const what = wrong.field === "policy" ? "policy" : `${wrong.field} policy`;
    return RulesError.invalid(this.#text, at, `Invalid ${block.kindName} ${what}: {${shown.join(", ")}}`, wrong);
  }
}

/** Returns, for each kind of rule without a label, the member that applies: an argument has one value, the last. */
export function lastScalars({ members }: ObjectValue): ReadonlyMap<string, ScannedMember> {
  const last = new Map<string, ScannedMember>();
  for (const member of members) {
    const name = fold(member.key);
    if (KINDS.get(name)?.form === "scalar") last.set(name, member);
  }
  return last;
}

/** Whether rules of a kind mean anything there. @param inside the block around them; empty at the top */
export function isAllowed(kind: RuleForm, inside: "" | "namespace" | "partition"): boolean {
  const name = kind.form === "scope" ? kind.kind : kind.resource;
  if (inside === "") return true;
  return !TOP_ONLY.includes(name) && (inside === "partition" || !NOT_IN_NAMESPACE.includes(name));
}

function permissionOf(text: string, allowed: readonly Permission[]): Permission | undefined {
  const folded = fold(text);
  return allowed.find((permission) => permission === folded);
}

function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** A copy: the engine keeps a long text alive as long as any piece that was cut out of it. */
function detach(piece: string): string {
  return Buffer.from(piece).toString();
}
