/** The rules of an organization for the tags of its workspaces. Reading needs organization read, changing organization write. */
import type { Context } from "../../context.ts";
import { invalid, notFound } from "../../errors.ts";
import { checkOrganization, getOrganization } from "../../organizations/access.ts";
import { findProject } from "../../projects/store.ts";
import type { Reader } from "../../storage/database.ts";
import { checkRules, type Enforcement, type TagRule } from "./rule.ts";
import { findTagPolicy, type StoredTagPolicy } from "./store.ts";
import { dropTagPolicy, writeTagPolicy } from "./write.ts";

/** A policy with the name of its organization. */
export interface NamedTagPolicy {
  policy: StoredTagPolicy;
  organizationName: string;
}

/** JSON pointer to the rules of a request. */
export const RULES_POINTER = "/data/attributes/rules";

/** @throws AppError `not_found` when there is none, or the organization is missing or may not be read */
export async function readTagPolicy(ctx: Context, organizationName: string): Promise<NamedTagPolicy> {
  const { id, name } = await getOrganization(ctx, organizationName, "read");
  return { policy: await foundPolicy(ctx.db, id), organizationName: name };
}

async function foundPolicy(db: Reader, organization: string): Promise<StoredTagPolicy> {
  const policy = await findTagPolicy(db, organization);
  if (policy === undefined) throw notFound("tag policy");
  return policy;
}

/**
 * Makes the rules of an organization exactly these. Existing tags stay as they are.
 *
 * @throws AppError `not_found`, `invalid` on what no rule may be like, or when a project is none of the organization's
 */
export async function putTagPolicy(
  ctx: Context,
  organizationName: string,
  enforce: Enforcement,
  rules: TagRule[],
): Promise<NamedTagPolicy> {
  checkRules(rules, RULES_POINTER);
  const { id: organizationId, name } = await getOrganization(ctx, organizationName, "write");
  const policy = await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const [before] = await Promise.all([
      findTagPolicy(tx, organizationId),
      checkOrganization(ctx, tx, organizationId, "write"),
    ]);
    await checkProjects(tx, organizationId, rules, before?.rules);
    return writeTagPolicy(ctx, tx, organizationId, before, { enforce, rules });
  });
  return { policy, organizationName: name };
}

/** @param before rules that are there: a project of theirs may have been deleted since */
async function checkProjects(
  db: Reader,
  organizationId: string,
  rules: readonly TagRule[],
  before: readonly TagRule[] = [],
): Promise<void> {
  const known = new Set(before.map(({ project }) => project)).add(undefined);
  await Promise.all(
    rules.map(async ({ project }, index) => {
      if (
        project === undefined ||
        known.has(project) ||
        (await findProject(db, project))?.organizationId === organizationId
      )
        return;
      throw invalid("Project is not in the organization", `${RULES_POINTER}/${index}/project`);
    }),
  );
}

/** @throws AppError `not_found` when there is none, or the organization is missing or may not be written */
export async function removeTagPolicy(ctx: Context, organizationName: string): Promise<void> {
  const { id } = await getOrganization(ctx, organizationName, "write");
  await ctx.db.inTransaction({ kind: "organization", id }, async (tx) => {
    const [policy] = await Promise.all([foundPolicy(tx, id), checkOrganization(ctx, tx, id, "write")]);
    await dropTagPolicy(ctx, tx, policy);
  });
}
