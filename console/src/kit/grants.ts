/** Policies and roles that are added to tokens, or removed from them. */
import { linkOf, namesOf } from "./links.ts";

export interface GrantsChange {
  readonly isRemoval: boolean;
  /** Names, or IDs. */
  readonly policies: readonly string[];
  readonly roles: readonly string[];
}

type Links = readonly { readonly ID?: string; readonly Name?: string }[];

/** Policies and roles of a token. */
interface Grants {
  readonly Policies?: Links | null;
  readonly Roles?: Links | null;
}

/** Returns the members of a token that the change sets; none when the token already has, or lacks, all of it. */
export function changedGrants({ Policies, Roles }: Grants, change: GrantsChange): Readonly<Record<string, unknown>> {
  const policies = changedLinks(Policies, change.policies, change.isRemoval);
  const roles = changedLinks(Roles, change.roles, change.isRemoval);
  return { ...(policies && { Policies: policies }), ...(roles && { Roles: roles }) };
}

function changedLinks(links: Links | null | undefined, names: readonly string[], isRemoval: boolean) {
  const before = links ?? [];
  const isNamed = ({ ID, Name }: { ID?: string; Name?: string }) =>
    [ID, Name].some((each) => names.includes(each ?? ""));
  if (isRemoval) {
    const after = before.filter((link) => !isNamed(link));
    return after.length === before.length ? undefined : after;
  }
  const had = new Set([...namesOf(before), ...before.map(({ ID }) => ID)]);
  const added = names.filter((name) => !had.has(name)).map(linkOf);
  return added.length === 0 ? undefined : [...before, ...added];
}
