/** Looks through the workspaces of an organization for those that fall short of its rules for tags. */
import { fold } from "../../fold.ts";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { packTexts, type TextList } from "../../limits/kept-lists.ts";
import type { ApartWork, Reader } from "../../storage/database.ts";
import { startTurn } from "../../turns.ts";
import { checkTagRules, compileTagRules, type CompiledTagRules, type Violation } from "./check.ts";
import { shortcomingAsJson } from "./as-json.ts";
import { listInspected, type InspectedWorkspace } from "./report-store.ts";
import type { TagRule } from "./rule.ts";
import { readTagStates } from "./states.ts";
import { slicesOfWorkspaces } from "./walk.ts";

/** Conditions on non-compliant workspaces. All given conditions must hold, the last three for one violation. */
export interface ReportFilter {
  /** Text that the name contains, in any case. */
  namePart?: string | undefined;
  projectId?: string | undefined;
  /** Name of the rule. */
  rule?: string | undefined;
  kind?: string | undefined;
  /** Key or name that it is about. */
  subject?: string | undefined;
}

interface Inspection {
  organization: string;
  rules: readonly TagRule[];
  filter: ReportFilter;
}

/** Finds the workspaces that fall short: the list has their ids, in order of names. Plain data, for another thread. */
export const FALLING_SHORT: ApartWork<Inspection & { visibility: Visibility | undefined }, TextList[]> = {
  name: "non-compliant workspaces",
  async run(source, { visibility, ...asked }) {
    const { organization } = asked;
    const inspect = startInspection(source, asked);
    const found: string[] = [];
    for await (const workspaces of slicesOfWorkspaces(source, organization, visibility)) {
      for (const { workspace } of await inspect(workspaces)) found.push(workspace.id);
    }
    return [packTexts(found)];
  },
};

/** Says of some of them what they break: the list has them as they are shown, those left out that break nothing any more. */
export const SHORTCOMINGS: ApartWork<Inspection & { workspaces: readonly string[] }, string[]> = {
  name: "violations of workspaces",
  async run(source, { workspaces, ...asked }) {
    const inspect = startInspection(source, asked);
    const found = await inspect(await listInspected(source, asked.organization, workspaces));
    return found.map(({ workspace, violations }) => JSON.stringify(shortcomingAsJson(workspace, violations)));
  },
};

interface Shortcoming {
  workspace: InspectedWorkspace;
  violations: Violation[];
}

/** Makes what gives those of a few workspaces that break rules, in the same order. */
function startInspection(db: Reader, { organization, rules, filter }: Inspection) {
  const compiled = compileTagRules(rules);
  const part = fold(filter.namePart ?? "");
  const isAsked = ({ nameKey, projectId }: InspectedWorkspace) =>
    nameKey.includes(part) && fits(filter.projectId, projectId);
  return async (workspaces: readonly InspectedWorkspace[]) => {
    const found = await inspectSome(db, compiled, organization, workspaces.filter(isAsked));
    return found.filter(({ violations }) => violations.some((violation) => isOf(filter, violation)));
  };
}

function isOf({ rule, kind, subject }: ReportFilter, violation: Violation): boolean {
  return fits(rule, violation.rule) && fits(kind, violation.kind) && fits(subject, violation.subject);
}

function fits(wanted: string | undefined, text: string): boolean {
  return wanted === undefined || wanted === text;
}

async function inspectSome(
  db: Reader,
  compiled: CompiledTagRules,
  organization: string,
  workspaces: readonly InspectedWorkspace[],
): Promise<Shortcoming[]> {
  const states = await readTagStates(db, {
    organization,
    workspaces: workspaces.map(({ id }) => id),
    projects: workspaces.map(({ projectId }) => projectId),
  });
  const turn = startTurn();
  const found: Shortcoming[] = [];
  for (const workspace of workspaces) {
    const violations = checkTagRules(compiled, states.of(workspace));
    if (violations.length > 0) found.push({ workspace, violations });
    if (turn.isOver()) await turn.next();
  }
  return found;
}
