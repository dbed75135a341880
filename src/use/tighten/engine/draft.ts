/** The text of a policy after edits: lines that stay keep their comments and layout. Pure. */
import { fold } from "../../../fold.ts";
import type { Permission } from "../../../rights/rules/rule.ts";
import type { ObjectValue, ScannedMember, ScannedValue } from "../../../rights/rules/scanner.ts";
import type { RuleEdit, Edits, NamedRule } from "./edit.ts";
import type { RulesSource, SourcePlace, SourceRule } from "./source.ts";

/** Whether a rule can be taken out of its text. */
export function isRemovable({ text, root }: RulesSource, { place, isOfBlock }: SourceRule): boolean {
  if (place === undefined) return false;
  if (isOfBlock) return fieldOf(place, "policy") !== undefined && isWritten(text, root, place.fields);
  return isWritten(text, root, place.body);
}

/** Whether the permission of a rule can be changed in its text. */
export function isLowerable({ place }: SourceRule, field: "policy" | "intentions"): boolean {
  if (place === undefined) return false;
  if (place.fields === undefined) return place.member.value.type === "text";
  return fieldOf(place, field) !== undefined;
}

/** Labels without braces around them are objects that nobody wrote. */
function isWritten(text: string, root: ObjectValue, object: ObjectValue | undefined): boolean {
  return object !== undefined && (object === root || text.charAt(object.at) === "{");
}

/** The one argument of this name with a text. */
function fieldOf({ fields }: SourcePlace, name: string): ScannedMember | undefined {
  const found = fields?.members.filter(({ key }) => fold(key) === name) ?? [];
  return found.length === 1 && found[0]?.value.type === "text" ? found[0] : undefined;
}

/** Writes the text with the edits. */
export function writeDraft(source: RulesSource, edits: Edits): string {
  const writer = source.isJson ? new JsonWriter(source) : new HclWriter(source);
  for (const line of source.lines) {
    const edit = edits.get(line.at);
    if (edit !== undefined && line.place !== undefined) writer.apply(line, line.place, edit);
  }
  return writer.write();
}

/** New members behind a member of the text. */
interface Added {
  kind: string;
  names: NamedRule[];
}

abstract class DraftWriter {
  protected readonly text: string;
  protected readonly added = new Map<ScannedMember, Added[]>();
  /** New labels at the end of an object of labels. */
  protected readonly appended = new Map<ObjectValue, readonly NamedRule[]>();
  protected readonly dropped = new Set<ScannedMember>();
  readonly #root: ObjectValue;
  readonly #values = new Map<ScannedValue, Permission>();

  constructor({ text, root }: RulesSource) {
    this.text = text;
    this.#root = root;
  }

  apply({ rule, isOfBlock }: SourceRule, place: SourcePlace, edit: RuleEdit): void {
    if (edit.action === "lowered") {
      const field = place.fields === undefined ? place.member : fieldOf(place, "policy");
      if (field && edit.policy !== rule.policy) this.#values.set(field.value, edit.policy);
      const intentions = edit.intentions === undefined ? undefined : fieldOf(place, "intentions");
      if (intentions && edit.intentions) this.#values.set(intentions.value, edit.intentions);
      return;
    }
    if (isOfBlock) {
      const field = fieldOf(place, "policy");
      if (field) this.dropped.add(field);
      return;
    }
    this.dropped.add(place.label ?? place.member);
    if (edit.action === "replaced") this.add(place, rule.resource, edit.names);
  }

  protected add({ member }: SourcePlace, kind: string, names: readonly NamedRule[]): void {
    this.added.set(member, [...(this.added.get(member) ?? []), { kind, names: [...names] }]);
  }

  write(): string {
    this.#dropEmpty(this.#root);
    const inner = this.inside(this.#root);
    return this.text.slice(0, this.#root.at) + inner + this.text.slice(this.#root.end);
  }

  /** Drops members of which nothing is left. @returns whether all members of an object are dropped */
  #dropEmpty(object: ObjectValue): boolean {
    const { members } = object;
    for (const member of members) {
      if (this.dropped.has(member)) continue;
      const objects = member.value.type === "object" ? [member.value] : [];
      const isEmpty = objects.length > 0 && objects.every((each) => this.#dropEmpty(each));
      if (isEmpty) this.dropped.add(member);
    }
    if (members.length === 0 || this.appended.has(object)) return false;
    return members.every((each) => this.dropped.has(each) && !this.added.has(each));
  }

  protected written(value: ScannedValue): string {
    const permission = this.#values.get(value);
    if (permission !== undefined) return JSON.stringify(permission);
    if (value.type === "object") return this.inside(value);
    if (value.type === "list") return this.#pieces(value.at, value.end, value.items);
    return this.text.slice(value.at, value.end);
  }

  protected abstract inside(object: ObjectValue): string;

  protected isChanged(members: readonly ScannedMember[]): boolean {
    return members.some((each) => this.dropped.has(each) || this.added.has(each));
  }

  /** The text from one place to another, with these values written anew. */
  #pieces(from: number, to: number, values: readonly ScannedValue[]): string {
    let out = "";
    let at = from;
    for (const value of values) {
      out += this.text.slice(at, value.at) + this.written(value);
      at = value.end;
    }
    return out + this.text.slice(at, to);
  }

  protected unchanged({ at, end, members }: ObjectValue): string {
    return this.#pieces(
      at,
      end,
      members.map(({ value }) => value),
    );
  }

  protected member({ at, value }: ScannedMember): string {
    return this.text.slice(at, value.at) + this.written(value);
  }

