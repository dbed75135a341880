/** What can be watched, and who may see that it changes. */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { hasPermission } from "../acl/permission.ts";
import { POLICIES } from "../acl/policies/lookup.ts";
import { ROLES } from "../acl/roles/lookup.ts";
import { TOKENS } from "../acl/tokens/lookup.ts";
import { goQuote } from "../go/quote.ts";

type Caller = Pick<Context, "actor">;

const seesAcl = (caller: Caller): boolean => hasPermission(caller, "acl", "read");

/** By topic, which is the name of a table: whether the caller may know of a change in it. */
const TOPICS: ReadonlyMap<string, (caller: Caller) => boolean> = new Map([
  [TOKENS, seesAcl],
  [POLICIES, seesAcl],
  [ROLES, seesAcl],
]);

/** All topics, in order. */
export const TOPIC_NAMES: readonly string[] = [...TOPICS.keys()].toSorted();

/**
 * Reads the parameter `topics`: names with commas between them, `*` or nothing for all.
 *
 * @throws AppError `bad_parameter` on a name that is no topic
 */
export function readTopics(text: string | undefined): ReadonlySet<string> {
  if (text === undefined || text === "" || text === "*") return new Set(TOPIC_NAMES);
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (TOPICS.has(name)) continue;
    throw new AppError("bad_parameter", `Unknown topic ${goQuote(name)}; topics are ${TOPIC_NAMES.join(", ")}`);
  }
  return new Set(names);
}

/** Whether the caller may know of a change under this topic now. */
export function maySee(caller: Caller, topic: string): boolean {
  return TOPICS.get(topic)?.(caller) ?? false;
}
