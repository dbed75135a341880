/** Counts how far the workspaces of each project have the keys that rules require. */
import { packTexts, type TextList } from "../../limits/kept-lists.ts";
import type { ApartWork } from "../../storage/database.ts";
import { projectAsJson } from "./as-json.ts";
import { byText, MAX_PAIRS, requiredIn, type Counting } from "./coverage.ts";
import { walkStates } from "./walk.ts";

interface Counted {
  workspaces: number;
  missing: number;
}

/**
 * Coverage by project, as JSON: the projects in which most workspaces lack a key first. The list is not whole when there were
 * more projects than are counted.
 */
export const PROJECT_COVERAGE: ApartWork<Counting & { key: string | undefined }, TextList[]> = {
  name: "coverage of projects",
  async run(source, { rules, key, most = MAX_PAIRS, ...walk }) {
    const required = requiredIn(rules).filter((each) => key === undefined || each.key === key);
    const counts = new Map<string, Counted>();
    let isWhole = true;
    await walkStates(source, walk, ({ projectId, tags, bindings }) => {
      const asked = required.filter(({ projects }) => projects?.has(projectId) !== false);
      if (asked.length === 0) return;
      let counted = counts.get(projectId);
      if (counted === undefined && counts.size >= most) {
        isWhole = false;
        return;
      }
      if (counted === undefined) counts.set(projectId, (counted = { workspaces: 0, missing: 0 }));
      const has = new Set([...tags, ...bindings.map((each) => each.key)]);
      counted.workspaces += 1;
      if (asked.some((each) => !has.has(each.key))) counted.missing += 1;
    });
    const found = [...counts]
      .map(([id, counted]) => ({ id, ...counted }))
      .toSorted((a, b) => b.missing - a.missing || b.workspaces - a.workspaces || byText(a.id, b.id));
    return [
      packTexts(
        found.map((project) => JSON.stringify(projectAsJson(project))),
        isWhole,
      ),
    ];
  },
};
