/**
 * Reads the exported objects of an organization, in slices. One statement reads each object, so it is shown as of one
 * instant.
 */
import { sql } from "kysely";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { visible } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import { BINDING, TAG } from "../pool/marks.ts";
import { findBulkProjects } from "../holders/bindings/bulk-store.ts";
import { findTagPolicy } from "../rules/store.ts";
import {
  POLICY_NAME,
  type PolicyRecord,
  type ProjectRecord,
  type ReservedKeyRecord,
  type TagRecord,
  type WorkspaceRecord,
} from "./records.ts";

/** Request for the next objects of an organization. */
export interface SliceRequest {
  organization: string;
  /** Sort key of the last object before the slice. Empty for none. */
  after: string;
  /** Maximum number of objects. */
  limit: number;
}

/** Objects in their order, and the sort key of the last one. */
export interface ExportedSlice<R> {
  records: R[];
  last: string | undefined;
}

const reservedKeys = defineQuery((db, p: SliceRequest) =>
  db
    .selectFrom("reserved_tag_keys")
    .select(["key", "disable_overrides as disableOverrides"])
    .where("organization_id", "=", p.organization)
    .where("key", ">", p.after)
    .orderBy("key")
    .limit(p.limit),
);

export async function readReservedKeys(db: Reader, asked: SliceRequest): Promise<ExportedSlice<ReservedKeyRecord>> {
  const rows = await db.run(reservedKeys, asked);
  const records = rows.map(({ key, disableOverrides }) => ({
    kind: "reserved-tag-key" as const,
    name: key,
    disableOverrides: disableOverrides === 1,
  }));
  return { records, last: rows.at(-1)?.key };
}

const pool = defineQuery((db, p: SliceRequest) =>
  db
    .selectFrom("tags")
    .select(["name", "pinned"])
    .where("organization_id", "=", p.organization)
    .where("name", ">", p.after)
    .orderBy("name")
    .limit(p.limit),
);

export async function readPool(db: Reader, asked: SliceRequest): Promise<ExportedSlice<TagRecord>> {
  const rows = await db.run(pool, asked);
  const records = rows.map(({ name, pinned }) => ({ kind: "tag" as const, name, pinned: pinned === 1 }));
  return { records, last: rows.at(-1)?.name };
}

/** A link of an object, or an object without any: then the tag is null. */
interface LinkRow {
  name: string;
  sortKey: string;
  tag: string | null;
  marks: number;
  value: string;
}

const projects = defineQuery((db, p: SliceRequest) =>
  db
    .selectFrom(
      db
        .selectFrom("projects")
        .select(["id", "name", "name_key"])
        .where("organization_id", "=", p.organization)
        .where("name_key", ">", p.after)
        .orderBy("name_key")
        .limit(p.limit)
        .as("chosen"),
    )
    .leftJoin("project_tags as link", "link.project_id", "chosen.id")
    .leftJoin("tags", "tags.id", "link.tag_id")
    .select(["chosen.name", "chosen.name_key as sortKey", "tags.name as tag"])
    .select([sql<number>`${sql.lit(BINDING)}`.as("marks"), sql<string>`coalesce(link.value, '')`.as("value")]),
);

export async function readProjects(db: Reader, asked: SliceRequest): Promise<ExportedSlice<ProjectRecord>> {
  const objects = objectsOf(await db.run(projects, asked));
  const records = objects.map(({ name, links }) => ({ kind: "project" as const, name, bindings: bindingsOf(links) }));
  return { records, last: objects.at(-1)?.sortKey };
}

/** Reads the workspaces that the caller may see. */
export async function readWorkspaces(
  db: Reader,
  { organization, after, limit }: SliceRequest,
  visibility: Visibility,
): Promise<ExportedSlice<WorkspaceRecord>> {
  const chosen = db.sql
    .selectFrom("workspaces")
    .select(["id", "name", "name_key"])
    .where("organization_id", "=", organization)
    .where("name_key", ">", after)
    .where(visible(db.engine, sql.ref("name_key"), visibility))
    .orderBy("name_key")
    .limit(limit);
  const rows = await db.sql
    .selectFrom(chosen.as("chosen"))
    .leftJoin("workspace_tags as link", "link.workspace_id", "chosen.id")
    .leftJoin("tags", "tags.id", "link.tag_id")
    .select(["chosen.name", "chosen.name_key as sortKey", "tags.name as tag"])
    .select([sql<number>`coalesce(link.marks, 0)`.as("marks"), sql<string>`coalesce(link.value, '')`.as("value")])
    .execute();
  const objects = objectsOf(rows);
  const records = objects.map(({ name, links }) => ({
    kind: "workspace" as const,
    name,
    tags: links.flatMap(({ tag, marks }) => ((marks & TAG) === 0 ? [] : [tag])),
    bindings: bindingsOf(links),
  }));
  return { records, last: objects.at(-1)?.sortKey };
}

/** Rules for a project that is gone are asked of nobody, and could not be imported: they are left out. */
export async function readPolicy(
  db: Reader,
  { organization, after }: Pick<SliceRequest, "organization" | "after">,
): Promise<ExportedSlice<PolicyRecord>> {
  const policy = after === "" ? await findTagPolicy(db, organization) : undefined;
  if (policy === undefined) return { records: [], last: undefined };
  const ids = policy.rules.flatMap(({ project }) => project ?? []);
  const names = new Map((await findBulkProjects(db, organization, ids)).map(({ id, name }) => [id, name]));
  const rules = policy.rules.flatMap((rule) => {
    const project = rule.project === undefined ? undefined : names.get(rule.project);
    return rule.project !== undefined && project === undefined ? [] : [{ ...rule, project }];
  });
  return { records: [{ kind: "tag-policy", name: POLICY_NAME, enforce: policy.enforce, rules }], last: POLICY_NAME };
}

/** A link to a tag that is there: one that was deleted may be left for a while. */
type FoundLink = LinkRow & { tag: string };

/** In the order of names, since that of adding would not come back where a link is a tag and a key. */
function objectsOf(rows: readonly LinkRow[]) {
  const objects = [...Map.groupBy(rows, ({ sortKey }) => sortKey)].map(([sortKey, all]) => ({
    sortKey,
    name: all[0]?.name ?? "",
    links: all.filter((row): row is FoundLink => row.tag !== null).toSorted((a, b) => compare(a.tag, b.tag)),
  }));
  return objects.toSorted((a, b) => compare(a.sortKey, b.sortKey));
}

function bindingsOf(links: readonly FoundLink[]) {
  return links.flatMap(({ tag, marks, value }) => ((marks & BINDING) === 0 ? [] : [{ key: tag, value }]));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
