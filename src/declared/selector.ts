/** Selects objects of a directory: `team=web,kind=policy`. */
import { KINDS } from "./kinds.ts";
import type { Declared } from "./object.ts";
import { wrong } from "./problem.ts";
import { didYouMean } from "./shape.ts";

/** All of it has to hold. A value with `!` before it must not be that. */
export type DeclaredSelector = readonly { readonly name: string; readonly value: string; readonly isNot: boolean }[];

/** Reads a selector. @throws DeclarationError when it cannot be meant so */
export function readSelector(text: string): DeclaredSelector {
  return text.split(",").map((part) => {
    const [, name = "", not = "", value = ""] = /^\s*([^=!\s]+)\s*(!?)=\s*(.*?)\s*$/.exec(part) ?? [];
    if (name === "")
      throw wrong(`invalid selector: expected NAME=VALUE, or a comma-separated list, got ${JSON.stringify(part)}`);
    if (name === "kind") checkKind(value);
    return { name, value, isNot: not === "!" };
  });
}

const PLACES = ["kind", "name", "partition", "namespace", "organization"];

/** @throws DeclarationError */
function checkKind(value: string): void {
  const names = KINDS.map(({ name }) => name);
  if (names.some((name) => name === value.toLowerCase())) return;
  throw wrong(`unknown kind ${JSON.stringify(value)} in the selector${didYouMean(value, names)}`);
}

/** Says what is strange about a selector beside these objects: that it fits none of them, or asks for a label that none has. */
export function strangeIn(selector: DeclaredSelector, objects: readonly Declared[]): string[] {
  const labels = new Set([...PLACES, ...objects.flatMap(({ labels: all }) => Object.keys(all))]);
  const unknown = selector.flatMap(({ name }) =>
    labels.has(name) ? [] : [`no object has the label ${name}${didYouMean(name, [...labels])}`],
  );
  const isIdle = !objects.some((object) => selects(selector, object));
  return [...unknown, ...(isIdle ? [`the selector matches none of ${objects.length} objects`] : [])];
}

/** Whether an object is meant: by its kind, its name, where it lies, or its labels. */
export function selects(selector: DeclaredSelector, { kind, name, where, labels }: Declared): boolean {
  const known: Readonly<Record<string, string>> = { ...labels, ...where, kind: kind.name, name };
  return selector.every((each) => (known[each.name]?.toLowerCase() === each.value.toLowerCase()) !== each.isNot);
}