  /** Indentation of the line in which something stands. */
  protected indent(at: number): string {
    const line = this.text.slice(this.text.lastIndexOf("\n", at - 1) + 1, at);
    return /^[ \t]*/.exec(line)?.[0] ?? "";
  }
}

class HclWriter extends DraftWriter {
  protected inside(object: ObjectValue): string {
    const { at, end, members } = object;
    if (!this.isChanged(members)) return this.unchanged(object);
    const out = new Written();
    let from = at;
    let isAfterDrop = false;
    for (const member of members) {
      out.follow(this.text.slice(from, member.at), isAfterDrop);
      const lines = [
        ...(this.dropped.has(member) ? [] : [this.member(member)]),
        ...(this.added.get(member) ?? []).flatMap((added) => this.#blocks(member, added)),
      ];
      isAfterDrop = lines.length === 0;
      out.add(lines.length < 2 ? lines.join("") : lines.join(`${this.#lineEnd()}${this.indent(member.at)}`));
      from = member.value.end;
    }
    out.follow(this.text.slice(from, end), isAfterDrop);
    return out.text();
  }

  #blocks(member: ScannedMember, { kind, names }: Added): string[] {
    const isOneLine = !this.text.slice(member.at, member.value.end).includes("\n");
    const indent = this.indent(member.at);
    const [open, between, close] = isOneLine
      ? [" ", " ", " "]
      : [`${this.#lineEnd()}${indent}  `, `${this.#lineEnd()}${indent}  `, `${this.#lineEnd()}${indent}`];
    return names.map(({ segment, policy, intentions }) => {
      const fields = [`policy = "${policy}"`, ...(intentions === undefined ? [] : [`intentions = "${intentions}"`])];
      return `${kind} ${JSON.stringify(segment)} {${open}${fields.join(between)}${close}}`;
    });
  }

  #lineEnd(): string {
    return this.text.includes("\r\n") ? "\r\n" : "\n";
  }
}

/** A text that grows. Only its end is looked at again, from its last character on that is no blank: there may be thousands of members. */
class Written {
  #done = "";
  #end = "";

  /** Adds the text between two members. */
  follow(gap: string, isAfterDrop: boolean): void {
    this.#keep(joined(this.#end, gap, isAfterDrop));
  }

  add(text: string): void {
    this.#keep(this.#end + text);
  }

  text(): string {
    return this.#done + this.#end;
  }

  #keep(text: string): void {
    let at = text.length;
    while (at > 0 && " \t\r\n".includes(text.charAt(at - 1))) at--;
    const cut = Math.max(0, at - 1);
    this.#done += text.slice(0, cut);
    this.#end = text.slice(cut);
  }
}

/** Text behind a dropped member follows: the rest of its line goes too, and one of two blank lines. */
function joined(out: string, gap: string, isAfterDrop: boolean): string {
  if (!isAfterDrop) return out + gap;
  const rest = gap.replace(/^[ \t]*,/, "");
  const before = /(?:^|\n)[ \t]*$/.exec(out)?.[0];
  const line = /^[ \t]*(?:(?:#|\/\/)[^\n]*)?(?:\r?\n|$)/.exec(rest)?.[0];
  if (before === undefined || line === undefined) return out.replace(/[ \t]+$/, "") + rest;
  const kept = out.replace(/[ \t]+$/, "");
  const following = rest.slice(line.length);
  const isBlankBefore = kept === "" || /\n[ \t]*\r?\n$/.test(kept);
  return kept + (isBlankBefore ? following.replace(/^[ \t]*\r?\n/, "") : following);
}

class JsonWriter extends DraftWriter {
  /** New names go to the member of their kind, if there is one: not everywhere may names of members be repeated. */
  protected override add(place: SourcePlace, kind: string, names: readonly NamedRule[]): void {
    const isTarget = ({ key, value }: ScannedMember): boolean =>
      fold(key) === kind && value.type === "object" && value.members.length > 0;
    const target = place.body.members.find(isTarget)?.value;
    if (target?.type === "object") {
      this.appended.set(target, [...(this.appended.get(target) ?? []), ...names]);
      return;
    }
    const known = place.body.members.flatMap((each) => this.added.get(each) ?? []).find((each) => each.kind === kind);
    if (known === undefined) super.add(place, kind, names);
    else known.names.push(...names);
  }

  protected inside(object: ObjectValue): string {
    const { at, end, members } = object;
    const appended = this.appended.get(object) ?? [];
    if (!this.isChanged(members) && appended.length === 0) return this.unchanged(object);
    const items: string[] = [];
    let from = at + 1;
    let space = "";
    for (const member of members) {
      space = /\s*$/.exec(this.text.slice(from, member.at))?.[0] ?? "";
      if (!this.dropped.has(member)) items.push(space + this.member(member));
      for (const added of this.added.get(member) ?? []) items.push(space + newMember(space, added));
      from = member.value.end;
    }
    items.push(...appended.map((name) => space + newLabel(name)));
    const tail = this.text.slice(from, end - 1).replace(",", "");
    return items.length === 0 ? "{}" : `{${items.join(",")}${tail}}`;
  }
}

function newMember(space: string, { kind, names }: Added): string {
  const labels = names.map(newLabel);
  if (!space.includes("\n")) return `"${kind}": { ${labels.join(", ")} }`;
  return `"${kind}": {${labels.map((label) => `${space}  ${label}`).join(",")}${space}}`;
}

function newLabel({ segment, policy, intentions }: NamedRule): string {
  const fields = [`"policy": "${policy}"`, ...(intentions === undefined ? [] : [`"intentions": "${intentions}"`])];
  return `${JSON.stringify(segment)}: { ${fields.join(", ")} }`;
}
