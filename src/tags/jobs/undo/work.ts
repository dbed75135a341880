/** Jobs that take back what another one has changed, record by record, the newest first. */
import { authorize } from "../../../rights/authorize.ts";
import type { OwnedAmong } from "../../../acl/declarations/owners.ts";
import type { TagsChanged } from "../../changes/record.ts";
import { countChangesOfJob, listChangesOfJob } from "../../changes/of-job.ts";
import type { StoredChange } from "../../changes/store.ts";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { findOrganizationById, type Organization } from "../../../organizations/store.ts";
import type { Transaction } from "../../../storage/database.ts";
import { refusedBy, RULED } from "../../rules/enforce.ts";
import { findBulkProjects } from "../../holders/bindings/bulk-store.ts";
import type { Holder, HolderKind } from "../../holders/holder.ts";
import { planHeld, writeHeld } from "../../holders/plan.ts";
import { PROJECTS } from "../../holders/projects.ts";
import { WORKSPACES } from "../../holders/workspaces.ts";
import { settleUses, UseCounts } from "../../pool/uses.ts";
import { segment } from "../../../workspaces/service.ts";
import { findWorkspaces } from "../../../workspaces/store.ts";
import {
  OWNED,
  writeOf,
  type CountsByReason,
  type Job,
  type JobWork,
  type JobSlice,
  type SliceResult,
} from "../job.ts";
import { findKnownTags, takeBackLinks, type TagChangesById } from "./links.ts";
import { takeBackPolicy } from "./policy.ts";
import { takeBackReservations } from "./reserved.ts";
import { takeBackTags } from "./tags.ts";
import { warnedOf } from "../warned.ts";
import { organizationOf } from "../on-holders/work.ts";

/** The `input` of such a job. */
export interface UndoInput {
  /** Id of the job that is taken back. */
  job: string;
}

/** Records that are read at a time; each may be long. */
const MOST_RECORDS = 100;

type Taken = Pick<SliceResult, "changed" | "refused" | "warned">;

export function undoWork(): JobWork {
  return {
    async count(ctx, job) {
      await organizationOf(ctx, job.organizationId);
      return countChangesOfJob(ctx.db.long, (job.input as UndoInput).job);
    },
    async next(ctx, job, limit): Promise<JobSlice> {
      await organizationOf(ctx, job.organizationId);
      const before = job.place === "" ? Number.MAX_SAFE_INTEGER : Number(job.place);
      const most = Math.min(limit, MOST_RECORDS);
      const found = await listChangesOfJob(ctx.db.long, (job.input as UndoInput).job, before, most);
      const some = firstAlike(found);
      const isLast = found.length < most && some.length === found.length;
      return async (tx, owned): Promise<SliceResult> => {
        const organization = await findOrganizationById(tx, job.organizationId);
        if (organization === undefined) throw notFound("organization");
        const taken = await takeBack({ ctx, tx, job, organization, owned }, some);
        return { place: isLast ? undefined : String(some.at(-1)?.position), done: some.length, ...taken };
      };
    },
  };
}

/**
 * The first records that one transaction can take back, which does not see what it wrote: of one kind and action, and each of
 * another object.
 */
function firstAlike(records: readonly StoredChange[]): StoredChange[] {
  const [first] = records;
  if (first === undefined) return [];
  const seen = new Set<string>();
  const end = records.findIndex(({ kind, action, objectId, name }) => {
    if (kind !== first.kind || action !== first.action || seen.has(objectId) || seen.has(name)) return true;
    if (action === "renamed" && seen.size > 0) return true;
    seen.add(objectId).add(name);
    return false;
  });
  return end === -1 ? [...records] : records.slice(0, end);
}

/** Values that all records of a slice share. */
interface Taking {
  ctx: Context;
  tx: Transaction;
  job: Job;
  organization: Organization;
  owned: OwnedAmong;
}

