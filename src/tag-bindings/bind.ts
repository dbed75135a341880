/**
 * Binding workspaces and projects to keys, inside a transaction of their organization. A key that does not exist is born
 * by its first use, as flat tags are: both are rows of one pool.
 */
import { newId } from "../ids.ts";
import type { Transaction } from "../storage/database.ts";
import { BINDING, BOTH, TAG } from "../tags/marks.ts";
import { soughtName } from "../tags/names.ts";
import { addProjectUses, addUses, bearTags, dropProjectUses, dropUses, findTagsByName, idsOf } from "../tags/store.ts";
import { type Carrier, POSITIONS_PER_INDEX } from "../workspace-tags/attach.ts";
import { deleteLinksOfWorkspace, insertLink } from "../workspace-tags/store.ts";
import { checkNumber, type BindingInput } from "./keys.ts";
import {
  bindLink,
  deleteProjectLinks,
  findHeldByProject,
  findHeldByWorkspace,
  insertProjectLink,
  isTagToo,
  unbindLinks,
  updateProjectValue,
  type HeldBinding,
} from "./store.ts";

/** How a request's bindings meet those that are there. */
export interface BindingMode {
  /** Those that it does not name go. */
  replaces: boolean;
  /**
   * A key without a value is put on as a flat tag too, where it is a name of one: `terraform` asks for both in turn until
   * it finds both.
   */
  tagsToo?: boolean;
}

/** A project that keys are put on or taken from. */
export interface BoundProject {
  id: string;
  organizationId: string;
}

interface Plan {
  made: BindingInput[];
  changed: { held: HeldBinding; value: string }[];
  dropped: HeldBinding[];
}

/** @throws AppError `invalid` when the holder would have too many */
function planOf(held: readonly HeldBinding[], wanted: readonly BindingInput[], replaces: boolean): Plan {
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
 * Binds a workspace.
 *
 * @param wanted as `checkBindings` lets them through
 * @throws AppError `invalid` when it would have too many
 */
export async function bindWorkspace(
  tx: Transaction,
  workspace: Carrier,
  wanted: readonly BindingInput[],
  { replaces, tagsToo = false }: BindingMode,
  now: string,
): Promise<void> {
  const [index, held, named] = await Promise.all([
    tx.index(),
    findHeldByWorkspace(tx, workspace.id),
    findTagsByName(tx, workspace.organizationId, keysOf(wanted), workspace.id),
  ]);
  const plan = planOf(held, wanted, replaces);
  const known = new Map(named.map((tag) => [tag.name, tag]));
  const marksOf = ({ key, value }: BindingInput) => (tagsToo && value === "" && isName(key) ? BOTH : BINDING);
  const used: string[] = [];
  const born: { id: string; name: string }[] = [];
  for (const [at, binding] of plan.made.entries()) {
    const tag = known.get(binding.key);
    const bound = { value: binding.value, bindingId: newId("tb"), boundAt: now };
    if (tag?.marks === TAG) {
      bindLink(tx, workspace.id, tag.id, BOTH, bound);
      continue;
    }
    const tagId = tag?.id ?? newId("tag");
    if (tag === undefined) born.push({ id: tagId, name: binding.key });
    else used.push(tagId);
    const place = { workspaceId: workspace.id, workspaceKey: workspace.nameKey, tagId };
    insertLink(tx, { ...place, position: index * POSITIONS_PER_INDEX + at, marks: marksOf(binding), ...bound });
  }
  for (const { held: before, value } of plan.changed) {
    const marks = before.marks | marksOf({ key: before.key, value });
    bindLink(tx, workspace.id, before.id, marks, { value, bindingId: before.bindingId, boundAt: before.boundAt });
  }
  addUses(tx, used, 1);
  bearTags(tx, workspace.organizationId, born, now, { instanceCount: 1, projectCount: 0 });
  unbindLinks(tx, workspace.id, idsOf(plan.dropped.filter(isTagToo)));
  const gone = plan.dropped.filter((each) => !isTagToo(each));
  deleteLinksOfWorkspace(tx, workspace.id, idsOf(gone));
  dropUses(tx, workspace.organizationId, gone, 1);
}

/** The same of a project. */
export async function bindProject(
  tx: Transaction,
  project: BoundProject,
  wanted: readonly BindingInput[],
  { replaces }: BindingMode,
  now: string,
): Promise<void> {
  const { id, organizationId } = project;
  const [index, held, named] = await Promise.all([
    tx.index(),
    findHeldByProject(tx, id),
    findTagsByName(tx, organizationId, keysOf(wanted)),
  ]);
  const plan = planOf(held, wanted, replaces);
  const known = new Map(named.map((tag) => [tag.name, tag.id]));
  const used: string[] = [];
  const born: { id: string; name: string }[] = [];
  for (const [at, { key, value }] of plan.made.entries()) {
    const tagId = known.get(key) ?? newId("tag");
    if (known.has(key)) used.push(tagId);
    else born.push({ id: tagId, name: key });
    const position = index * POSITIONS_PER_INDEX + at;
    insertProjectLink(tx, { projectId: id, tagId, value, bindingId: newId("tb"), boundAt: now, position });
  }
  for (const { held: before, value } of plan.changed) updateProjectValue(tx, id, before.id, value);
  addProjectUses(tx, used, 1);
  bearTags(tx, organizationId, born, now, { instanceCount: 0, projectCount: 1 });
  deleteProjectLinks(tx, id, idsOf(plan.dropped));
  dropProjectUses(tx, organizationId, plan.dropped);
}

function keysOf(bindings: readonly BindingInput[]): string[] {
  return bindings.map(({ key }) => key);
}

/** Whether a flat tag may have this very name. */
function isName(key: string): boolean {
  return soughtName(key) === key;
}
