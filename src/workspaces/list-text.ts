/** Workspaces with long attributes as text: on SQLite, a reading thread reads them and writes the text. */
import type { ApartWork } from "../storage/database.ts";
import { renderWorkspace } from "./resource.ts";
import { findWhole, type ListedOrganization, type Workspace } from "./store.ts";

/**
 * A workspace as a list has found it: plain data, for another thread. The visibility for the caller has been decided.
 */
export interface FoundWorkspace extends Pick<Workspace, "id" | "nameKey" | "projectId"> {
  tagNames: string[];
  /** Identifiers of the effective tag bindings, where these are included. */
  effective: object[] | undefined;
  /** Whether the caller may change it. */
  write: boolean;
}

interface WorkspaceSlice {
  organization: ListedOrganization;
  found: readonly FoundWorkspace[];
}

/** Resources with commas between them. */
export interface WorkspaceTexts {
  bytes: Uint8Array;
  /**
   * Ids of the workspaces in the text. Workspaces that were deleted, moved or renamed since are left out: the decision
   * was not about them.
   */
  ids: string[];
}

export const WORKSPACE_TEXTS: ApartWork<WorkspaceSlice, WorkspaceTexts[]> = {
  name: "texts of workspaces",
  async run(source, { organization, found }) {
    const rows = await findWhole(
      source,
      organization,
      found.map(({ id }) => id),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const ids: string[] = [];
    const texts: string[] = [];
    for (const { id, nameKey, projectId, tagNames, effective, write } of found) {
      const row = byId.get(id);
      if (row?.nameKey !== nameKey || row.projectId !== projectId) continue;
      ids.push(id);
      texts.push(JSON.stringify(renderWorkspace(row, tagNames, effective, write)));
    }
    return [{ bytes: new TextEncoder().encode(texts.join()), ids }];
  },
};
