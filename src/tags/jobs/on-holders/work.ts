/** Goes through the workspaces that a job asks for, and then the projects, and changes what is to be changed of each. */
import { authorize } from "../../../rights/authorize.ts";
import { NOTHING_OWNED, type OwnedAmong } from "../../../acl/declarations/owners.ts";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { findOrganizationById, type Organization } from "../../../organizations/store.ts";
import type { Transaction } from "../../../storage/database.ts";
import { findBulkProjects, listProjectsAfter, type BulkProject } from "../../holders/bindings/bulk-store.ts";
import { writeHeld } from "../../holders/plan.ts";
import { PROJECTS } from "../../holders/projects.ts";
import { WORKSPACES } from "../../holders/workspaces.ts";
import { settleUses, UseCounts } from "../../pool/uses.ts";
import { countFound, findNext } from "../../../workspaces/list.ts";
import { findWorkspaces, type Workspace } from "../../../workspaces/store.ts";
import { readInput } from "../input.ts";
import type { Job, JobWork, JobSlice, SliceResult } from "../job.ts";
import { planForProjects, planForWorkspaces, type ChangePlan, type NamedRequest } from "./difference.ts";
import { seesSome } from "../sight.ts";

/** Place at which a job continues: behind this folded name of a workspace or, in the second part, of a project. */
interface Place {
  part: "workspaces" | "projects";
  after: string;
}

export const BEGINNING: Place = { part: "workspaces", after: "" };

/** Workspaces and projects that are found next, and whether they are the last ones. */
export interface FoundWorkspaces {
  place: Place;
  workspaces: readonly Pick<Workspace, "id" | "nameKey">[];
  projects: readonly BulkProject[];
  /** Place of the next find. Undefined at the end. */
  next: Place | undefined;
}

/** Workspaces that are looked for at a time: a search may have to look at all of them. */
const AHEAD = 500;

/** @throws AppError `not_found` when who asked may see nothing of it, or it is gone */
export async function organizationOf(ctx: Context, id: string): Promise<Organization> {
  const organization = await findOrganizationById(ctx.db, id);
  if (organization === undefined || !seesSome(ctx, organization.name)) throw notFound("organization");
  return organization;
}

/** Counts the workspaces and projects that a request selects. */
export async function countTargets(
  ctx: Context,
  organization: Organization,
  request: NamedRequest,
): Promise<{ workspaces: number; projects: number }> {
  const workspaces = await countFound(ctx, organization, request.search);
  if (!asksProjects(ctx, organization, request)) return { workspaces, projects: 0 };
  const { onProjects } = request;
  const one = typeof onProjects === "string" ? await findBulkProjects(ctx.db, organization.id, [onProjects]) : [];
  return { workspaces, projects: onProjects === true ? organization.projectCount : one.length };
}

type OnProjects = Extract<NamedRequest, { action: "set-value" }> & { onProjects: true | string };

function asksProjects(ctx: Context, { name }: Organization, request: NamedRequest): request is OnProjects {
  if (request.action !== "set-value" || request.onProjects === false) return false;
  return authorize(ctx.actor, "organization", name, "read");
}

/** Goes through what a request asks for. At most one page that was read ahead is kept. */
export class TargetWalk {
  private ahead: FoundWorkspaces | undefined;

  async next(
    ctx: Context,
    organization: Organization,
    request: NamedRequest,
    place: Place,
    limit: number,
  ): Promise<FoundWorkspaces> {
    if (place.part === "projects") return this.nextProjects(ctx, organization, request, place, limit);
    if (this.ahead?.place.after !== place.after || this.ahead.workspaces.length === 0) {
      this.ahead = await this.readAhead(ctx, organization, request, place);
    }
    const { workspaces, next } = this.ahead;
    const some = workspaces.slice(0, limit);
    const last = some.at(-1);
    if (last === undefined || some.length === workspaces.length) {
      this.ahead = undefined;
      return { place, workspaces: some, projects: [], next };
    }
    const between: Place = { part: "workspaces", after: last.nameKey };
    this.ahead = { place: between, workspaces: workspaces.slice(limit), projects: [], next };
    return { place, workspaces: some, projects: [], next: between };
  }

