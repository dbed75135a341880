/**
 * Reports on how workspaces stand to the rules of their organization. All of them need organization read, and count and show
 * only the workspaces that the caller may read.
 */
import { visibleWorkspaces } from "../../rights/authorize.ts";
import type { Context } from "../../context.ts";
import type { KeptLists, TextList, TextPage } from "../../limits/kept-lists.ts";
import { getOrganization } from "../../organizations/access.ts";
import { readGuarded } from "../../storage/feed/content-states.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { counterName } from "../../storage/writes/counters.ts";
import { KEY_COVERAGE } from "./coverage.ts";
import { listDays, type CoverageDay } from "./days/store.ts";
import { DRAFT_EFFECT, type DraftEffect } from "./draft.ts";
import { PROJECT_COVERAGE } from "./projects.ts";
import { FALLING_SHORT, SHORTCOMINGS, type ReportFilter } from "./report.ts";
import { checkRules, type TagRule } from "./rule.ts";
import { RULES_POINTER } from "./service.ts";
import { findTagPolicy } from "./store.ts";
import type { StateWalk } from "./walk.ts";

const NONE: TextPage = { texts: [], total: 0, isWhole: true };

/**
 * A page of the workspaces that fall short, in order of names, as JSON; of those that the caller may see. Without a policy,
 * none does.
 *
 * @param kept lists of reports alone
 * @throws AppError `not_found` when the organization is missing or may not be read, `unavailable`
 */
export async function reportShortcomings(
  ctx: Context,
  kept: KeptLists,
  organizationName: string,
  filter: ReportFilter,
  page: { offset: number; size: number },
): Promise<{ texts: string[]; total: number }> {
  const { organization, visibility, rights, version } = await readBasis(ctx, organizationName);
  const policy = await findTagPolicy(ctx.db, organization);
  if (policy === undefined) return { texts: [], total: 0 };
  const { rules } = policy;
  const key = JSON.stringify([organization, rights, filter]);
  const { texts: workspaces, total } = await kept.page({ owner: organization, key, version }, page, async () =>
    theOne(await ctx.db.apart(FALLING_SHORT, { organization, rules, filter, visibility })),
  );
  if (workspaces.length === 0) return { texts: [], total };
  return { texts: await ctx.db.apart(SHORTCOMINGS, { organization, rules, filter, workspaces }), total };
}

/**
 * A page of the keys that the rules require, as JSON, those that most workspaces lack first. Without a policy there is none.
 *
 * @param kept lists of reports alone
 * @param projectId of the only project whose workspaces count; undefined for all
 * @throws AppError `not_found` when the organization is missing or may not be read, `unavailable`
 */
export async function listKeyCoverage(
  ctx: Context,
  kept: KeptLists,
  organizationName: string,
  projectId: string | undefined,
  page: { offset: number; size: number },
): Promise<TextPage> {
  const { organization, visibility, rights, version } = await readBasis(ctx, organizationName);
  const policy = await findTagPolicy(ctx.db, organization);
  if (policy === undefined) return NONE;
  const { rules } = policy;
  const key = JSON.stringify(["coverage", organization, rights, projectId]);
  return kept.page({ owner: organization, key, version }, page, async () =>
    theOne(await ctx.db.apart(KEY_COVERAGE, { organization, rules, visibility, projectId })),
  );
}

/**
 * A page of the projects by the required keys that their workspaces lack, as JSON, those with most first.
 *
 * @param kept lists of reports alone
 * @param key the only required key that counts; undefined for all
 * @throws AppError `not_found` when the organization is missing or may not be read, `unavailable`
 */
export async function listProjectCoverage(
  ctx: Context,
  kept: KeptLists,
  organizationName: string,
  key: string | undefined,
  page: { offset: number; size: number },
): Promise<TextPage> {
  const { organization, visibility, rights, version } = await readBasis(ctx, organizationName);
  const policy = await findTagPolicy(ctx.db, organization);
  if (policy === undefined) return NONE;
  const { rules } = policy;
  const name = JSON.stringify(["projects", organization, rights, key]);
  return kept.page({ owner: organization, key: name, version }, page, async () =>
    theOne(await ctx.db.apart(PROJECT_COVERAGE, { organization, rules, visibility, key })),
  );
}

/**
 * A page of the coverage of required keys by day, in order of keys and days. The numbers are of all workspaces: a caller who may
 * not see each of them gets none, and is told so.
 *
 * @param key undefined for all keys
 * @throws AppError `not_found` when the organization is missing or may not be read
 */
export async function listCoverageDays(
  ctx: Context,
  organizationName: string,
  key: string | undefined,
  page: { offset: number; size: number },
): Promise<{ days: CoverageDay[]; total: number; isWhole: boolean }> {
  const { id, name } = await getOrganization(ctx, organizationName, "read");
  if (!seesAll(visibleWorkspaces(ctx.actor, name))) return { days: [], total: 0, isWhole: false };
  return { ...(await listDays(ctx.db, id, key, page)), isWhole: true };
}

/**
 * Counts the workspaces that would violate rules if they were saved; of those that the caller may see. A rule for a project
 * that does not exist concerns none, so that nobody learns here which projects there are.
 *
 * @param kept lists of reports alone
 * @throws AppError `not_found` when the organization is missing or may not be read, `invalid` on what no rule may be like,
 *   `unavailable`
 */
export async function checkDraft(
  ctx: Context,
  kept: KeptLists,
  organizationName: string,
  rules: TagRule[],
): Promise<DraftEffect & { organizationName: string }> {
  const { organization, name, visibility, rights, version } = await readBasis(ctx, organizationName);
  checkRules(rules, RULES_POINTER);
  const saved = (await findTagPolicy(ctx.db, organization))?.rules ?? [];
  const key = JSON.stringify(["draft", organization, rights, rules]);
  const { texts } = await kept.page({ owner: organization, key, version }, { offset: 0, size: 1 }, async () =>
    theOne(await ctx.db.apart(DRAFT_EFFECT, { organization, rules, saved, visibility })),
  );
  const [text = ""] = texts;
  return { ...(JSON.parse(text) as DraftEffect), organizationName: name };
}

interface Basis extends Pick<StateWalk, "organization" | "visibility"> {
  /** Name of the organization. */
  name: string;
  /** Stands for the permissions of the caller in the key of a list; empty for one that sees all workspaces. */
  rights: string;
  /** State of the organization. Read before the rest, and only ever another one later: a list belongs to it for as long as it stays. */
  version: string;
}

async function readBasis(ctx: Context, organizationName: string): Promise<Basis> {
  const { id, name } = await getOrganization(ctx, organizationName, "read");
  const version = (await readGuarded(ctx.db, counterName({ kind: "organization", id })))?.at ?? "";
  const names = visibleWorkspaces(ctx.actor, name);
  const isAll = seesAll(names);
  return {
    organization: id,
    name,
    visibility: isAll ? undefined : names,
    rights: isAll ? "" : ctx.actor.rightsKey,
    version,
  };
}

function theOne([list]: TextList[]): TextList {
  if (list === undefined) throw new Error("the work gives one list");
  return list;
}
