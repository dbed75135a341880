/**
 * Removes the contents of a deleted organization: its workspaces, tags, projects and their settings. Each object that a
 * caller has created there gets an audit record of its removal, in the chain of the organization. See `purge.ts`.
 */
import { sql } from "kysely";
import type { Transaction } from "../database.ts";
import { purgeConsumers } from "./workspace.ts";
import { defineQuery, oneOf } from "../reads/query.ts";
import type { RemovedBatch } from "../operator/removal.ts";
import { shower } from "../proofs/shown.ts";
import type { Tables } from "../tables/tables.ts";

/**
 * Removes some of it: workspaces first, since a project cannot go before them, and one workspace's links at a time. A project has
 * few keys.
 */
export async function purgeOrganization(
  tx: Transaction,
  { target }: { target: string },
  limit: number,
  isRecorded: boolean,
): Promise<RemovedBatch> {
  const purging = { tx, isRecorded };
  const [workspace] = await tx.run(anyWorkspace, { organization: target });
  if (workspace !== undefined) {
    const links = await tx.run(linksOfWorkspace, { workspace: workspace.id, limit });
    if (links.length > 0) {
      tx.write(deleteLinksOfWorkspace, { workspace: workspace.id, tags: links.map((link) => link.tag_id) });
    }
    const removed = links.length + (await purgeConsumers(tx, workspace.id, limit - links.length));
    if (removed < limit) {
      tx.write(deleteWorkspace, { id: workspace.id });
      recordGone(purging, "workspaces", [workspace]);
    }
    return { removed, isLast: false };
  }
  const tags = await tx.run(tagsOfOrganization, { organization: target, limit });
  if (tags.length > 0) {
    tx.write(deleteTags, { ids: tags.map((tag) => tag.id) });
    recordGone(purging, "tags", tags);
    return { removed: tags.length, isLast: false };
  }
  const projects = await tx.run(projectsOfOrganization, { organization: target, limit });
  if (projects.length > 0) {
    const ids = projects.map((project) => project.id);
    tx.write(deleteKeysOfProjects, { ids });
    tx.write(deleteProjects, { ids });
    recordGone(purging, "projects", projects);
    return { removed: projects.length, isLast: false };
  }
  const keys = await tx.run(reservedKeysOfOrganization, { organization: target, limit });
  if (keys.length > 0) {
    tx.write(deleteReservedKeys, { ids: keys.map((key) => key.id) });
    recordGone(purging, "reserved_tag_keys", keys);
    return { removed: keys.length, isLast: false };
  }
  const days = await tx.run(coverageOfOrganization, { organization: target, limit });
  if (days.length > 0) {
    for (const { key, day } of days) tx.write(deleteCoverage, { organization: target, key, day });
    return { removed: days.length, isLast: false };
  }
  return purgeChanges(purging, target, limit);
}

interface Purging {
  tx: Transaction;
  /** Whether there is a chain to put on record what goes; not for an organization that was deleted before there were records. */
  isRecorded: boolean;
}

/** The records of what was changed in an organization, and whom they were told; at last the few rows that say something of all of it. */
async function purgeChanges(purging: Purging, organization: string, limit: number): Promise<RemovedBatch> {
  const { tx } = purging;
  const positions = await tx.run(changesOfOrganization, { organization, limit });
  const last = positions.at(-1)?.position;
  if (last !== undefined) tx.write(deleteChanges, { organization, last });
  const isLast = positions.length < limit;
  if (isLast) {
    const [webhooks, policies] = await Promise.all([
      tx.run(webhooksOfOrganization, { organization }),
      tx.run(tagPolicyOfOrganization, { organization }),
    ]);
    recordGone(purging, "tag_webhooks", webhooks);
    recordGone(purging, "tag_policies", policies);
    tx.write(deleteFloor, { organization });
    tx.write(deleteWebhooks, { organization });
    tx.write(deleteJobs, { organization });
    tx.write(deleteTagPolicy, { organization });
  }
  return { removed: positions.length, isLast };
}

