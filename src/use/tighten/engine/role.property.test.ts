import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/support/length.ts";
import { RandomRules } from "../../../../test/support/random-rules.ts";
import { RandomTightening } from "../../../../test/support/random-tightening.ts";
import { randomOfRun } from "../../../../test/support/seeded.ts";
import { compileAuthorizer } from "../../../rights/rules/compile.ts";
import { decide } from "../../../rights/rules/decide.ts";
import { NO_FACTS } from "../../../rights/rules/question.ts";
import { atOnce } from "../../../turns.ts";
import { tightenRole, withoutPolicies, type PolicyReason, type RoleHolder } from "./role.ts";

const ROUNDS = sized(300, 10_000);

const rules = new RandomRules(randomOfRun());
const random = new RandomTightening(rules);

describe(`on ${ROUNDS} random roles, holders and defaults`, () => {
  test("a role with fewer policies gives nobody anything, and takes nothing that was used", () => {
    const reasons = new Map<PolicyReason, number>();
    for (let number = 0; number < ROUNDS; number++) {
      const { input, policy, holders, asked } = random.draw();
      const policies = [...new Set(holders.flatMap(({ direct, defaults }) => [...direct, ...defaults]))].filter(
        () => rules.random() < 0.5,
      );
      const ofRole = new Set(policies.map(({ id }) => id));
      const held = holders.map((holder): RoleHolder => {
        const isDirect = rules.random() < 0.7;
        const none = new Set<string>();
        return { ...holder, onlyDirect: isDirect ? ofRole : none, onlyDefaults: isDirect ? none : ofRole };
      });
      const { rows, defaultPolicy } = input;
      const result = atOnce(tightenRole({ policies, holders: held, rows, keep: new Set(), defaultPolicy }));
      for (const { reason } of result) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      const gone = new Set(result.flatMap(({ id, action }) => (action === "dropped" ? [id] : [])));
      for (const [index, holder] of held.entries()) {
        const before = compileAuthorizer({ ...holder, defaultPolicy });
        const after = compileAuthorizer({ ...withoutPolicies(holder, gone), defaultPolicy });
        for (let count = 0; count < 60; count++) {
          const question = random.question(holder, policy.home);
          if (!decide(after, question, NO_FACTS).allow || decide(before, question, NO_FACTS).allow) continue;
          expect({ question, holder, result }).toBe("no gain");
        }
        for (const { question } of asked.filter((each) => each.holder === holders[index]))
          if (!decide(after, question, NO_FACTS).allow) expect({ question, holder, result }).toBe("still allowed");
      }
    }
    for (const reason of ["used", "unused", "denies"] as const)
      expect(reasons.get(reason)).toBeGreaterThan(ROUNDS / 20);
  });
});
