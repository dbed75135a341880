/** Links between workspaces and tags, written. */
import { sql } from "kysely";
import type { Transaction } from "../../storage/database.ts";
import { insertAllOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import { slices } from "../../storage/purge/slices.ts";
import type { TagLink } from "../pool/store.ts";

const insertAll = insertAllOf("workspace_tags", ["workspace_id", "workspace_key"]);

/** @param links their `position` is the order of adding on the workspace; grows from one transaction to the next */
export function insertLinks(tx: Transaction, links: readonly ObjectOf<"workspace_tags">[]): void {
  insertAll(tx, links);
}

const update = defineQuery((db, p: TagLink & { workspace: string; tag: string }) =>
  db
    .updateTable("workspace_tags")
    .set({ marks: p.marks, value: p.value, binding_id: p.bindingId, bound_at: p.boundAt })
    .where("workspace_id", "=", p.workspace)
    .where("tag_id", "=", p.tag),
);

/** Says how a workspace holds a tag that it holds already. */
export function updateLink(
  tx: Transaction,
  workspace: string,
  tag: string,
  { marks, value, bindingId, boundAt }: TagLink,
): void {
  tx.write(update, { workspace, tag, marks, value, bindingId, boundAt });
}

const removeFromWorkspace = defineQuery((db, p: { workspace: string; tags: readonly string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Takes tags off one workspace. */
export function deleteLinksOfWorkspace(tx: Transaction, workspace: string, tags: readonly string[]): void {
  for (const slice of slices(tx, tags)) tx.write(removeFromWorkspace, { workspace, tags: slice });
}

const removeFromTag = defineQuery((db, p: { tag: string; workspaces: readonly string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces)),
);

/** Takes one tag off workspaces. */
export function deleteLinksOfTag(tx: Transaction, tag: string, workspaces: readonly string[]): void {
  for (const slice of slices(tx, workspaces)) tx.write(removeFromTag, { tag, workspaces: slice });
}

const rename = defineQuery((db, p: { workspace: string; tags: readonly string[]; workspaceKey: string }, engine) =>
  db
    .updateTable("workspace_tags")
    .set({ workspace_key: p.workspaceKey })
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Writes the new key of a workspace into its links with these tags. */
export function updateWorkspaceKey(
  tx: Transaction,
  workspace: string,
  tags: readonly string[],
  workspaceKey: string,
): void {
  for (const slice of slices(tx, tags)) tx.write(rename, { workspace, tags: slice, workspaceKey });
}
