/** Fills an embedded database past its server, for what depends on how much there is and not on what it is. */
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { prove, shortColumns, type RowContent } from "../src/storage/proofs/proofs.ts";

/** Copies the token so often. Its copies are found by no secret. */
export function copyToken(file: string, accessor: string, count: number): void {
  const db = new DatabaseSync(file);
  const columns = shortColumns("tokens");
  const row = db.prepare("select * from tokens where accessor_id = ?").get(accessor) as unknown as RowContent<"tokens">;
  const insert = db.prepare(`insert into tokens (${columns.join()}) values (${columns.map(() => "?").join()})`);
  db.exec("pragma synchronous = off; begin");
  for (let made = 0; made < count; made += 1) {
    const [accessor_id, secret_lookup] = [randomUUID(), randomUUID()];
    const copy = prove("tokens", { ...row, accessor_id, secret_lookup, description: `copy ${made}` });
    insert.run(...columns.map((column) => copy[column]));
  }
  db.exec("commit; pragma wal_checkpoint(truncate)");
  db.close();
}

/**
 * Gives each of so many tags to each of so many workspaces, all of them copies of the organization's first.
 *
 * @param file of a database in which no server is, with one organization, one workspace and one tag
 */
export function copyLinks(file: string, workspaces: number, tags: number): void {
  const db = new DatabaseSync(file);
  db.exec("pragma synchronous = off; pragma foreign_keys = off; begin");
  const numbers = (count: number) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  db.exec(`${numbers(workspaces)} insert into workspaces select 'ws-' || printf('%016d', n), organization_id, project_id,
    'copy-' || n, 'copy-' || n, settings, locked, locked_reason, locked_by, created_at, updated_at, latest_change_at
    from workspaces, numbers`);
  db.exec(`${numbers(tags)} insert into tags (id, organization_id, name, pinned, instance_count, created_at, project_count)
    select 'tag-' || printf('%016d', n), organization_id, 'copy-' || n, pinned, ${workspaces}, created_at, project_count from tags, numbers`);
  db.exec(`insert into workspace_tags select w.id, t.id, w.name_key, t.seq, 1, '', '', ''
    from workspaces w, tags t where w.name like 'copy-%' and t.name like 'copy-%'`);
  db.exec(
    `update organizations set workspace_count = workspace_count + ${workspaces}, tag_count = tag_count + ${tags}`,
  );
  db.exec("commit; pragma wal_checkpoint(truncate)");
  db.close();
}
