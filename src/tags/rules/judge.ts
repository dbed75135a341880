/** Reads, inside the transaction that writes them, what rules for tags have to know of workspaces, and judges them. */
import type { Reader } from "../../storage/database.ts";
import { missingKeys, wrongTexts, type TagState, type Violation } from "./check.ts";
import { NO_VERDICT, requiredKeys, violationsOfWrite, type TagPolicy, type Verdict } from "./enforce.ts";
import { readTagStates, type LinkAfter } from "./states.ts";
import { findLacking } from "./states-store.ts";

/** Planned write of the tags of a workspace, or of the project that it is in. */
export interface WorkspaceWrite {
  /** As it is to be. */
  workspace: { id: string; projectId: string; organizationId: string };
  /** Id of the project that it was in; empty for a workspace that is being made. */
  from: string;
  /** The tags that it is to hold otherwise than it does. */
  diff: readonly LinkAfter[];
  /** Names and keys that the request itself gives. */
  sets: readonly string[];
}

/** Judges workspaces of one organization, each by itself. */
export async function judgeWorkspaces(
  db: Reader,
  policy: TagPolicy | undefined,
  writes: readonly WorkspaceWrite[],
): Promise<Verdict> {
  const [first] = writes;
  if (policy === undefined || first === undefined) return NO_VERDICT;
  const isMoving = writes.some(({ workspace, from }) => from !== "" && from !== workspace.projectId);
  const states = await readTagStates(db, {
    organization: first.workspace.organizationId,
    workspaces: writes.flatMap(({ workspace, from }) => (from === "" ? [] : [workspace.id])),
    projects: writes.flatMap(({ workspace, from }) =>
      from === "" ? [workspace.projectId] : [workspace.projectId, from],
    ),
    // When a workspace stays in its project, its other tags cannot break a rule by this write.
    names: isMoving ? undefined : [...requiredKeys(policy), ...namesIn(writes)],
  });
  const broken = new Map<string, Violation[]>();
  for (const { workspace, from, diff, sets } of writes) {
    const before: TagState | undefined = from === "" ? undefined : states.of({ id: workspace.id, projectId: from });
    const violations = violationsOfWrite(policy.rules, { before, after: states.of(workspace, diff), sets });
    if (violations.length > 0) broken.set(workspace.id, violations);
  }
  return { enforce: policy.enforce, broken };
}

function namesIn(writes: readonly WorkspaceWrite[]): string[] {
  return writes.flatMap(({ diff, sets }) => [...diff.map(({ name }) => name), ...sets]);
}

/** Planned write of the keys of a project. */
export interface ProjectWrite {
  project: { id: string };
  /** Keys and values that the request itself gives. */
  given: TagState["bindings"];
  /** Keys that are removed, with the tag's id. */
  dropped: readonly { id: string; key: string }[];
}

/**
 * Judges projects: what they are given as names and values alone, since what their workspaces require may be their own, and
 * what they lose by whether one of their first workspaces then lacks it.
 */
export async function judgeProjects(
  db: Reader,
  policy: TagPolicy | undefined,
  writes: readonly ProjectWrite[],
): Promise<Verdict> {
  if (policy === undefined) return NO_VERDICT;
  const broken = new Map<string, Violation[]>();
  for (const { project, given, dropped } of writes) {
    const bare = { projectId: project.id, tags: [], bindings: [] };
    const violations = wrongTexts(policy.rules, { ...bare, bindings: given });
    for (const violation of missingKeys(policy.rules, bare)) {
      const lost = dropped.find(({ key }) => key === violation.subject);
      if (lost !== undefined && (await findLacking(db, project.id, lost.id)).length > 0) violations.push(violation);
    }
    if (violations.length > 0) broken.set(project.id, violations);
  }
  return { enforce: policy.enforce, broken };
}
