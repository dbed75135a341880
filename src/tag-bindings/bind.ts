/**
 * Keys and values of a project, changed inside a transaction of its organization. The first use of a key creates it, as
 * with flat tags: both are rows of one pool. The keys of workspaces are changed in `workspace-tags`.
 */
import { recordChange } from "../changes/record.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import type { Transaction } from "../storage/database.ts";
import { loadTagPolicy, warningsOf, type TagWarning } from "../tag-policies/enforce.ts";
import { judgeProjects } from "../tag-policies/judge.ts";
import { addUses, bearTags, dropUses, findTagsByName, idsOf, ONE_PROJECT } from "../tags/store.ts";
import type { BindingRequest } from "../workspace-tags/link-request.ts";
import { parts } from "../workspace-tags/records.ts";
import { POSITIONS_PER_INDEX } from "../workspace-tags/write-links.ts";
import { checkNumber, type BindingInput } from "./keys.ts";
import {
  deleteProjectLinks,
  findHeldByProject,
  insertProjectLink,
  updateProjectValue,
  type TagBinding,
  type HeldBinding,
} from "./store.ts";

/** A project that keys are put on or taken from. */
export interface BoundProject {
  id: string;
  organizationId: string;
  name: string;
}

interface Plan {
  made: BindingInput[];
  changed: { held: HeldBinding; value: string }[];
  dropped: HeldBinding[];
}

/** A request with the values that it leaves as they are. */
interface Wanted {
  wanted: readonly BindingInput[];
  replaces: boolean;
}

function withValues(held: readonly HeldBinding[], { wanted, replaces }: BindingRequest): Wanted {
  const values = new Map(held.map(({ key, value }) => [key, value]));
  return { wanted: wanted.map(({ key, value }) => ({ key, value: value ?? values.get(key) ?? "" })), replaces };
}

/** @throws AppError `invalid` when it would have too many */
function planOf(held: readonly HeldBinding[], { wanted, replaces }: Wanted): Plan {
  const byKey = new Map(held.map((each) => [each.key, each]));
  const named = new Set(wanted.map(({ key }) => key));
  const made = wanted.filter(({ key }) => !byKey.has(key));
  const dropped = replaces ? held.filter(({ key }) => !named.has(key)) : [];
  checkNumber(held.length + made.length - dropped.length);
  const changed = wanted.flatMap(({ key, value }) => {
    const found = byKey.get(key);
    return found === undefined || found.value === value ? [] : [{ held: found, value }];
  });
  return { made, changed, dropped };
}

/**
 * Changes what a project is bound to.
 *
 * @param request as `checkBindings` lets it through
 * @returns the bindings that the request names, as they are then, and rules that they break, where those only advise
 * @throws AppError `invalid` when it would have too many, or they break rules of the organization
 */
export async function bindProject(
  ctx: Context,
  tx: Transaction,
  project: BoundProject,
  request: BindingRequest,
): Promise<{ bindings: TagBinding[]; warnings: TagWarning[] }> {
  const { id, organizationId } = project;
  const keys = request.wanted.map(({ key }) => key);
  const [index, held, named, policy] = await Promise.all([
    tx.index(),
    findHeldByProject(tx, id),
    findTagsByName(tx, organizationId, keys),
    loadTagPolicy(tx, organizationId),
  ]);
  const { wanted, replaces } = withValues(held, request);
  const { made, changed, dropped } = planOf(held, { wanted, replaces });
  const warnings = warningsOf(await judgeProjects(tx, policy, [{ project, given: wanted, dropped }]));
  const boundAt = new Date(ctx.now()).toISOString();
  const known = new Map(named.map((tag) => [tag.name, tag.id]));
  const used: string[] = [];
  const born: { id: string; name: string }[] = [];
  const bound = new Map<string, TagBinding>(held.map((each) => [each.key, each]));
  for (const [at, { key, value }] of made.entries()) {
    const found = known.get(key);
    const tagId = found ?? newId("tag");
    if (found === undefined) born.push({ id: tagId, name: key });
    else used.push(tagId);
    const position = index * POSITIONS_PER_INDEX + at;
    const bindingId = newId("tb");
    insertProjectLink(tx, { projectId: id, tagId, value, bindingId, boundAt, position });
    bound.set(key, { bindingId, key, value, boundAt });
  }
  for (const { held: before, value } of changed) updateProjectValue(tx, id, before.id, value);
  addUses(tx, used, ONE_PROJECT);
  bearTags(tx, organizationId, born, boundAt, ONE_PROJECT);
  deleteProjectLinks(tx, id, idsOf(dropped));
  dropUses(tx, organizationId, dropped, ONE_PROJECT);
  if (made.length + changed.length + dropped.length > 0) await record(ctx, tx, project, { made, changed, dropped });
  const bindings = wanted.flatMap(({ key, value }) => {
    const binding = bound.get(key);
    return binding === undefined ? [] : [{ ...binding, value }];
  });
  return { bindings, warnings };
}

async function record(
  ctx: Context,
  tx: Transaction,
  { id, organizationId, name }: BoundProject,
  { made, changed, dropped }: Plan,
): Promise<void> {
  const details = parts("bindings", {
    added: made,
    changed: changed.map(({ held: { key, value: from }, value: to }) => ({ key, from, to })),
    removed: dropped.map(({ key, value }) => ({ key, value })),
  });
  const object = { organizationId, kind: "project", objectId: id, name } as const;
  await recordChange(tx, ctx, { ...object, action: "tags-changed", details });
}
