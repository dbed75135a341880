/** All checks of a recorded history. Each is a pure function in a file of its own. */
import type { Check, History } from "../history.ts";
import { counts } from "./counts.ts";
import { indexes } from "./indexes.ts";
import { lists } from "./lists.ts";
import { lost } from "./lost.ts";
import { names } from "./names.ts";
import { registers } from "./registers.ts";
import { followed } from "./followed.ts";
import { rights, values } from "./owned.ts";
import { revoked } from "./revoked.ts";
import { watchers } from "./watchers.ts";

const CHECKS: Readonly<Record<string, Check>> = {
  lost,
  lists,
  registers,
  indexes,
  watchers,
  revoked,
  rights,
  values,
  followed,
  names,
  counts,
};

/**
 * Checks a history: a line for each finding, which begins with the name of its check, such as `lost: …`. Empty if there
 * is none; at most 20 of one check.
 */
export function checkHistory(history: History): string[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => check(history).map((finding) => `${name}: ${finding}`));
}
