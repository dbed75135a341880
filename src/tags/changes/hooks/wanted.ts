/** Which records a webhook asks for. */
import { REPORTED } from "../record.ts";
import type { StoredChange } from "../store.ts";
import type { Webhook } from "./store.ts";

/** Whether a webhook asks for a record. A report is only for those that name its action. */
export function isWanted(
  { kinds, actions }: Pick<Webhook, "kinds" | "actions">,
  { kind, action }: Pick<StoredChange, "kind" | "action">,
): boolean {
  if (action === REPORTED && actions === "[]") return false;
  return isIn(kinds, kind) && isIn(actions, action);
}

/** @param list JSON; an empty one takes all */
function isIn(list: string, value: string): boolean {
  return list === "[]" || (JSON.parse(list) as string[]).includes(value);
}
