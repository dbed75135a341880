import { invalid } from "../errors.ts";
import { createTurns } from "../turns.ts";

/** How much there is to compile. */
export interface RuleSize {
  policies: number;
  rules: number;
  /** Bytes of their text. */
  bytes: number;
}

/** Maximum number of policies of a token by all its links: its roles, identities, templates and defaults included. */
const MAX_POLICIES = 1024;
/** Maximum number of rules of a token by all its policies, those of identities and templates included. */
const MAX_RULES = 20_000;
/** Their text together: a few rules may come with much comment, and `expanded` shows all of it. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Refuses what has too many policies or rules. Asked when a policy, role or token is
 * written, and when a token is used, since its policies may have grown since.
 *
 * @throws AppError `invalid`
 */
export function checkRules(what: "policy" | "role" | "token", { policies, rules, bytes }: RuleSize): void {
  if (policies > MAX_POLICIES) {
    throw invalid(
      `The ${what} has ${policies} policies, directly and through roles and identities; at most ${MAX_POLICIES} are allowed`,
    );
  }
  if (rules > MAX_RULES) {
    throw invalid(`The ${what} has ${rules} rules; at most ${MAX_RULES} are allowed`);
  }
  if (bytes > MAX_BYTES) {
    throw invalid(`The rules of the ${what} have ${bytes} bytes; at most ${MAX_BYTES} are allowed`);
  }
}

/** Returns the sum of the sizes. */
export function addSizes(sizes: Iterable<RuleSize>): RuleSize {
  const sum = { policies: 0, rules: 0, bytes: 0 };
  for (const { policies, rules, bytes } of sizes) {
    sum.policies += policies;
    sum.rules += rules;
    sum.bytes += bytes;
  }
  return sum;
}

/** Turns for reading and compiling permissions: thousands of rules take longer than one turn of the event loop may. */
export const rightsTurns = createTurns();
