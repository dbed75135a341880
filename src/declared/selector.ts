/** Which objects of a directory are meant: `team=web,kind=policy`. */
import type { Declared } from "./object.ts";
import { wrong } from "./problem.ts";

/** All of it has to hold. A value with `!` before it must not be that. */
export type Selector = readonly { readonly name: string; readonly value: string; readonly isNot: boolean }[];

/** Reads a selector. @throws DeclarationError when it cannot be meant so */
export function readSelector(text: string): Selector {
  return text.split(",").map((part) => {
    const [, name = "", not = "", value = ""] = /^\s*([^=!\s]+)\s*(!?)=\s*(.*?)\s*$/.exec(part) ?? [];
    if (name === "")
      throw wrong(`a selector is NAME=VALUE, or several of them with commas, not ${JSON.stringify(part)}`);
    return { name, value, isNot: not === "!" };
  });
}

/** Whether an object is meant: by its kind, its name, where it lies, or its labels. */
export function selects(selector: Selector, { kind, name, where, labels }: Declared): boolean {
  const known: Readonly<Record<string, string>> = { ...labels, ...where, kind: kind.name, name };
  return selector.every((each) => (known[each.name]?.toLowerCase() === each.value.toLowerCase()) !== each.isNot);
}