async function takeBack(taking: Taking, records: readonly StoredChange[]): Promise<Taken> {
  const { ctx, tx, job, organization } = taking;
  const [first] = records;
  if (first === undefined) return { changed: 0 };
  if (first.kind === "workspace" && first.action === "tags-changed") return ofWorkspaces(taking, records);
  if (first.kind === "project" && first.action === "tags-changed") {
    return ofProjects(taking, records);
  }
  if (first.kind === "tag") return takeBackTags(ctx, tx, job, organization, records);
  if (first.kind === "reserved-tag-key") return takeBackReservations(ctx, tx, job, organization, records);
  if (first.kind === "tag-policy") return takeBackPolicy(ctx, tx, job, organization, records);
  return { changed: 0, refused: { "cannot-be-undone": records.length } };
}

async function ofWorkspaces(taking: Taking, records: readonly StoredChange[]): Promise<Taken> {
  const { ctx, tx, job } = taking;
  const found = await findWorkspaces(tx, records.map(objectOf));
  const seen = found.filter(
    (each) => each.organizationId === job.organizationId && authorize(ctx.actor, "workspace", segment(each), "read"),
  );
  const allowed = seen.filter((each) => authorize(ctx.actor, "workspace", segment(each), "write"));
  const refused = { gone: records.length - seen.length, "not-allowed": seen.length - allowed.length };
  return ofHolders(taking, WORKSPACES, allowed, records, refused);
}

async function ofProjects(taking: Taking, records: readonly StoredChange[]): Promise<Taken> {
  const { ctx, tx, organization } = taking;
  if (!authorize(ctx.actor, "organization", organization.name, "write")) {
    return { changed: 0, refused: { "not-allowed": records.length } };
  }
  const found = await findBulkProjects(tx, organization.id, records.map(objectOf));
  return ofHolders(taking, PROJECTS, found, records, { gone: records.length - found.length });
}

/**
 * Each object is counted once: as changed where all that its record says was taken back, or else by why it was not.
 *
 * @param refused counts of those that were not found
 */
async function ofHolders<H extends Holder>(
  { ctx, tx, job, organization, owned }: Taking,
  kind: HolderKind<H>,
  found: readonly H[],
  records: readonly StoredChange[],
  refused: CountsByReason,
): Promise<Taken> {
  const left = await owned(tx, found, (each) => writeOf(kind.name, each, job.organizationId));
  const holders = found.filter((each) => !left.has(each));
  const said = detailsOf(records, new Set(holders.map(({ id }) => id)));
  const known = await findKnownTags(tx, job.organizationId, said);
  // Ids of those of which anything was changed since.
  const since = new Set<string>();
  const now = new Date(ctx.now()).toISOString();
  const { changes, full, verdict } = await planHeld(
    tx,
    kind,
    holders,
    known.all,
    takeBackLinks(said, known, since, now),
    { poolSize: organization.tagCount },
  );
  const counts = new UseCounts();
  await writeHeld(ctx, tx, kind, changes, counts, job.id);
  settleUses(tx, job.organizationId, known.all, counts, now);
  const changed = changes.map(({ holder }) => holder.id);
  const ruled = refusedBy(verdict);
  const later = [...since].filter((id) => !full.has(id) && !ruled.has(id)).length;
  return {
    changed: changed.filter((id) => !since.has(id)).length,
    refused: { ...refused, [OWNED]: left.size, full: full.size, [RULED]: ruled.size, "changed-since": later },
    warned: warnedOf(verdict, changed),
  };
}

function objectOf({ objectId }: StoredChange): string {
  return objectId;
}

function detailsOf(records: readonly StoredChange[], wanted: ReadonlySet<string>): TagChangesById {
  return new Map(
    records
      .filter(({ objectId }) => wanted.has(objectId))
      .map(({ objectId, details }) => [objectId, JSON.parse(details) as TagsChanged]),
  );
}