  private async readAhead(
    ctx: Context,
    organization: Organization,
    request: NamedRequest,
    place: Place,
  ): Promise<FoundWorkspaces> {
    const workspaces = await findNext(ctx, organization, request.search, place.after, AHEAD);
    const last = workspaces.at(-1);
    const behind: Place | undefined = asksProjects(ctx, organization, request)
      ? { part: "projects", after: "" }
      : undefined;
    const next: Place | undefined =
      last === undefined || workspaces.length < AHEAD ? behind : { part: "workspaces", after: last.nameKey };
    return { place, workspaces, projects: [], next };
  }

  private async nextProjects(
    ctx: Context,
    organization: Organization,
    request: NamedRequest,
    place: Place,
    limit: number,
  ): Promise<FoundWorkspaces> {
    const none: FoundWorkspaces = { place, workspaces: [], projects: [], next: undefined };
    if (!asksProjects(ctx, organization, request)) return none;
    const { onProjects } = request;
    if (typeof onProjects === "string") {
      return { ...none, projects: await findBulkProjects(ctx.db, organization.id, [onProjects]) };
    }
    const projects = await listProjectsAfter(ctx.db, organization.id, place.after, limit);
    const last = projects.at(-1);
    const isLast = last === undefined || projects.length < limit;
    return { ...none, projects, next: isLast ? undefined : { part: "projects", after: last.nameKey } };
  }
}

/**
 * Plans the changes of the workspaces and projects that were found.
 *
 * @param db the transaction, where it is to be written
 * @param owned finds what is left alone
 */
export async function planFound(
  ctx: Context,
  db: Transaction | Context["db"]["long"],
  organization: Organization,
  request: NamedRequest,
  { place, workspaces, projects }: FoundWorkspaces,
  owned: OwnedAmong = NOTHING_OWNED,
): Promise<ChangePlan> {
  if (place.part === "workspaces") {
    const found = await findWorkspaces(
      db,
      workspaces.map(({ id }) => id),
    );
    return planForWorkspaces(ctx, db, organization, request, inOrder(found), owned);
  }
  if (request.action !== "set-value") {
    return { tags: [], workspaces: [], projects: [], refused: {}, warned: {} };
  }
  const found = await findBulkProjects(
    db,
    organization.id,
    projects.map(({ id }) => id),
  );
  return planForProjects(ctx, db, organization, request, inOrder(found), owned);
}

function inOrder<T extends { nameKey: string }>(found: readonly T[]): T[] {
  return found.toSorted((one, other) => (one.nameKey < other.nameKey ? -1 : 1));
}

/** Jobs that add, remove and set values. */
export function workspaceWork(): JobWork {
  const walk = new TargetWalk();
  return {
    async count(ctx, job) {
      const organization = await organizationOf(ctx, job.organizationId);
      const { workspaces, projects } = await countTargets(ctx, organization, requestOf(job));
      return workspaces + projects;
    },
    async next(ctx, job, limit): Promise<JobSlice> {
      const organization = await organizationOf(ctx, job.organizationId);
      const request = requestOf(job);
      const place = job.place === "" ? BEGINNING : (JSON.parse(job.place) as Place);
      const found = await walk.next(ctx, organization, request, place, limit);
      return async (tx, owned): Promise<SliceResult> => {
        const now = await findOrganizationById(tx, organization.id);
        if (now === undefined) throw notFound("organization");
        const plan = await planFound(ctx, tx, now, request, found, owned);
        await write(ctx, tx, job, plan);
        return {
          place: found.next && JSON.stringify(found.next),
          done: found.workspaces.length + found.projects.length,
          changed: plan.workspaces.length + plan.projects.length,
          refused: plan.refused,
          warned: plan.warned,
        };
      };
    },
  };
}

function requestOf(job: Job): NamedRequest {
  const { request } = readInput(job);
  if (!("search" in request)) throw new TypeError(`a job of another kind: ${job.action}`);
  return request;
}

async function write(ctx: Context, tx: Transaction, job: Job, plan: ChangePlan): Promise<void> {
  const counts = new UseCounts();
  await writeHeld(ctx, tx, WORKSPACES, plan.workspaces, counts, job.id);
  await writeHeld(ctx, tx, PROJECTS, plan.projects, counts, job.id);
  settleUses(tx, job.organizationId, plan.tags, counts, new Date(ctx.now()).toISOString());
}
