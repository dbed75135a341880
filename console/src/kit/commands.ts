/** Commands for the open object: its page registers them, and the palette offers them. */
import { useEffect, useId } from "react";
import { inScope, type Scope } from "../base/address.ts";
import type { IconName } from "./icons.tsx";
import { useMay, type Right } from "./rights.ts";

export interface Command {
  readonly title: string;
  readonly icon: IconName;
  /** Path to open, or a function to run. */
  readonly act: string | (() => void);
}

const offered = new Map<string, readonly Command[]>();

/** Returns the commands that the current page offers. */
export function commandsHere(): readonly Command[] {
  return [...offered.values()].flat();
}

/** Offers these as long as what calls it is shown; what the token may not do is left out by the caller. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId();
  useEffect(() => {
    offered.set(id, commands);
    return () => void offered.delete(id);
  });
}

const MAY_ASK: Right = { resource: "acl", access: "read" };

/**
 * Returns a command that opens a question about an object, for tokens that may ask.
 *
 * @param query as in the address of **Access checks**
 */
export function useWhy(scope: Scope, title: string, query: Readonly<Record<string, string>> | undefined): Command[] {
  const mayAsk = useMay(MAY_ASK, scope);
  if (!mayAsk || query === undefined) return [];
  return [{ title, icon: "why", act: `${inScope(scope, "why")}?${new URLSearchParams(query).toString()}` }];
}
