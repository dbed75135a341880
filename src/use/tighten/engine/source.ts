/** Rules of a policy as they stand in its text: where each one is, and whether it can be edited there. Pure. */
import { fold } from "../../../fold.ts";
import { isAllowed, KINDS, parseStoredInSteps, parseTree, type Grammar } from "../../../rights/rules/parse.ts";
import { SCALARS, type ResourceRule, type Rule, type ScopeRule } from "../../../rights/rules/rule.ts";
import type { ObjectValue, ScannedMember, ScannedValue, Steps } from "../../../rights/rules/scanner.ts";

/** Place of a rule in the tree of its text. */
export interface SourcePlace {
  /** Object that contains the member of the rule's kind. */
  readonly body: ObjectValue;
  readonly member: ScannedMember;
  /** Undefined for a rule without a label. */
  readonly labels?: ObjectValue;
  readonly label?: ScannedMember;
  /** Arguments of the block. */
  readonly fields?: ObjectValue;
}

/** One rule of a policy: a block, an argument, or the permission that a block has for its namespace or partition. */
export interface SourceRule {
  /** Position in the text, as an index: of its label if it has one. */
  readonly at: number;
  readonly rule: ResourceRule;
  /** Blocks around it, the outer one first. */
  readonly blocks: readonly ScopeRule[];
  /** Whether it is the permission of a `namespace` or `partition` block itself. */
  readonly isOfBlock: boolean;
  readonly place: SourcePlace | undefined;
}

export interface RulesSource {
  readonly text: string;
  readonly isJson: boolean;
  readonly root: ObjectValue;
  readonly rules: readonly Rule[];
  readonly lines: readonly SourceRule[];
}

export interface SourceOptions {
  readonly edition: "enterprise" | "community";
  readonly grammar?: Grammar;
}

/** Reads a text with the places of its rules. @throws {RulesError} as `parseRules` does */
export function* readSource(text: string, { edition, grammar = "present" }: SourceOptions): Steps<RulesSource> {
  const rules = yield* parseStoredInSteps(text, edition, { grammar, places: true });
  const root = yield* parseTree(text, grammar);
  const places = new Map<number, SourcePlace[]>();
  notePlaces(root, "", places);
  const isJson = /^\ufeff?[ \t\r\n]*\{/.test(text);
  return { text, isJson, root, rules, lines: linesOf(rules, [], places) };
}

function linesOf(
  rules: readonly Rule[],
  blocks: readonly ScopeRule[],
  places: ReadonlyMap<number, readonly SourcePlace[]>,
): SourceRule[] {
  return rules.flatMap((rule) => {
    const { at = 0 } = rule;
    const found = places.get(at) ?? [];
    // Lists may put several blocks behind one label, and arguments may be repeated: such rules are left as they are.
    const place = found.length === 1 ? found[0] : undefined;
    if (!("kind" in rule)) return [{ at, rule, blocks, isOfBlock: false, place }];
    const inner = linesOf(rule.rules, [...blocks, rule], places);
    const { kind, prefix, segment, policy, loose } = rule;
    if (policy === undefined) return inner;
    const about: ResourceRule = { resource: kind, prefix, segment, policy, at, ...(loose && { loose }) };
    return [{ at, rule: about, blocks, isOfBlock: true, place }, ...inner];
  });
}

function notePlaces(
  body: ObjectValue,
  inside: "" | "namespace" | "partition",
  places: Map<number, SourcePlace[]>,
): void {
  const note = (at: number, place: SourcePlace): void => {
    places.set(at, [...(places.get(at) ?? []), place]);
  };
  for (const member of body.members) {
    const kind = KINDS.get(fold(member.key));
    if (kind === undefined || !isAllowed(kind, inside)) continue;
    if (kind.form === "scalar") {
      const others = body.members.filter(({ key }) => fold(key) === fold(member.key));
      for (const _ of others) note(member.at, { body, member });
      continue;
    }
    for (const labels of objectsIn(member.value)) {
      for (const label of labels.members) {
        for (const fields of objectsIn(label.value)) {
          note(label.at, { body, member, labels, label, fields });
          if (kind.form === "scope") notePlaces(fields, kind.kind, places);
        }
      }
    }
  }
}

function objectsIn(value: ScannedValue): ObjectValue[] {
  const values = value.type === "list" ? value.items : [value];
  return values.filter((each) => each.type === "object");
}

/** Name of the kind in a text: `key_prefix`. */
export function kindOf({ resource, prefix }: Pick<ResourceRule, "resource" | "prefix">): string {
  return prefix ? `${resource}_prefix` : resource;
}

/** A rule in the words of its text: `key_prefix "app/"`. */
export function nameOf(rule: Pick<ResourceRule, "resource" | "prefix" | "segment">): string {
  const isScalar = (SCALARS as readonly string[]).includes(rule.resource);
  return isScalar ? rule.resource : `${kindOf(rule)} ${JSON.stringify(rule.segment)}`;
}
