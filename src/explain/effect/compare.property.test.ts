import { expect, test } from "vitest";
import { sized } from "../../../test/support/length.ts";
import { RandomRules } from "../../../test/support/random-rules.ts";
import { RandomTightening } from "../../../test/support/random-tightening.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { compileAuthorizer } from "../../rights/rules/compile.ts";
import { decide } from "../../rights/rules/decide.ts";
import { parseRules } from "../../rights/rules/parse.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import { atOnce } from "../../turns.ts";
import { withPolicy } from "../../use/tighten/engine/tighten.ts";
import { compareRights } from "./compare.ts";
import { Points } from "./points.ts";

const ROUNDS = sized(300, 10_000);
const QUESTIONS = 40;
const rules = new RandomRules(randomOfRun());
const random = new RandomTightening(rules);

test(`on ${ROUNDS} random changes, whatever a holder gains or loses is found, in whichever layer it was hidden`, () => {
  let [found, compared] = [0, 0];
  for (let number = 0; number < ROUNDS; number++) {
    const { policy, holders, input } = random.draw();
    const other = random.draw().policy;
    const after: PolicyRules = { ...policy, rules: rules.random() < 0.3 ? [] : other.rules };
    const points = new Points();
    points.add([policy], [after]);
    if (!points.isComplete) continue;
    const changed = { points: points.all(), rules: points.changed() };
    const { defaultPolicy } = input;
    for (const before of holders) {
      const next = withPolicy(before, after);
      const [had, has] = [before, next].map((each) => compileAuthorizer({ ...each, defaultPolicy }));
      if (had === undefined || has === undefined) continue;
      const policies = new Set([...before.direct, ...before.defaults, ...next.direct, ...next.defaults]);
      const { gains, losses, isComplete } = atOnce(compareRights(changed, { had, has, policies }));
      if (!isComplete) continue;
      compared += 1;
      for (let index = 0; index < QUESTIONS; index++) {
        const question = random.question(rules.random() < 0.5 ? before : next, policy.home);
        const [could, can] = [had, has].map((rights) => decide(rights, question, NO_FACTS).allow);
        // The sight of a namespace follows from permissions in it.
        const isSight = question.resource === "namespace" && question.access === "read";
        // Workspaces are asked for with their organization in front.
        const isNoWorkspace = question.resource === "workspace" && !question.segment.includes("/");
        if (could === can || isSight || isNoWorkspace) continue;
        const told = can === true ? gains : losses;
        if (told.length === 0) expect({ policy, after, before, question, could }).toBe("found");
        found += 1;
      }
    }
  }
  expect(Math.min(found, compared)).toBeGreaterThan(ROUNDS / 4);
});

test("a rule of a lower layer that a change uncovers is a gain at its name", () => {
  const of = (id: string, text: string): PolicyRules => {
    const home = { partition: "default", namespace: "default" };
    return { id, name: id, rules: parseRules(text), home, links: [] };
  };
  const hiding = of("hiding", 'key_prefix "app/" { policy = "read" }');
  const below = of("below", 'key_prefix "app/x/" { policy = "write" } key "app/y" { policy = "read" }');
  const points = new Points();
  points.add([hiding], []);
  const changed = { points: points.all(), rules: points.changed() };
  const had = compileAuthorizer({ direct: [hiding], defaults: [below], defaultPolicy: "deny" });
  const has = compileAuthorizer({ direct: [], defaults: [below], defaultPolicy: "deny" });
  const { gains, losses } = atOnce(compareRights(changed, { had, has, policies: [hiding, below] }));
  const told = (rights: typeof gains) => rights.map(({ segment, isPrefix, access }) => [segment, isPrefix, access]);
  expect(told(gains)).toEqual([
    ["app/x/", true, "list"],
    ["app/x/", true, "write"],
  ]);
  // Reading `app/y` stays allowed.
  expect(told(losses)).toEqual([["app/", true, "read"]]);
});
