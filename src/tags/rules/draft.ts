/** Counts the workspaces that would violate rules which nobody has saved. */
import { packTexts, type TextList } from "../../limits/kept-lists.ts";
import type { ApartWork } from "../../storage/database.ts";
import { checkTagRules, compileTagRules } from "./check.ts";
import type { TagRule } from "./rule.ts";
import { walkStates, type StateWalk } from "./walk.ts";

/** Number of workspaces that fall short of drafted rules. */
export interface DraftEffect {
  /** Workspaces that were checked. */
  workspaces: number;
  /** Workspaces that would be non-compliant, and workspaces that are now. */
  failing: number;
  failingNow: number;
  /** Workspaces that would be non-compliant, and are compliant now. */
  newlyFailing: number;
  /** Workspaces that would violate each rule, in the order of the rules. */
  rules: { name: string; failing: number }[];
}

type DraftWalk = StateWalk & { rules: readonly TagRule[]; saved: readonly TagRule[] };

/** Checks rules that are not saved beside those that are: the list has one text, a `DraftEffect` as JSON. */
export const DRAFT_EFFECT: ApartWork<DraftWalk, TextList[]> = {
  name: "effect of drafted tag rules",
  async run(source, { rules, saved, ...walk }) {
    const [draft, now] = [compileTagRules(rules), compileTagRules(saved)];
    const byRule = new Map(rules.map(({ name }) => [name, 0]));
    const counted = { workspaces: 0, failing: 0, failingNow: 0, newlyFailing: 0 };
    await walkStates(source, walk, (state) => {
      const broken = new Set(checkTagRules(draft, state).map(({ rule }) => rule));
      const isFailingNow = checkTagRules(now, state).length > 0;
      counted.workspaces += 1;
      counted.failing += Number(broken.size > 0);
      counted.failingNow += Number(isFailingNow);
      counted.newlyFailing += Number(broken.size > 0 && !isFailingNow);
      for (const name of broken) byRule.set(name, (byRule.get(name) ?? 0) + 1);
    });
    const effect: DraftEffect = { ...counted, rules: [...byRule].map(([name, failing]) => ({ name, failing })) };
    return [packTexts([JSON.stringify(effect)])];
  },
};
