import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/support/length.ts";
import { RandomRules } from "../../../../test/support/random-rules.ts";
import { RandomTightening, rightsWith, rowOf } from "../../../../test/support/random-tightening.ts";
import { randomOfRun } from "../../../../test/support/seeded.ts";
import { parseRules } from "../../../rights/rules/parse.ts";
import { keyOfSubject } from "./uses.ts";
import { compileAuthorizer } from "../../../rights/rules/compile.ts";
import { decide } from "../../../rights/rules/decide.ts";
import { NO_FACTS } from "../../../rights/rules/question.ts";
import { atOnce } from "../../../turns.ts";
import { tighten, type TightenedLine } from "./tighten.ts";

const ROUNDS = sized(200, 10_000);
const QUESTIONS = 60;

test("a use of all intentions at once keeps the rules that it rests on", () => {
  const text =
    'service_prefix "" { policy = "deny" intentions = "write" } service "aa" { policy = "read" intentions = "write" }';
  const home = { partition: "default", namespace: "default" };
  const policy = { id: "p", name: "p", home, links: [], rules: parseRules(text) };
  const subject = { kind: "token", accessorId: "t" } as const;
  const holder = { direct: [policy], defaults: [], subjects: new Set([keyOfSubject(subject)]) };
  const rights = compileAuthorizer({ ...holder, defaultPolicy: "deny" });
  const all = { resource: "intention", segment: "*", access: "write", scope: home } as const;
  const one = { resource: "service", segment: "aa", access: "read", scope: home } as const;
  const rows = [all, one].map((question) => rowOf(rights, question, subject, "own")).filter((row) => row !== undefined);
  expect(rows).toHaveLength(2);
  const input = { policy: { id: "p", name: "p", home }, text, source: { edition: "enterprise" }, keep: [] } as const;
  const { draft = "" } = atOnce(tighten({ ...input, holders: [holder], rows, defaultPolicy: "deny" }));
  expect(decide(rightsWith(holder, policy, draft, "deny"), all, NO_FACTS).allow).toBe(true);
});

const rules = new RandomRules(randomOfRun());
const random = new RandomTightening(rules);

describe(`on ${ROUNDS} random policies, holders and defaults`, () => {
  test("a draft gives nobody anything, and takes nothing that was used", () => {
    const actions: Record<TightenedLine["action"], number> = { kept: 0, lowered: 0, replaced: 0, dropped: 0 };
    const reasons: Record<string, number> = {};
    let lost = 0;
    for (let number = 0; number < ROUNDS; number++) {
      const { input, policy, holders, asked } = random.draw();
      const { draft, lines } = atOnce(tighten(input));
      expect(draft, input.text).toBeDefined();
      if (draft === undefined) continue;
      for (const { action, reason } of lines) {
        actions[action] += 1;
        reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
      for (const holder of holders) {
        const before = compileAuthorizer({ ...holder, defaultPolicy: input.defaultPolicy });
        const after = rightsWith(holder, policy, draft, input.defaultPolicy);
        for (let index = 0; index < QUESTIONS; index++) {
          const question = random.question(holder, policy.home);
          const [could, can] = [before, after].map((rights) => decide(rights, question, NO_FACTS).allow);
          if (can === true && could !== true) expect({ text: input.text, draft, question, holder }).toBe("no gain");
          if (could === true && can !== true) lost++;
        }
        for (const { question } of asked.filter((each) => each.holder === holder)) {
          const { allow } = decide(after, question, NO_FACTS);
          if (!allow) expect({ text: input.text, draft, question, holder, lines }).toBe("still allowed");
        }
      }
    }
    if (process.env["TESSERA_TEST_FIGURES"]) console.log(actions, reasons, lost);
    // A draft that changes nothing would give nobody anything either.
    expect(Math.min(...Object.values(actions))).toBeGreaterThan(ROUNDS / 50);
    expect(lost).toBeGreaterThan(ROUNDS);
  });
});
