/** Effective keys of a workspace: its own and those of its project. */
import type { Reader } from "../../../storage/database.ts";
import { listApplied, type AppliedKey } from "./effective-store.ts";
import type { TagBinding } from "./store.ts";

/** A key that applies, and where it comes from. */
export interface EffectiveBinding {
  /** Opaque; of one holder and key always the same. */
  id: string;
  key: string;
  value: string;
  /** The project that it is inherited from; undefined where it is the holder's own. */
  inheritedFrom: string | undefined;
}

/**
 * Lists the effective keys of each of these workspaces: its own first, then inherited ones. The workspace's value wins,
 * unless the organization has reserved the key and allows only the project's value.
 *
 * @returns a list for each workspace to which anything applies
 */
export async function listEffective(
  db: Reader,
  workspaces: readonly string[],
): Promise<Map<string, EffectiveBinding[]>> {
  const byHolder = Map.groupBy(await listApplied(db, workspaces), ({ holder }) => holder);
  return new Map([...byHolder].map(([id, keys]) => [id, effectiveOf(keys)]));
}

function effectiveOf(keys: readonly AppliedKey[]): EffectiveBinding[] {
  const fixed = new Set(keys.flatMap(({ key, isFixed }) => (isFixed === 1 ? [key] : [])));
  const isOwn = ({ project }: AppliedKey) => project === "";
  const { own, inherited } = applyingOf(
    keys.filter(isOwn).toSorted(byPosition),
    keys.filter((each) => !isOwn(each)).toSorted(byPosition),
    fixed,
  );
  return [...own, ...inherited].map(({ holder, key, value, project, tag }) => ({
    id: effectiveId(holder, tag),
    key,
    value,
    inheritedFrom: project === "" ? undefined : project,
  }));
}

/**
 * Returns the bindings that apply, of a workspace's own ones and those of its project.
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

function byPosition(a: AppliedKey, b: AppliedKey): number {
  return a.position - b.position || (a.tag < b.tag ? -1 : 1);
}

/** Returns the keys of a project as its effective keys: a project inherits none. */
export function ownAsEffective(own: readonly TagBinding[]): EffectiveBinding[] {
  return own.map(({ bindingId, key, value }) => ({
    id: effectiveId("", bindingId),
    key,
    value,
    inheritedFrom: undefined,
  }));
}

/** @param holder the workspace, whose id and the tag's are unique together */
function effectiveId(holder: string, tag: string): string {
  return `etb-${holder.slice("ws-".length)}${tag.slice(tag.indexOf("-") + 1)}`;
}