/** Kind of the objects of a table in audit records, and the column of their names; undefined without names. */
export const GONE_WITH_ORGANIZATIONS = {
  workspaces: { kind: "workspace", name: "name" },
  tags: { kind: "tag", name: "name" },
  projects: { kind: "project", name: "name" },
  tag_webhooks: { kind: "webhook", name: "name" },
  reserved_tag_keys: { kind: "reserved-tag-key", name: "key" },
  tag_policies: { kind: "tag-policy", name: undefined },
} as const;
const shownOf = Object.fromEntries(
  Object.keys(GONE_WITH_ORGANIZATIONS).map((table) => [
    table,
    shower(table as keyof typeof GONE_WITH_ORGANIZATIONS, (column) => column),
  ]),
) as Record<keyof typeof GONE_WITH_ORGANIZATIONS, ReturnType<typeof shower>>;

/** Puts on record that these go. */
function recordGone<T extends keyof typeof GONE_WITH_ORGANIZATIONS>(
  { tx, isRecorded }: Purging,
  table: T,
  rows: readonly Tables[T][],
): void {
  if (!isRecorded) return;
  const { kind, name } = GONE_WITH_ORGANIZATIONS[table];
  for (const row of rows) {
    const { id: objectId, organization_id: organizationId } = row;
    const called = name === undefined ? "" : (row as Readonly<Record<string, string>>)[name];
    tx.record({
      organizationId,
      kind,
      objectId,
      name: called ?? "",
      action: "delete",
      detail: { deletedWith: { kind: "organization", id: organizationId }, changes: [shownOf[table](row), 0, 0] },
    });
  }
}

const anyWorkspace = defineQuery((db, p: { organization: string }) =>
  db.selectFrom("workspaces").selectAll().where("organization_id", "=", p.organization).orderBy("name_key").limit(1),
);
const linksOfWorkspace = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom("workspace_tags")
    .select("tag_id")
    .where("workspace_id", "=", p.workspace)
    .orderBy("tag_id")
    .limit(p.limit),
);
const deleteLinksOfWorkspace = defineQuery((db, p: { workspace: string; tags: string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);
const deleteWorkspace = defineQuery((db, p: { id: string }) => db.deleteFrom("workspaces").where("id", "=", p.id));
const tagsOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db.selectFrom("tags").selectAll().where("organization_id", "=", p.organization).orderBy("name").limit(p.limit),
);
const deleteTags = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("tags").where(oneOf(engine, sql.ref("id"), p.ids)),
);
const projectsOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db
    .selectFrom("projects")
    .selectAll()
    .where("organization_id", "=", p.organization)
    .orderBy("name_key")
    .limit(p.limit),
);
const deleteProjects = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("projects").where(oneOf(engine, sql.ref("id"), p.ids)),
);
const deleteKeysOfProjects = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("project_tags").where(oneOf(engine, sql.ref("project_id"), p.ids)),
);
const deleteReservedKeys = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("reserved_tag_keys").where(oneOf(engine, sql.ref("id"), p.ids)),
);
const deleteTagPolicy = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_policies").where("organization_id", "=", p.organization),
);
const coverageOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db
    .selectFrom("tag_coverage_days")
    .select(["key", "day"])
    .where("organization_id", "=", p.organization)
    .orderBy("key")
    .orderBy("day")
    .limit(p.limit),
);
const deleteCoverage = defineQuery((db, p: { organization: string; key: string; day: number }) =>
  db
    .deleteFrom("tag_coverage_days")
    .where("organization_id", "=", p.organization)
    .where("key", "=", p.key)
    .where("day", "=", p.day),
);
const changesOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db
    .selectFrom("changes")
    .select("position")
    .where("organization_id", "=", p.organization)
    .orderBy("position")
    .limit(p.limit),
);
const deleteChanges = defineQuery((db, p: { organization: string; last: number }) =>
  db.deleteFrom("changes").where("organization_id", "=", p.organization).where("position", "<=", p.last),
);
const deleteFloor = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("change_floors").where("organization_id", "=", p.organization),
);
const deleteWebhooks = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_webhooks").where("organization_id", "=", p.organization),
);
const deleteJobs = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_jobs").where("organization_id", "=", p.organization),
);
const webhooksOfOrganization = defineQuery((db, p: { organization: string }) =>
  db.selectFrom("tag_webhooks").selectAll().where("organization_id", "=", p.organization).orderBy("id"),
);
const reservedKeysOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db
    .selectFrom("reserved_tag_keys")
    .selectAll()
    .where("organization_id", "=", p.organization)
    .orderBy("key")
    .limit(p.limit),
);
const tagPolicyOfOrganization = defineQuery((db, p: { organization: string }) =>
  db.selectFrom("tag_policies").selectAll().where("organization_id", "=", p.organization).orderBy("id"),
);
