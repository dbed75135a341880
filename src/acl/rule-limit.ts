import { AppError } from "../errors.ts";

/** Rules that a token may have by all its policies: they are compiled in one turn of the event loop. */
const MAX_RULES = 20_000;

/**
 * Refuses what has too many rules. Asked when a policy, role or token is
 * written, and when a token is used, since its policies may have grown since.
 *
 * @throws AppError `invalid`
 */
export function checkRules(what: "policy" | "role" | "token", count: number): void {
  if (count <= MAX_RULES) return;
  throw new AppError("invalid", `The ${what} has ${count} rules; at most ${MAX_RULES} are allowed`);
}
