import { expect, test } from "vitest";
import { parseRules } from "../../rights/rules/parse.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import { MOST_POINTS, Points } from "./points.ts";

function policy(id: string, text: string): PolicyRules {
  return { id, name: id, rules: parseRules(text), home: { partition: "default", namespace: "default" }, links: [] };
}

/** Counts how often its rules are looked at. */
function counted(given: PolicyRules): { policy: PolicyRules; count: () => number } {
  let count = 0;
  const watched = Object.defineProperty({ ...given }, "rules", {
    enumerable: true,
    get() {
      count += 1;
      return given.rules;
    },
  });
  return { policy: watched, count: () => count };
}

const many = (length: number) => Array.from({ length }, (_, at) => `key "k${at}" { policy = "read" }`).join("\n");

test("a policy that many things are linked to is looked at once, so that its rules do not count for each of them", () => {
  const points = new Points();
  const { policy: shared, count } = counted(policy("shared", many(10)));
  points.add([], [shared]);
  const once = count();
  for (let role = 0; role < 100; role++) points.add([], [shared]);
  expect([once > 0, count()]).toEqual([true, once]);
  expect(points.isComplete).toBe(true);
});

test("past the bound of what is asked nothing more is looked at", () => {
  const points = new Points();
  points.add([], [policy("long", many(MOST_POINTS + 1))]);
  expect([points.isComplete, points.all().length]).toEqual([false, MOST_POINTS]);
  const { policy: later, count } = counted(policy("later", many(2)));
  points.add([later], []);
  expect(count()).toBe(0);
});
