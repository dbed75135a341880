/** Walks through the workspaces of an organization, in slices. */
import type { Visibility } from "../../rights/rules/visibility.ts";
import type { Reader } from "../../storage/database.ts";
import { pause, startTurn } from "../../turns.ts";
import type { TagState } from "./check.ts";
import { listWorkspacesAfter, type InspectedWorkspace } from "./report-store.ts";
import { readTagStates } from "./states.ts";

/** Workspaces that are read at a time. */
const SLICE = 250;

/**
 * Slices of the workspaces of an organization, in order of names, with a pause between them.
 *
 * @param visibility of those that may be shown; undefined for all
 */
export async function* slicesOfWorkspaces(
  db: Reader,
  organization: string,
  visibility: Visibility | undefined,
): AsyncGenerator<InspectedWorkspace[]> {
  let after = "";
  for (;;) {
    const workspaces = await listWorkspacesAfter(db, organization, visibility, after, SLICE);
    yield workspaces;
    const last = workspaces.at(-1);
    if (workspaces.length < SLICE || last === undefined) return;
    after = last.nameKey;
    await pause();
  }
}

/** Workspaces to walk through. Plain data, for another thread. */
export interface StateWalk {
  organization: string;
  /** Workspaces that may be shown; undefined for all. */
  visibility: Visibility | undefined;
  /** Id of the only project whose workspaces count; undefined for all. */
  projectId?: string | undefined;
}

/** Calls `look` with the tags and keys of each workspace, in order of names; the event loop gets its turns. */
export async function walkStates(
  db: Reader,
  { organization, visibility, projectId }: StateWalk,
  look: (state: TagState) => void,
): Promise<void> {
  for await (const slice of slicesOfWorkspaces(db, organization, visibility)) {
    const workspaces = slice.filter((each) => projectId === undefined || each.projectId === projectId);
    const states = await readTagStates(db, {
      organization,
      workspaces: workspaces.map(({ id }) => id),
      projects: workspaces.map((each) => each.projectId),
    });
    const turn = startTurn();
    for (const workspace of workspaces) {
      look(states.of(workspace));
      if (turn.isOver()) await turn.next();
    }
  }
}
