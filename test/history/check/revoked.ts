/** Tokens, logins, sessions and secrets stop when they are ended, and not before. */
import type { Check, History } from "../history.ts";
import { allOf, describe, groupBy, limited, mayHaveHappened, type Of } from "./entries.ts";

/** How long (in milliseconds) after the answer to its revocation a token may still be accepted somewhere in the default mode. */
export const LAG = 1_000;

/**
 * No use that began more than 1 s after the answer to an acknowledged revocation is accepted, on any node, and none with
 * `?consistent` that began after it at all; and no use is refused that had been answered before anybody began to revoke the
 * token. Tokens are used once their creation is acknowledged, so a refusal has no other reason.
 */
export const revoked = revokedWithin(LAG);

/** The same for servers that must know sooner. @param lag milliseconds */
export function revokedWithin(lag: number): Check {
  return limited((history) => findWrongUses(history, lag));
}

function findWrongUses(history: History, lag: number): string[] {
  const revocations = groupBy(allOf(history, "revoke").filter(mayHaveHappened), (entry) => entry.operation.token);
  const uses = groupBy(allOf(history, "use"), (entry) => entry.operation.token);
  return [...uses].flatMap(([token, ofToken]) => wrongUses(ofToken, revocations.get(token) ?? [], lag));
}

function wrongUses(uses: readonly Of<"use">[], revocations: readonly Of<"revoke">[], lag: number): string[] {
  const findings: string[] = [];
  const first = revocations[0];
  const answered = revocations
    .filter((entry) => entry.outcome === "done")
    .reduce<Of<"revoke"> | undefined>((a, b) => (a === undefined || answerOf(b) < answerOf(a) ? b : a), undefined);
  for (const use of uses) {
    const excused = use.operation.consistent === true ? 0 : lag;
    if (use.operation.accepted === true && answered !== undefined && use.invoked > answerOf(answered) + excused)
      findings.push(`${describe(use)} is accepted, though ${describe(answered)} was answered ${before(excused)}`);
    if (use.operation.accepted === false && (first === undefined || first.invoked > answerOf(use)))
      findings.push(`${describe(use)} is refused, though nobody had begun to revoke the token`);
  }
  return findings;
}

function before(excused: number): string {
  return excused === 0 ? "before" : "long before";
}

function answerOf(entry: Of<"revoke" | "use">): number {
  return entry.returned ?? Infinity;
}
