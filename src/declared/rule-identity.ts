/**
 * Binding rules have no names, and IDs that only the server gives. A rule is found by its description, where that is the only one
 * of its auth method with it; else by what it says.
 */
import { describedName, undescribedName } from "../acl/declarations/owned-keys.ts";
import { fold } from "../fold.ts";
import { keyOf, pathOf } from "./kinds.ts";
import type { Declared } from "./object.ts";
import { plainText, type FileContent } from "./shape.ts";

/** The objects, with names for the binding rules among them. */
export function ruleIdentities<T extends Declared>(objects: readonly T[]): T[] {
  const described = new Map<string, number>();
  const said = new Map<string, number>();
  for (const object of objects) if (object.kind.name === "binding-rule") count(described, descriptionOf(object));
  return objects.map((object) => {
    if (object.kind.name !== "binding-rule") return object;
    const description = plainText(object.content["description"]);
    const isAlone = description !== "" && described.get(descriptionOf(object)) === 1;
    let name = `${plainText(object.content["auth-method"])}/${isAlone ? describedName(description) : saidBy(object.content)}`;
    // The second of two that say the same is another one.
    if (!isAlone) {
      const before = count(said, `${object.where.partition}/${object.where.namespace}/${name}`);
      if (before > 1) name += `-${before}`;
    }
    const { kind, where } = object;
    return { ...object, name, key: keyOf("binding-rule", where, name), path: pathOf(kind, where, name) };
  });
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

function descriptionOf({ where, content }: Declared): string {
  const method = fold(plainText(content["auth-method"]));
  return JSON.stringify([where.partition, where.namespace, method, fold(plainText(content["description"]))]);
}

function saidBy(content: FileContent): string {
  const text = (member: string) => plainText(content[member]);
  return undescribedName([text("bind-type"), text("bind-name"), text("selector")]);
}
