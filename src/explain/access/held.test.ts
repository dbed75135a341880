import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import { HeldPolicies, inTurns, type RunInTurns } from "./held.ts";

const OPTIONS = { defaultPolicy: "deny", edition: "enterprise", datacenter: "dc1" } as const;
const SCOPE = { partition: "default", namespace: "default" };
const RULES = 500;

forEachEngine((_engine, makeUrl) => {
  describe("what very many hold", () => {
    const v1 = useV1(makeUrl);

    test("is parsed and looked at in pieces between which others have their turn", async () => {
      const rules = Array.from({ length: RULES }, (_, at) => `key "k${at}" { policy = "read" }`).join("\n");
      const policies = [await v1.policy(rules), await v1.policy(rules)];
      let [works, pauses] = [0, 0];
      const counting: RunInTurns = (work) => {
        works += 1;
        return inTurns(eachOf(work, () => (pauses += 1)));
      };
      const held = new HeldPolicies(v1.db, OPTIONS, tried, counting);
      await held.prepare(SCOPE, [{ policies, roles: [] }]);
      expect(works).toBe(policies.length);
      expect(pauses).toBeGreaterThan(policies.length * 20);
      expect(held.of({ ...NO_GRANTS, policies, roles: [], scope: SCOPE })).toHaveLength(policies.length);
    });
  });
});

function* tried(): Generator<void, boolean> {
  yield;
  return true;
}

/** The same work, of which each pause is told. */
function* eachOf<T>(work: Generator<void, T>, told: () => void): Generator<void, T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    told();
    yield;
  }
}
