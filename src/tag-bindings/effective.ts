/** What applies to a workspace: its own keys and those of its project. */
import { hash } from "node:crypto";
import type { Reader } from "../storage/database.ts";
import { listProjectBindings, listReservedKeys, listWorkspaceBindings, type Binding } from "./store.ts";

/** A key that applies, and where it comes from. */
export interface EffectiveBinding {
  /** Opaque; of one holder and key always the same. */
  id: string;
  key: string;
  value: string;
  /** The project that it is inherited from; undefined where it is the holder's own. */
  inheritedFrom: string | undefined;
}

/** What has to be known of a workspace. */
export interface BoundWorkspace {
  id: string;
  organizationId: string;
  projectId: string;
}

/**
 * What applies to each of these workspaces of one organization: its own first, then what it inherits. The workspace's value
 * wins, unless the organization has reserved the key and allows no other than the project's.
 */
export async function listEffective(
  db: Reader,
  workspaces: readonly BoundWorkspace[],
): Promise<Map<string, EffectiveBinding[]>> {
  const [first] = workspaces;
  if (first === undefined) return new Map();
  const projects = [...new Set(workspaces.map(({ projectId }) => projectId))];
  const [own, inherited, reserved] = await Promise.all([
    listWorkspaceBindings(
      db,
      workspaces.map(({ id }) => id),
    ),
    listProjectBindings(db, projects),
    listReservedKeys(db, first.organizationId),
  ]);
  const fixed = new Set(reserved.flatMap(({ key, disableOverrides }) => (disableOverrides === 1 ? [key] : [])));
  const ofWorkspace = Map.groupBy(own, ({ holder }) => holder);
  const ofProject = Map.groupBy(inherited, ({ holder }) => holder);
  return new Map(
    workspaces.map(({ id, projectId }) => [
      id,
      effectiveOf(id, ofWorkspace.get(id) ?? [], ofProject.get(projectId) ?? [], fixed),
    ]),
  );
}

function effectiveOf(
  workspace: string,
  own: readonly Binding[],
  inherited: readonly Binding[],
  fixed: ReadonlySet<string>,
): EffectiveBinding[] {
  const applying = applyingOf(own, inherited, fixed);
  return [
    ...applying.own.map((binding) => effective(workspace, binding, undefined)),
    ...applying.inherited.map((binding) => effective(workspace, binding, binding.holder)),
  ];
}

/**
 * Which of a workspace's own bindings and of those of its project apply.
 *
 * @param fixed keys to which a workspace may give no other value than its project does
 */
export function applyingOf<B extends { key: string }>(
  own: readonly B[],
  inherited: readonly B[],
  fixed: ReadonlySet<string>,
): { own: B[]; inherited: B[] } {
  const given = new Set(inherited.map(({ key }) => key));
  const kept = own.filter(({ key }) => !fixed.has(key) || !given.has(key));
  const keys = new Set(kept.map(({ key }) => key));
  return { own: kept, inherited: inherited.filter(({ key }) => !keys.has(key)) };
}

/** What applies to a project is what it has. */
export function ownAsEffective(project: string, own: readonly Binding[]): EffectiveBinding[] {
  return own.map((binding) => effective(project, binding, undefined));
}

function effective(holder: string, { key, value }: Binding, inheritedFrom: string | undefined): EffectiveBinding {
  return { id: hash("sha256", `${holder}\n${key}`, "hex"), key, value, inheritedFrom };
}
